/** Delivering a message, batch by batch, and keeping account of who got it. */
import type { BatchAnswer } from '../service/client.ts';
import { isFailure, isTooOften } from '../service/errors.ts';
import type { Batch, Recipient } from './plan.ts';

/** What became of the message to one recipient. */
export type Outcome =
  /** Named in `successList`. */
  | { state: 'reached'; msgId: string }
  /** The batch succeeded and does not name the recipient: not confirmed. */
  | { state: 'missing' }
  /** The service refused the batch. */
  | { state: 'rejected'; error: unknown }
  /** Never sent: cancelled before, or no connection came about. */
  | { state: 'notSent'; error?: unknown }
  /** Sent, and the answer never seen: it may have arrived or not. */
  | { state: 'unknown'; error: unknown };

export interface Delivery {
  /** One for each recipient of the plan, in its order. */
  results: { recipient: Recipient; outcome: Outcome }[];
  /** Receivers in an answer that were not asked for, as the service named them. */
  surplus: string[];
  /** Entries of answers that name no receiver, as they came. */
  unreadable: unknown[];
  /** Answers whose `successCount` disagrees with their own list. */
  miscounted: { successCount: number; listed: number }[];
}

/** Failures before anything was sent: the name or the port did not answer, or its certificate was not accepted. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Sends each batch once and in turn. A batch whose answer was not seen is never sent again: a second call would be a
 * second message. `progress` hears how many recipients are done after each batch. Never rejects.
 */
export async function deliver(
  batches: readonly Batch[],
  send: (batch: Batch) => Promise<BatchAnswer>,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<Delivery> {
  const delivery: Delivery = { results: [], surplus: [], unreadable: [], miscounted: [] };
  for (const batch of batches) {
    const outcomeOf = signal.aborted ? () => ({ state: 'notSent' as const }) : await sendOne(batch, send, delivery);
    for (const recipient of batch.recipients) delivery.results.push({ recipient, outcome: outcomeOf(recipient) });
    progress(delivery.results.length);
  }
  return delivery;
}

async function sendOne(
  batch: Batch,
  send: (batch: Batch) => Promise<BatchAnswer>,
  delivery: Delivery,
): Promise<(recipient: Recipient) => Outcome> {
  let answer: BatchAnswer;
  try {
    answer = await send(batch);
  } catch (error) {
    const outcome = outcomeOfFailure(error);
    return () => outcome;
  }
  const { reached, unreadable, successCount } = answer;
  const asked = new Set(batch.recipients.map(({ id }) => id));
  delivery.surplus.push(...reached.map(({ recvId }) => recvId).filter((id) => !asked.has(id)));
  delivery.unreadable.push(...unreadable);
  const listed = reached.length + unreadable.length;
  if (successCount !== undefined && successCount !== listed) delivery.miscounted.push({ successCount, listed });
  const messages = new Map(reached.map(({ recvId, msgId }) => [recvId, msgId]));
  return ({ id }) => {
    const msgId = messages.get(id);
    return msgId === undefined ? { state: 'missing' } : { state: 'reached', msgId };
  };
}

function outcomeOfFailure(error: unknown): Outcome {
  if (isFailure(error, 'rejected') || isTooOften(error)) return { state: 'rejected', error };
  if (isFailure(error, 'cancelled') && error.failure.unsent) return { state: 'notSent' };
  if (isFailure(error, 'unreachable') && NO_CONNECTION.has(error.failure.reason)) return { state: 'notSent', error };
  return { state: 'unknown', error };
}
