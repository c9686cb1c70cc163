/** Deliveries as other features may read them, each with its resends: plain values, with which nothing can be sent. */
import { UserFacingError } from '../../presentation/errorText.ts';
import type { Chat } from '../../service/model.ts';
import type { DeliveryReader, DeliverySummary, UnreachedRecipient } from '../contract.ts';
import { OUTCOME_STATES } from './deliveryStatus.ts';
import { detailOf, unreadableText } from './deliveryTexts.ts';
import type { Outbox } from './outbox.ts';
import { isScheduled, type OutboxEntry, sentTimeOf, stateOfFamily } from './outboxEntry.ts';
import { type DeliveryFamily, familiesOf, familyFrom, jointEntry } from './resends.ts';

export const readerOf = (outbox: Pick<Outbox, 'all' | 'entries' | 'get'>): DeliveryReader => ({
  list: async () => {
    const entries = await outbox.entries();
    const readable = entries.filter((entry) => 'status' in entry);
    const deliveries: DeliverySummary[] = [];
    for (const family of familiesOf(readable)) deliveries.push(summaryOf(family, await jointEntry(family)));
    return { deliveries, unreadable: entries.length - readable.length };
  },
  get: async (id, includes, limit) => {
    const entry = await outbox.get(id).catch((error) => {
      throw new UserFacingError(unreadableText(error));
    });
    if (!entry) return undefined;
    const family = familyFrom(id, await outbox.all()) ?? ([entry] as const);
    const joint = await jointEntry(family);
    return { delivery: summaryOf(family, joint), unreached: unreachedRecipients(joint, includes, limit) };
  },
});

/** `entry` has the joint outcome of a delivery and its resends. */
function summaryOf(family: DeliveryFamily<OutboxEntry>, entry: OutboxEntry): DeliverySummary {
  const { delivery, intended: total, counts } = entry.status;
  const { id, name, bot } = delivery;
  const due = isScheduled(entry) ? entry.due : undefined;
  return {
    id,
    name,
    time: sentTimeOf(entry.status),
    botId: bot.id,
    state: stateOfFamily(family, entry),
    due,
    total,
    counts: { ...counts, leftOut: entry.status.listedCount('leftOut') },
  };
}

/** The first `limit` of the included recipients that weren't reached, those that need the most attention first. */
function unreachedRecipients(
  { status }: OutboxEntry,
  includes: (chat: Chat) => boolean,
  limit: number,
): UnreachedRecipient[] {
  const unreached: UnreachedRecipient[] = [];
  for (const result of OUTCOME_STATES) {
    if (result === 'reached' || result === 'leftOut') continue;
    for (const { kind, id, name } of status.recipients(result)) {
      if (unreached.length === limit) return unreached;
      const chat: Chat = { kind, id };
      if (includes(chat)) unreached.push({ chat, name, result, details: detailOf(status.outcomeOf(chat)) });
    }
  }
  return unreached;
}
