/** The recipients that a delivery has reached, and what else this outbox has sent them. */
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import { messageIdOf } from '../outbox/outcome.ts';
import type { Recipient } from '../plan/batches.ts';

export interface ReachedRecipient {
  readonly recipient: Recipient;
  /** The ID of the message there. */
  readonly msgId: string;
  /** The IDs of what other deliveries of the bot sent to the chat. */
  readonly others: ReadonlySet<string>;
}

/**
 * `status` is that of a delivery and its resends, whose IDs are `family`: the same message to the same person isn't the
 * next one. `all` are the deliveries of the outbox.
 */
export async function reachedRecipients(
  status: DeliveryStatus,
  family: readonly string[],
  all: readonly { readonly status: DeliveryStatus }[],
): Promise<ReachedRecipient[]> {
  const { bot, service } = status.delivery;
  const others = all
    .map((one) => one.status)
    .filter(
      ({ delivery }) => delivery.bot.id === bot.id && delivery.service === service && !family.includes(delivery.id),
    );
  const sent = new Map<string, Set<string>>();
  const slices = new TimeSlices();
  for (const other of others) {
    await slices.each(other.recipients('reached'), (chat) => {
      const msgId = messageIdOf(other.outcomeOf(chat));
      // Only with people does another message end anything.
      if (chat.kind === 'user' && msgId) sent.set(chatKey(chat), (sent.get(chatKey(chat)) ?? new Set()).add(msgId));
    });
  }
  const reached: ReachedRecipient[] = [];
  await slices.each(status.recipients('reached'), (recipient) => {
    const msgId = messageIdOf(status.outcomeOf(recipient));
    if (msgId !== undefined) reached.push({ recipient, msgId, others: sent.get(chatKey(recipient)) ?? NONE });
  });
  return reached;
}

const NONE: ReadonlySet<string> = new Set();
