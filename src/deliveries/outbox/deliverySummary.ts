/** Deliveries as other features may read them: plain values, with which nothing can be sent. */
import type { DeliverySummary, UnreachedRecipient } from '../../platform/host.ts';
import type { Chat } from '../../service/model.ts';
import { stateOf } from './deliveryState.ts';
import { OUTCOME_STATES } from './deliveryStatus.ts';
import type { OutboxEntry } from './outbox.ts';
import { detailOf } from './report.ts';

export function summaryOf(entry: OutboxEntry): DeliverySummary {
  const { delivery, total, counts } = entry.status;
  const { id, name, at, bot } = delivery;
  const state = stateOf(entry);
  const due = state === 'scheduled' ? entry.due : undefined;
  return { id, name, time: at, botId: bot.id, state, due, total, counts: { ...counts } };
}

/** The first `limit` of the included recipients that weren't reached, those that need the most attention first. */
export function unreachedRecipients(
  { status }: OutboxEntry,
  includes: (chat: Chat) => boolean,
  limit: number,
): UnreachedRecipient[] {
  const unreached: UnreachedRecipient[] = [];
  for (const result of OUTCOME_STATES) {
    if (result === 'reached') continue;
    for (const { kind, id, name } of status.recipients(result)) {
      if (unreached.length === limit) return unreached;
      const chat: Chat = { kind, id };
      if (includes(chat)) unreached.push({ chat, name, result, details: detailOf(status.outcomeOf(chat)) });
    }
  }
  return unreached;
}
