/** Sends what is left of a delivery, or one that was scheduled. */
import { savedAccessOf, serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import type { SendDue } from '../outbox/deliveryScheduler.ts';
import { isScheduled, type Outbox } from '../outbox/outbox.ts';
import { beingSent, hasChanged, type OutboxController } from '../outbox/outboxController.ts';
import type { Delivery } from '../outbox/record.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { confirmSendNow } from './confirmation.ts';
import { runDelivery } from './runDelivery.ts';

type ResumingHost = Pick<Host, 'access' | 'chatEvents' | 'commands' | 'connection' | 'store' | 'tokens'>;
type Controller = Pick<OutboxController, 'entryFor' | 'outbox'>;

/** Sends the rest of a delivery after the user has confirmed it. Asks for a token if none is saved. */
export async function resumeDelivery(delivery: Delivery, outbox: Outbox, host: ResumingHost): Promise<void> {
  const access = await accessTo(delivery, host);
  if (!access) return;
  const ended = await runDelivery(delivery, access, outbox, host, (_, ...how) => outbox.resume(delivery.id, ...how));
  if (!ended) throw beingSent();
}

/** Sends a scheduled delivery before its time, or after it was missed. Asks for confirmation. */
export async function sendNow(id: string, controller: Controller, host: ResumingHost): Promise<void> {
  const entry = await controller.entryFor('sendNow', id);
  if (!isScheduled(entry)) throw hasChanged(entry);
  const { delivery } = entry.status;
  const answer = await confirmSendNow(delivery, entry.status.recipients(), entry.due);
  if (answer === 'report') await host.commands.run('openReport', id);
  const access = answer === 'send' && (await accessTo(delivery, host));
  if (!access) return;
  const { outbox } = controller;
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
