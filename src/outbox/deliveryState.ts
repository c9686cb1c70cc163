/** The states of a delivery as a whole, and what a person can do in each; CONTRIBUTING has them as a drawing. */
import type { OutboxEntry } from './outbox.ts';

export type DeliveryState =
  /** It is being sent, by this window or another. */
  | 'sending'
  /** Sending ended early: some recipients were not sent to. */
  | 'unfinished'
  /** Every recipient was sent to, but not all were reached. */
  | 'unreached'
  /** A later delivery goes to the recipients that were not reached. */
  | 'resent'
  /** Every recipient was reached. */
  | 'delivered';

/** What may be done with a delivery, beside looking at it. */
export type DeliveryAction = 'cancel' | 'resume' | 'check' | 'resend' | 'remove';

/** What tells the state of a delivery. */
type Signs = Pick<OutboxEntry, 'status' | 'isRunning' | 'isCanceling' | 'isResent' | 'resentBy'>;

export function stateOf({ status, isRunning, isResent, resentBy }: Signs): DeliveryState {
  const { counts, total } = status;
  if (isRunning) return 'sending';
  if (counts.reached === total) return 'delivered';
  if (isResent) return 'resent';
  // Once another delivery went to its unreached, nothing more of it goes out: not even if that one was forgotten.
  return counts.notSent > 0 && resentBy === undefined ? 'unfinished' : 'unreached';
}

/** What a person can do with a delivery now, what helps most first. */
export function actionsOn(delivery: Signs): DeliveryAction[] {
  const state = stateOf(delivery);
  if (state === 'sending') return delivery.isCanceling ? [] : ['cancel'];
  return [
    ...(state === 'unfinished' ? (['resume'] as const) : []),
    ...(delivery.status.counts.unknown > 0 ? (['check'] as const) : []),
    ...(state === 'unreached' ? (['resend'] as const) : []),
    'remove',
  ];
}
