/** Sends and lists messages like the extension does, without waiting between calls. */
import type { CheckOptions } from '../../src/outbox/deliveryCheck.ts';
import { DeliveryMessages } from '../../src/outbox/deliveryMessages.ts';
import type { Sender } from '../../src/outbox/deliveryRuns.ts';
import type { Delivery } from '../../src/outbox/record.ts';
import type { Client } from '../../src/service/client.ts';

export function senderBy(client: Client, token: string, delivery: Delivery): Sender {
  const messages = new DeliveryMessages(delivery);
  return {
    token,
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
