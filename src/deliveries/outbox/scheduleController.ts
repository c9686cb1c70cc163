/** Scheduled deliveries as users see them: their times, what was missed, and what can be done. Loaded on first use. */
import { l10n } from 'vscode';
import type { Host } from '../../platform/host.ts';
import { askTime } from '../../presentation/askTime.ts';
import { askModal, showInfo } from '../../presentation/dialogs.ts';
import { showError } from '../../presentation/errorText.ts';
import { formatDateTime } from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import { DeliveryScheduler, type SendDue } from './deliveryScheduler.ts';
import { askAboutMissed } from './missedNotice.ts';
import { isScheduled, type OutboxEntry, type ScheduledEntry } from './outbox.ts';
import { hasChanged, type OutboxController } from './outboxController.ts';
import { scheduledText, timeHasPassed } from './scheduledText.ts';
import { ScheduleStatus } from './scheduleStatus.ts';

type ScheduledAction = 'reschedule' | 'unschedule' | 'edit';

export class ScheduleController {
  readonly #controller: Pick<OutboxController, 'entryFor' | 'openToEdit' | 'outbox'>;
  readonly #scheduler: DeliveryScheduler;
  readonly #status = new ScheduleStatus();

  constructor(
    { commands, log }: Pick<Host, 'commands' | 'log'>,
    controller: Pick<OutboxController, 'entryFor' | 'openToEdit' | 'outbox'>,
    send: SendDue,
  ) {
    this.#controller = controller;
    this.#scheduler = new DeliveryScheduler({
      outbox: controller.outbox,
      clock: systemClock,
      send,
      ask: (entry, hindrance) => void askAboutMissed(entry, hindrance, commands).catch(showError),
      show: (scheduled) => this.#status.show(scheduled),
      onError: (error) => log.error(error instanceof Error ? error : String(error)),
    });
  }

  look(): Promise<void> {
    return this.#scheduler.look();
  }

  /** Does something with a delivery that is scheduled, or was. @throws UserFacingError if that isn't offered any more */
  async act(action: ScheduledAction, id: string): Promise<void> {
    const entry = await this.#controller.entryFor(action, id);
    if (entry.editedDue !== undefined) return void (await this.#controller.openToEdit(entry));
    if (action === 'reschedule') return this.#reschedule(entry);
    if (!isScheduled(entry)) throw hasChanged(entry);
    return action === 'unschedule' ? this.#move(entry, null) : this.#edit(entry);
  }

  dispose(): void {
    this.#scheduler.dispose();
    this.#status.dispose();
  }

  async #reschedule(entry: OutboxEntry): Promise<void> {
    const { name } = entry.status.delivery;
    const { due: present = canceledFor(entry) } = entry;
    const due = await askTime(l10n.t('Change when to send “{0}”', name), present);
    if (due === undefined) return;
    if (due <= systemClock.wall()) throw timeHasPassed();
    await this.#move(entry, due);
    void showInfo(scheduledText(name, due));
  }

  async #edit(entry: ScheduledEntry): Promise<void> {
    const { name } = entry.status.delivery;
    const edit = l10n.t('Edit');
    const title = l10n.t('Edit “{0}”?', name);
    const detail = l10n.t(
      "It won't be sent on {0} unless you send the edited message again. Its recipients and its time are kept until then.",
      formatDateTime(entry.due),
    );
    if ((await askModal(title, detail, edit)) !== edit) return;
    // First of all: otherwise the old text could go out meanwhile.
    if (!(await this.#controller.outbox.beginEdit(entry))) throw hasChanged(entry);
    await this.look();
    await this.#controller.openToEdit(entry);
  }

  async #move(entry: OutboxEntry, due: number | null): Promise<void> {
    if (!(await this.#controller.outbox.reschedule(entry, due))) throw hasChanged(entry);
    await this.look();
  }
}

/** When a canceled delivery was to be sent (Unix ms), if that is still possible. */
const canceledFor = ({ canceledDue = 0 }: OutboxEntry) => (canceledDue > systemClock.wall() ? canceledDue : undefined);
