/** Deliveries as other features may read them: plain values, with which nothing can be sent. */

import { UserFacingError } from '../../presentation/errorText.ts';
import type { Chat } from '../../service/model.ts';
import type { DeliveryReader, DeliverySummary, UnreachedRecipient } from '../contract.ts';
import { stateOf } from './deliveryState.ts';
import { detailOf, unreadableText } from './deliveryTexts.ts';
import type { Outbox } from './outbox.ts';
import { isScheduled, type OutboxEntry } from './outboxEntry.ts';
import { OUTCOME_STATES } from './outcome.ts';

export const readerOf = (outbox: Pick<Outbox, 'entries' | 'get'>): DeliveryReader => ({
  list: async () => {
    const entries = await outbox.entries();
    const deliveries = entries.flatMap((entry) => ('error' in entry ? [] : [summaryOf(entry)]));
    return { deliveries, unreadable: entries.length - deliveries.length };
  },
  get: async (id, includes, limit) => {
    const entry = await outbox.get(id).catch((error) => {
      throw new UserFacingError(unreadableText(error));
    });
    return entry && { delivery: summaryOf(entry), unreached: unreachedRecipients(entry, includes, limit) };
  },
});

function summaryOf(entry: OutboxEntry): DeliverySummary {
  const { delivery, intended: total, counts } = entry.status;
  const { id, name, at, bot } = delivery;
  const due = isScheduled(entry) ? entry.due : undefined;
  return {
    id,
    name,
    time: at,
    botId: bot.id,
    state: stateOf(entry),
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
