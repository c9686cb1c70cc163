/** Deliveries as other features may read them: plain values, with which nothing can be sent. */
import type { Chat } from '../service/model.ts';
import { type DeliveryState, stateOf } from './deliveryState.ts';
import type { OutcomeState } from './deliveryStatus.ts';
import type { OutboxEntry } from './outbox.ts';
import { detailOf } from './report.ts';

export interface DeliverySummary {
  readonly id: string;
  /** The name of the document. */
  readonly name: string;
  /** When it was confirmed (Unix ms). */
  readonly time: number;
  readonly botId: string;
  readonly state: DeliveryState;
  readonly total: number;
  /** Recipients by result. */
  readonly counts: Readonly<Record<OutcomeState, number>>;
}

/** A recipient that a delivery didn't reach. */
interface Unreached {
  readonly chat: Chat;
  readonly name: string;
  readonly result: Exclude<OutcomeState, 'reached'>;
  /** Why, in the user's language. */
  readonly details: string;
}

/** Those that need the most attention first. */
const UNREACHED = ['unknown', 'rejected', 'missing', 'notSent'] as const;

export function summaryOf(entry: OutboxEntry): DeliverySummary {
  const { delivery, total, counts } = entry.status;
  const { id, name, at, bot } = delivery;
  return { id, name, time: at, botId: bot.id, state: stateOf(entry), total, counts: { ...counts } };
}

/** The first recipients that weren't reached, at most `limit`. */
export function unreachedOf({ status }: OutboxEntry, limit: number): Unreached[] {
  const unreached: Unreached[] = [];
  for (const result of UNREACHED) {
    for (const { type, id, name } of status.firstRecipients(result, limit - unreached.length)) {
      const chat: Chat = { type, id };
      unreached.push({ chat, name, result, details: detailOf(status.outcomeOf(chat)) });
    }
  }
  return unreached;
}
