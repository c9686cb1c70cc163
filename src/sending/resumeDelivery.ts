/** Sends what is left of a delivery. */
import { savedAccessOf, serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import type { SendDue } from '../outbox/deliveryScheduler.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { beingSent, type OutboxController } from '../outbox/outboxController.ts';
import type { Delivery } from '../outbox/record.ts';
import type { Host } from '../platform/host.ts';
import { confirmSendNow } from './confirmation.ts';
import { runDelivery, type Start } from './runDelivery.ts';

type ResumingHost = Pick<Host, 'access' | 'chatEvents' | 'commands' | 'connection' | 'tokens'>;
type Controller = Pick<OutboxController, 'entryFor' | 'outbox'>;

/** Sends it after the user has confirmed it. Asks for a token if none is saved. */
export async function resumeDelivery(delivery: Delivery, outbox: Outbox, host: ResumingHost): Promise<void> {
  const service = await serviceOf(delivery, host.access);
  const token = service && (await tokenFor(delivery.bot.id, service, host));
  if (!token) return;
  if (!(await runDelivery(delivery, { service, token }, outbox, host, resuming(delivery)))) throw beingSent();
}

/** Sends a scheduled delivery before its time, or after it was missed. Asks for confirmation. */
export async function sendNow(id: string, controller: Controller, host: ResumingHost): Promise<void> {
  const { status, due } = await controller.entryFor('sendNow', id);
  const answer = await confirmSendNow(status.delivery, status.recipients(), due);
  if (answer === 'report') await host.commands.run('openReport', id);
  if (answer === 'send') await resumeDelivery(status.delivery, controller.outbox, host);
}

/** Sends deliveries that are due, with their own service and a saved token. */
export const dueSender =
  (outbox: Outbox, host: ResumingHost): SendDue =>
  async ({ status: { delivery } }, take) => {
    const access = await savedAccessOf(delivery, host);
    if (await take()) await runDelivery(delivery, access, outbox, host, resuming(delivery));
  };

const resuming =
  ({ id }: Delivery): Start =>
  (outbox, ...how) =>
    outbox.resume(id, ...how);
