/** What is done with scheduled deliveries from activation on: what sends them is loaded only once there are any. */
import { type Disposable, window } from 'vscode';
import type { Part } from '../../platform/defer.ts';
import type { ActivationHost } from '../../platform/host.ts';
import { Timer } from '../../service/clock.ts';
import { CHECK_INTERVAL } from '../outbox/deliveryScheduler.ts';
import type { OutboxFeature } from '../outbox/index.ts';
import type { ScheduleController } from './scheduleController.ts';

/** How long after VS Code's start the schedule is first checked (milliseconds)… */
const STARTUP_DELAY = 1_000;

/** …and after a change, of which a delivery makes many. */
const CHANGE_DELAY = 250;

/** `chosen` are the IDs of the deliveries that a command is for. */
export function registerSchedule(
  { commands, log }: Pick<ActivationHost, 'commands' | 'log'>,
  { mayHave, onDidChange }: Pick<OutboxFeature, 'mayHave' | 'onDidChange'>,
  chosen: (clicked?: string, selected?: readonly string[]) => Iterable<string>,
  schedule: Part<ScheduleController>,
): Disposable[] {
  /** Reads the schedule, if there may be one. Makes no request. */
  const check = async () => {
    if (!schedule.loaded && !(await mayHave('scheduled'))) return;
    polling.stop();
    await (await schedule()).check();
  };
  /** Like {@link check}, but logs an error. */
  const checkSilently = () => void check().catch((error) => log.error(error));
  // Until something is scheduled, in this window or another.
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
