/** Registers what is done with scheduled deliveries. What sends them is loaded only once there are any. */
import { type Disposable, type Event, type Uri, window } from 'vscode';
import type { ActivationHost, Load } from '../../platform/host.ts';
import { type Once, once } from '../../platform/once.ts';
import { Timer } from '../../service/clock.ts';
import { LOOK_INTERVAL, type SendDue } from './deliveryScheduler.ts';
import type { OutboxController } from './outboxController.ts';
import { hasFiles } from './outboxFolder.ts';

const ON_SCHEDULED = {
  rescheduleDelivery: 'reschedule',
  unscheduleDelivery: 'unschedule',
  editDelivery: 'edit',
} as const;

type Lazy = Pick<typeof import('./scheduleController.ts'), 'ScheduleController'>;

interface OutboxParts {
  controller: Once<OutboxController>;
  /** Where deliveries are stored. */
  folder: Uri;
  /** Fires when deliveries have changed. */
  onDidChange: Event<unknown>;
  chosen(clicked?: string, selected?: readonly string[]): Iterable<string>;
}

export function registerSchedule(
  host: ActivationHost,
  { controller, folder, onDidChange, chosen }: OutboxParts,
  load: Load<Lazy>,
) {
  let send: SendDue = () => Promise.reject(new Error('nothing sends'));
  const schedule = once(async () => {
    const { ScheduleController } = await load();
    return new ScheduleController(host, await controller(), (...due) => send(...due));
  });
  /** Reads the schedule, if there may be one. Makes no request. */
  const look = async () => {
    if (!schedule.loaded && !(await hasFiles(folder, 'scheduled'))) return;
    looking.stop();
    await (await schedule()).look();
  };
  /** Like {@link look}, but logs an error. */
  const lookSilently = () => void look().catch((error) => host.log.error(error));
  // Until something is scheduled, in this window or another.
  const looking = new Timer(() => {
    looking.start(LOOK_INTERVAL);
    lookSilently();
  });
  looking.start(LOOK_INTERVAL);
  const close = async () => (await schedule.loaded)?.dispose();
  const disposables: Disposable[] = [
    { dispose: () => looking.stop() },
    { dispose: () => void close() },
    onDidChange(lookSilently),
    window.onDidChangeWindowState(({ focused }) => focused && lookSilently()),
    ...Object.entries(ON_SCHEDULED).map(([name, action]) =>
      host.commands.register(name as keyof typeof ON_SCHEDULED, async (clicked, selected) => {
        for (const id of chosen(clicked, selected)) await (await schedule()).act(action, id);
      }),
    ),
  ];
  return {
    disposables,
    look: lookSilently,
    /** Sends nothing more. */
    close,
    /** Hands over what sends deliveries that are due. */
    sendBy: (sendDue: SendDue) => {
      send = sendDue;
    },
  };
}
