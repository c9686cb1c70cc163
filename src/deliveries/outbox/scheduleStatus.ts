/** The next scheduled delivery, in the status bar. */
import { l10n, type MarkdownString, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import { textTooltip } from '../../presentation/card.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { safeLabel } from '../../presentation/dialogs.ts';
import { formatCount, formatDateTime, formatShortTime } from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import { headingOf, shortHeading } from './heading.ts';
import type { ScheduledEntry } from './outbox.ts';

export class ScheduleStatus {
  #item: StatusBarItem | undefined;

  /** Shows the first of them; nothing if there are none. */
  show([next, ...others]: readonly ScheduledEntry[]): void {
    if (!next) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    this.#item ??= createItem();
    Object.assign(this.#item, statusOf(next, others.length, systemClock.wall()));
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

function createItem(): StatusBarItem {
  const item = window.createStatusBarItem('botChats.scheduled', StatusBarAlignment.Left);
  item.name = l10n.t('Next Scheduled Message');
  item.command = 'botChats.showNextScheduled';
  return item;
}

/** What the item shows at a time (Unix ms). */
export function statusOf(
  { due, status: { delivery, total } }: ScheduledEntry,
  others: number,
  now: number,
): { text: string; tooltip: MarkdownString } {
  const name = headingOf(delivery);
  const bot = singleLineName(delivery.bot.name);
  const recipients = total === 1 ? l10n.t('1 recipient') : l10n.t('{0} recipients', formatCount(total));
  const lines = [
    due > now
      ? l10n.t('“{0}” will be sent by {1} on {2}: {3}.', name, bot, formatDateTime(due), recipients)
      : l10n.t("“{0}” was due on {1}, but wasn't sent: {2}.", name, formatDateTime(due), recipients),
    ...(others > 0 ? [l10n.t('Also scheduled: {0}.', formatCount(others))] : []),
  ];
  return {
    text: safeLabel([formatShortTime(due, now), shortHeading(delivery)].join(' '), 'clock'),
    tooltip: textTooltip(lines.join('\n\n')),
  };
}
