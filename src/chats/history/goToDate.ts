/**
 * Asks for a date, goes to its first message, and says so if that is one of a later day. Days are those of the page's time
 * zone: a remote extension host may be in another one.
 */
import { l10n } from 'vscode';
import { askPastDay } from '../../presentation/askTime.ts';
import { showInfo } from '../../presentation/dialogs.ts';
import { type Calendar, joinSentences } from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import type { HistoryPanel } from './historySession.ts';
import { showLoading } from './loadProgress.ts';
import type { TimeMatch } from './timeSearch.ts';

/** Proposes the day of `from` (Unix ms), or else of the oldest loaded message. */
export async function goToDate(panel: HistoryPanel, from = panel.oldestTime): Promise<void> {
  const { calendar } = panel;
  const day = await askPastDay({
    title: l10n.t('Go to Date'),
    prompt: promptFor(calendar, { ...(await panel.span()), createdAt: await panel.createdAt() }),
    value: calendar.dayOf(from ?? systemClock.wall()),
    days: calendar,
  });
  if (day === undefined) return;
  const start = calendar.startOf(day);
  const createdAt = await panel.createdAt();
  // The chat may have begun long after that day: without its creation, there's nothing to estimate.
  const goal = createdAt && Math.max(start, createdAt);
  const match = await showLoading(calendar, goal, (progress, signal) => panel.goToTime(start, progress, signal));
  const text = otherDayText(calendar, day, match);
  if (text !== undefined) void showInfo(text);
}

/** From when to when a chat goes, as far as that's known. Its first message may be much newer than the chat. */
function promptFor(calendar: Calendar, times: Record<'first' | 'last' | 'createdAt', number | undefined>): string {
  const { first, last, createdAt } = times;
  if (first !== undefined && last !== undefined && first <= last)
    return l10n.t('This chat goes from {0} to {1}.', calendar.format(first), calendar.format(last));
  return joinSentences(
    createdAt !== undefined && l10n.t('This chat was created on {0}.', calendar.format(createdAt)),
    last !== undefined && l10n.t('The newest message is from {0}.', calendar.format(last)),
    l10n.t('Older messages are loaded if needed.'),
  );
}

/** Why another day than the one asked for is shown; undefined if it isn't. */
function otherDayText(calendar: Calendar, day: string, match: TimeMatch | 'none' | 'aborted'): string | undefined {
  if (match === 'aborted') return undefined;
  const date = calendar.format(calendar.startOf(day));
  if (match === 'none') return l10n.t('There are no messages on or after {0}.', date);
  if (calendar.dayOf(match.sendTime) === day) return undefined;
  const found = calendar.format(match.sendTime);
  if (match.isFirst) return l10n.t('The message history begins later, on {0}.', found);
  return l10n.t('There are no messages on {0}. The next ones are from {1}.', date, found);
}
