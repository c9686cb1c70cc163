/** Sends like the extension does, on whatever files and network a window has, without waiting between calls. */
import type { CheckOptions } from '../../src/deliveries/outbox/deliveryCheck.ts';
import { DeliveryMessages } from '../../src/deliveries/outbox/deliveryMessages.ts';
import type { Sender } from '../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import type { Delivery } from '../../src/deliveries/outbox/record.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { Client } from '../../src/service/client.ts';
import { instantClock } from '../unit/clocks.ts';

export interface WindowJob {
  webUrl: string;
  openApiUrl: string;
  token: string;
  delivery: Delivery;
  /** The step at which the window is killed, from 1; 0 for none. */
  killedAt: number;
  /** How far the clock is ahead (milliseconds). */
  later: number;
}

/** Sends a delivery, or if it is stored already, checks it and sends the rest. */
export async function sendInWindow(job: WindowJob, files: DurableFiles, fetch: typeof globalThis.fetch): Promise<void> {
  const { token, delivery, later } = job;
  const clock = instantClock(() => Date.now() + later);
  const client = new Client({ ...job, clock, fetch });
  const outbox = new Outbox(new DeliveryStore(files, clock), undefined, clock);
  await outbox.interrupted();
  const stored = await outbox.get(delivery.id);
  if (stored) {
    await outbox.check(delivery.id, listBy(client, token), new AbortController().signal);
    await outbox.resume(delivery.id, senderBy(client, token, stored.status.delivery));
  } else await outbox.start(delivery, senderBy(client, token, delivery));
}

export function senderBy(client: Client, token: string, delivery: Delivery): Sender {
  const messages = new DeliveryMessages(delivery);
  return {
    token,
    never: () => new Map(),
    send: async (batch, options) => {
      const ids = batch.recipients.map(({ id }) => id);
      return client.batchSend(token, batch.recvType, ids, await messages.verified(batch), options);
    },
  };
}

export const listBy =
  (client: Client, token: string): CheckOptions['list'] =>
  (chat, page, signal) =>
    client.messages(token, chat, page, signal);
