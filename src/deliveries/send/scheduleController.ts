/** Scheduled deliveries as users see them: their times, what was missed, and what can be done. Loaded on first use. */
import { joinShown } from '../../markup/escapeInvisible.ts';
import type { Commands } from '../../platform/commands.ts';
import type { Host } from '../../platform/host.ts';
import { askTime } from '../../presentation/askTime.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { askModal, showInfo, showWarning } from '../../presentation/dialogs.ts';
import { errorText } from '../../presentation/errorText.ts';
import { formatCount, formatDateTime, formatShortTime } from '../../presentation/formats.ts';
import { NeverListError } from '../../presentation/neverSend.ts';
import { showError, wholeTextAction } from '../../presentation/showError.ts';
import {
  createStatusItem,
  iconText,
  l10n,
  type ShownText,
  type StatusItem,
  textCard,
} from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { toError } from '../../service/errors.ts';
import { MissingTokenError } from '../outbox/deliveryAccess.ts';
import { hasChanged, outdated } from '../outbox/deliveryNotice.ts';
import { type Blocker, DeliveryScheduler, type SendDue } from '../outbox/deliveryScheduler.ts';
import {
  headingOf,
  movedTexts,
  noticeHeading,
  scheduledText,
  shortHeading,
  timeHasPassed,
} from '../outbox/deliveryTexts.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { isEdited, isScheduled, type ScheduledEntry, type StoredEntry, shownTimeOf } from '../outbox/outboxEntry.ts';
import { dueSender } from '../outbox/runDelivery.ts';

export class ScheduleController {
  readonly #controller: Pick<OutboxController, 'entryFor' | 'openToEdit' | 'outbox'>;
  readonly #scheduler: DeliveryScheduler;
  readonly #status = new ScheduleStatus();

  constructor(
    host: Pick<Host, 'access' | 'chatEvents' | 'commands' | 'connection' | 'log' | 'never' | 'store' | 'tokens'>,
    controller: Pick<OutboxController, 'entryFor' | 'openToEdit' | 'outbox'>,
    send: SendDue = dueSender(controller.outbox, host),
  ) {
    this.#controller = controller;
    const { commands, log } = host;
    this.#scheduler = new DeliveryScheduler({
      outbox: controller.outbox,
      clock: systemClock,
      send,
      ask: (entry, blocker) => {
        void controller.outbox.markUnseen(entry.status.delivery.id);
        void askAboutMissed(entry, blocker, commands).catch(showError);
      },
      show: (scheduled) => this.#status.show(scheduled),
      onError: (error) => log.error(toError(error)),
    });
  }

  check(): Promise<void> {
    return this.#scheduler.check();
  }

  // The commands. Each rejects with a UserFacingError if the delivery doesn't offer it any more.

  async rescheduleDelivery(id: string): Promise<void> {
    await this.#reschedule(await this.#controller.entryFor('reschedule', id));
  }

  async unscheduleDelivery(id: string): Promise<void> {
    await this.#move(await this.#controller.entryFor('unschedule', id), null);
  }

  async editDelivery(id: string): Promise<void> {
    const entry = await this.#controller.entryFor('edit', id);
    if (isEdited(entry)) return void (await this.#controller.openToEdit(entry));
    if (!isScheduled(entry)) throw hasChanged(entry);
    return this.#edit(entry);
  }

  dispose(): void {
    this.#scheduler.dispose();
    this.#status.dispose();
  }

  async #reschedule(entry: StoredEntry): Promise<void> {
    const { delivery } = entry.status;
    if (!isScheduled(entry) && !(await confirmMoved(entry))) return;
    const { due: present = formerTimeOf(entry) } = entry;
    const heading = headingOf(delivery);
    const title = isEdited(entry)
      ? l10n.t('Change when to send “{0}” as it was before you edited it', heading)
      : l10n.t('Change when to send “{0}”', heading);
    const due = await askTime(title, present);
    if (due === undefined) return;
    if (due <= systemClock.wall()) throw timeHasPassed();
    await this.#move(entry, due);
    void showInfo(scheduledText(delivery, due));
  }

  async #edit(entry: ScheduledEntry): Promise<void> {
    const { outbox } = this.#controller;
    const edit = l10n.t('Edit');
    const title = l10n.t('Edit “{0}”?', headingOf(entry.status.delivery));
    const detail = l10n.t(
      "It won't be sent on {0} unless you send the edited message again. Its recipients and its time are kept until then.",
      formatDateTime(entry.due),
    );
    if ((await askModal(title, detail, edit)) !== edit) return;
    // The claim comes first: without it, the old text could go out meanwhile.
    if (!(await outbox.beginEdit(entry))) throw await outdated(entry.status.delivery.id, outbox);
    await this.check();
    await this.#controller.openToEdit(entry);
  }

  async #move(entry: StoredEntry, due: number | null): Promise<void> {
    const { outbox } = this.#controller;
    if (!(await outbox.reschedule(entry, due))) throw await outdated(entry.status.delivery.id, outbox);
    await this.check();
  }
}

