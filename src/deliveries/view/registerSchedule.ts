/** Registers what is done with scheduled deliveries. What sends them is loaded only once there are any. */
import { type Disposable, window } from 'vscode';
import { once } from '../../platform/defer.ts';
import type { ActivationHost, Load } from '../../platform/host.ts';
import { Timer } from '../../service/clock.ts';
import { CHECK_INTERVAL } from '../outbox/deliveryScheduler.ts';
import type { OutboxFeature } from '../outbox/index.ts';

const ON_SCHEDULED = {
  rescheduleDelivery: 'reschedule',
  unscheduleDelivery: 'unschedule',
  editDelivery: 'edit',
} as const;

/** How long after VS Code's start the schedule is first checked (milliseconds)… */
const STARTUP_DELAY = 1_000;

/** …and after a change, of which a delivery makes many. */
const CHANGE_DELAY = 250;

type Lazy = Pick<typeof import('./scheduleController.ts'), 'ScheduleController'>;

/** `chosen` are the IDs of the deliveries that a command is for. */
export function registerSchedule(
  host: ActivationHost,
  { controller, mayHave, onDidChange }: Pick<OutboxFeature, 'controller' | 'mayHave' | 'onDidChange'>,
  chosen: (clicked?: string, selected?: readonly string[]) => Iterable<string>,
  load: Load<Lazy>,
) {
  const schedule = once(async () => {
    const { ScheduleController, stored } = await load();
    return new ScheduleController({ ...host, ...stored }, await controller());
  });
  /** Reads the schedule, if there may be one. Makes no request. */
  const check = async () => {
    if (!schedule.loaded && !(await mayHave('scheduled'))) return;
    polling.stop();
    await (await schedule()).check();
  };
  /** Like {@link check}, but logs an error. */
  const checkSilently = () => void check().catch((error) => host.log.error(error));
  // Until something is scheduled, in this window or another.
  const polling = new Timer(() => {
    polling.start(CHECK_INTERVAL);
    checkSilently();
  });
  polling.start(STARTUP_DELAY);
  const changing = new Timer(checkSilently);
  const close = async () => (await schedule.loaded)?.dispose();
  const disposables: Disposable[] = [
    { dispose: () => polling.stop() },
    { dispose: () => changing.stop() },
    { dispose: () => void close() },
    onDidChange(() => changing.start(CHANGE_DELAY)),
    window.onDidChangeWindowState(({ focused }) => focused && checkSilently()),
    ...Object.entries(ON_SCHEDULED).map(([name, action]) =>
      host.commands.registerEach(name as keyof typeof ON_SCHEDULED, chosen, async (id) =>
        (await schedule()).act(action, id),
      ),
    ),
  ];
  return {
    disposables,
    /** Sends nothing more. */
    close,
  };
}
