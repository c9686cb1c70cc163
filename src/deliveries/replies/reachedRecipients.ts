/** The recipients that a delivery has reached, and what else this outbox has sent them. */
import { type KnownNames, withLabel } from '../../presentation/describe.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { type DeliveryStatus, messageIdOf } from '../outbox/deliveryStatus.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import type { Delivered } from './findReplies.ts';

/** `msgId` is the ID of the message there. */
export interface ReachedRecipient extends Pick<Delivered, 'msgId' | 'others' | 'reminders'> {
  readonly recipient: Recipient;
}

/**
 * `status` is that of a delivery and its resends, whose IDs are `family`: the same message to the same person isn't the
 * next one, nor is a reminder of it. `all` are the deliveries of the outbox, newest first.
 */
export async function reachedRecipients(
  status: DeliveryStatus,
  family: readonly string[],
  all: readonly { readonly status: DeliveryStatus }[],
  known?: KnownNames,
): Promise<ReachedRecipient[]> {
  const { bot, service } = status.delivery;
  const onService = all.map((one) => one.status).filter(({ delivery }) => delivery.service === service);
  /** The followers are the family, its reminders, their resends, and reminders of these. */
  const followers = new Set(family);
  for (const { delivery } of onService.toReversed()) {
    const { id, follows = '', resends = '' } = delivery;
    if (followers.has(follows) || followers.has(resends)) followers.add(id);
  }
  const others = new Map<string, Set<string>>();
  const reminders = new Map<string, Set<string>>();
  const slices = new TimeSlices();
  for (const other of onService.filter(({ delivery }) => !family.includes(delivery.id))) {
    const isReminder = followers.has(other.delivery.id);
    if (!isReminder && other.delivery.bot.id !== bot.id) continue;
    const sent = isReminder ? reminders : others;
    await slices.each(other.recipients('reached'), (chat) => {
      const msgId = messageIdOf(other.outcomeOf(chat));
      // Another message ends the replies only in a conversation with a person.
      if (msgId && (isReminder || chat.kind === 'user'))
        sent.set(chatKey(chat), (sent.get(chatKey(chat)) ?? new Set()).add(msgId));
    });
  }
  const reached: ReachedRecipient[] = [];
  await slices.each(status.recipients('reached'), (recipient) => {
    const msgId = messageIdOf(status.outcomeOf(recipient));
    const of = (sent: typeof others) => sent.get(chatKey(recipient)) ?? NONE;
    if (msgId !== undefined)
      reached.push({ recipient: withLabel(recipient, known), msgId, others: of(others), reminders: of(reminders) });
  });
  return reached;
}

const NONE: ReadonlySet<string> = new Set();