/** Whether to schedule a delivery although another computer may send it, too. The default button doesn't. */
async function confirmMoved({ status }: StoredEntry): Promise<boolean> {
  const moved = movedTexts(status);
  if (moved.length === 0) return true;
  const schedule = l10n.t('Schedule');
  const question = l10n.t('Schedule “{0}” on this computer?', headingOf(status.delivery));
  return (await askModal(question, joinShown(moved, '\n\n'), l10n.t('Not Now'), schedule)) === schedule;
}

/** When a delivery was to be sent before it was edited or canceled (Unix ms), if that is still possible. */
const formerTimeOf = ({ editedDue, canceledDue = editedDue ?? 0 }: StoredEntry) =>
  canceledDue > systemClock.wall() ? canceledDue : undefined;

class ScheduleStatus {
  #item: StatusItem | undefined;

  /** Shows the first scheduled delivery; nothing if there are none. */
  show([next, ...others]: readonly ScheduledEntry[]): void {
    if (!next) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    this.#item ??= createItem();
    Object.assign(this.#item, statusBarOf(next, others.length, systemClock.wall()));
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

function createItem(): StatusItem {
  const item = createStatusItem('botChats.scheduled');
  item.name = l10n.t('Next Scheduled Message');
  item.command = 'botChats.showNextScheduled';
  return item;
}

/** What the item shows at a time (Unix ms). */
export function statusBarOf(
  { due, status: { delivery, total } }: ScheduledEntry,
  others: number,
  now: number,
): Pick<StatusItem, 'text' | 'tooltip'> {
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
    text: iconText([formatShortTime(due, now), shortHeading(delivery)].join(' '), 'clock'),
    tooltip: textCard(lines.join('\n\n')),
  };
}

/** Asks about a missed delivery. Resolves when the user has chosen. The chosen command checks whether it's still possible. */
async function askAboutMissed(entry: StoredEntry, blocker: Blocker, commands: Commands): Promise<void> {
  const { delivery } = entry.status;
  const { id, bot } = delivery;
  const choices = new Map<ShownText, () => Promise<void>>();
  if (blocker.why === 'failed' && blocker.error instanceof MissingTokenError) {
    choices.set(l10n.t('Set Bot Token…'), () => commands.run('setToken', { id: bot.id }));
  }
  if (blocker.why === 'failed' && blocker.error instanceof NeverListError) {
    choices.set(l10n.t('Open List'), () => commands.run('editNeverList'));
  }
  const isBeingEdited = blocker.why === 'edited';
  if (isBeingEdited) choices.set(l10n.t('As Edited…'), () => commands.run('sendEditedDelivery', id));
  const sendNow = isBeingEdited ? l10n.t('As It Was…') : l10n.t('Send Now…');
  choices.set(sendNow, () => commands.run('sendDeliveryNow', id));
  choices.set(isBeingEdited ? l10n.t('As It Was, Later…') : l10n.t('Change Time…'), () =>
    commands.run('rescheduleDelivery', id),
  );
  choices.set(isBeingEdited ? l10n.t("Don't Send") : l10n.t('Cancel Sending'), () =>
    commands.run('unscheduleDelivery', id),
  );
  const whole = blocker.why === 'failed' ? wholeTextAction(blocker.error) : undefined;
  if (whole) choices.set(whole.label, whole.run);
  const chosen = await showWarning(
    missedText(noticeHeading(delivery), formatDateTime(shownTimeOf(entry)), blocker),
    ...choices.keys(),
  );
  if (chosen !== undefined) await choices.get(chosen)?.();
}

function missedText(name: string, time: string, blocker: Blocker): ShownText {
  switch (blocker.why) {
    case 'edited':
      return l10n.t('Not sent: “{0}”. It was due on {1}, but is being edited. Send it now?', name, time);
    case 'unseen':
      return l10n.t('Not sent: “{0}”. It was due on {1}, but no VS Code window could send it then.', name, time);
    case 'skipped':
      return l10n.t('Not sent: “{0}”. It was due on {1}, but the clock changed or the computer slept.', name, time);
    case 'abandoned':
      return l10n.t('Not sent: “{0}”. It was due on {1}, but the window that took it has closed.', name, time);
    case 'failed':
      return l10n.t('Not sent: “{0}”. It was due on {1}. {2}', name, time, errorText(blocker.error));
  }
}
