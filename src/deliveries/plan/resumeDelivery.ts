/** Sends what is left of a delivery, or one that was scheduled. */

import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { savedAccessOf, serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import type { SendDue } from '../outbox/deliveryScheduler.ts';
import type { Outbox, OutboxEntry } from '../outbox/outbox.ts';
import { beingSent, hasChanged } from '../outbox/outboxController.ts';
import type { Delivery } from '../outbox/record.ts';
import { confirmSendNow } from './confirmation.ts';
import { runDelivery } from './runDelivery.ts';

type ResumingHost = Pick<Host, 'access' | 'chatEvents' | 'commands' | 'connection' | 'store' | 'tokens'>;

/** Sends the rest of a delivery after the user has confirmed it. Asks for a token if none is saved. */
export async function resumeDelivery(delivery: Delivery, outbox: Outbox, host: ResumingHost): Promise<void> {
  const access = await accessTo(delivery, host);
  if (!access) return;
  const ended = await runDelivery(delivery, access, outbox, host, (_, ...how) => outbox.resume(delivery.id, ...how));
  if (!ended) throw beingSent();
}

/**
 * Sends a delivery that is scheduled before its time, after it was missed, or after it was canceled. Asks for confirmation,
 * which can also change its time.
 */
export async function sendNow(entry: OutboxEntry, outbox: Outbox, host: ResumingHost): Promise<void> {
  const { delivery } = entry.status;
  const answer = await confirmSendNow(entry);
  if (answer === 'report') await host.commands.run('openReport', delivery.id);
  if (answer === 'reschedule') await host.commands.run('rescheduleDelivery', delivery.id);
  const access = answer === 'send' && (await accessTo(delivery, host));
  if (!access) return;
  const ended = await runDelivery(delivery, access, outbox, host, (_, ...how) => outbox.sendScheduled(entry, ...how));
  if (!ended) throw hasChanged(entry);
}

/** Sends deliveries that are due, with their own service and a saved token. */
export const dueSender =
  (outbox: Outbox, host: ResumingHost): SendDue =>
  async ({ status: { delivery } }, take) => {
    const access = await savedAccessOf(delivery, host);
    const taken = await take();
    if (!taken) return;
    await runDelivery(delivery, access, outbox, host, (_, ...how) => outbox.sendScheduled(taken, ...how));
  };

/** Undefined if the user cancels. @throws UserFacingError if another service is connected */
async function accessTo(
  delivery: Delivery,
  host: ResumingHost,
): Promise<{ service: Service; token: string } | undefined> {
  const service = await serviceOf(delivery, host.access);
  const token = service && (await tokenFor(delivery.bot.id, service, host));
  return service && token !== undefined ? { service, token } : undefined;
}
