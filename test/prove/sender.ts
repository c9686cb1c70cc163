/** Sends and lists messages like the extension does, without waiting between calls. */
import type { CheckOptions } from '../../src/outbox/deliveryCheck.ts';
import type { Sender } from '../../src/outbox/outbox.ts';
import type { Client } from '../../src/service/client.ts';
import type { Clock } from '../../src/service/clock.ts';
import type { Outgoing } from '../../src/service/message.ts';

export const senderBy = (client: Client, token: string, message: Outgoing): Sender => ({
  token,
  send: ({ recvType, recipients }, options) => {
    const ids = recipients.map(({ id }) => id);
    return client.batchSend(token, recvType, ids, message, options);
  },
});

export const listBy =
  (client: Client, token: string): CheckOptions['list'] =>
  (chat, page, signal) =>
    client.messages(token, chat, page, signal);

/** A clock whose sleeps end at once. */
export function instantClock(): Clock {
  let slept = 0;
  return {
    now: () => performance.now() + slept,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept += ms;
    },
  };
}
