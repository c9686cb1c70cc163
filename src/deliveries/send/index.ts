/** The commands that send documents, and resend deliveries; and what sends deliveries once they are due. */
import { type Disposable, window } from 'vscode';
import { type Lazy, lazy, methodsOf } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import { Timer } from '../../service/clock.ts';
import type { DraftReader } from '../draft/draftReader.ts';
import { CHECK_INTERVAL } from '../outbox/deliveryScheduler.ts';
import type { OutboxFeature } from '../outbox/index.ts';
import type { ScheduleController } from './scheduleController.ts';

/** How long after VS Code's start the schedule is first checked (milliseconds)… */
const STARTUP_DELAY = 1_000;

/** …and after a change, of which a delivery makes many. */
const CHANGE_DELAY = 250;

interface Chosen {
  /** The IDs of the deliveries that a command is for. */
  chosen(clicked?: string, selected?: readonly string[]): Iterable<string>;
  /** Does something with a delivery, and marks it as seen. */
  seen(act: (id: string) => unknown): (id: string) => Promise<void>;
}

export function registerSending(
  host: ActivationHost,
  outbox: OutboxFeature,
  reader: () => Promise<DraftReader>,
  { chosen, seen }: Chosen,
) {
  const { commands } = host;
  const { controller, edits } = outbox;
  const sending = lazy(async () => {
    const { sendCommands } = await import('./sendCommands.ts');
    return sendCommands({
      host: await wholeHost(host),
      controller: await controller(),
      edits,
      reader: await reader(),
      seen,
    });
  });
  const schedule = lazy(async (): Promise<ScheduleController> => {
    const { ScheduleController } = await import('./scheduleController.ts');
    return new ScheduleController(await wholeHost(host), await controller());
  });
  const disposables: Disposable[] = [
    ...commands.registerAll(sending, 'sendActiveMarkdown', 'sendAs', 'sendEditedDelivery', 'sendSelection'),
    ...commands.registerEach(chosen, sending, 'lookUpMissing', 'resendDelivery', 'resumeDelivery', 'sendDeliveryNow'),
    ...registerSchedule(host, outbox, chosen, schedule),
  ];
  return {
    disposables,
    ...methodsOf(sending, 'send'),
    /** Ends the schedule: nothing more is sent when it's due. */
    close: async () => (await schedule.loaded)?.dispose(),
  };
}

/** Registers the commands for scheduled deliveries. The scheduler is loaded only once there are any. */
export function registerSchedule(
  { commands, log }: Pick<ActivationHost, 'commands' | 'log'>,
  { mayHave, onDidChange }: Pick<OutboxFeature, 'mayHave' | 'onDidChange'>,
  chosen: Chosen['chosen'],
  schedule: Lazy<ScheduleController>,
): Disposable[] {
  /** Reads the schedule if anything may be scheduled. Makes no request. */
  const check = async () => {
    if (!schedule.loaded && !(await mayHave('scheduled'))) return;
    polling.stop();
    await (await schedule()).check();
  };
  /** Like {@link check}, but logs an error. */
  const checkSilently = () => void check().catch((error) => log.error(error));
  // Looks again later, until something is scheduled, in this window or another.
  const polling = new Timer(() => {
    polling.start(CHECK_INTERVAL);
    checkSilently();
  });
  polling.start(STARTUP_DELAY);
  const changing = new Timer(checkSilently);
  return [
    { dispose: () => polling.stop() },
    { dispose: () => changing.stop() },
    schedule,
    onDidChange(() => changing.start(CHANGE_DELAY)),
    window.onDidChangeWindowState(({ focused }) => focused && checkSilently()),
    ...commands.registerEach(chosen, schedule, 'editDelivery', 'rescheduleDelivery', 'unscheduleDelivery'),
  ];
}
