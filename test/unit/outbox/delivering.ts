import assert from 'node:assert/strict';
import { type Batch, planBatches, type Recipient } from '../../../src/outbox/batches.ts';
import { type EarlyStop, type Means, runDelivery } from '../../../src/outbox/deliveryRunner.ts';
import { DeliveryStatus, type OutcomeState } from '../../../src/outbox/deliveryStatus.ts';
import type { Delivery, JournalLine } from '../../../src/outbox/record.ts';
import type { BatchResult } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';

export const BOT = '30481126';
export const AT = Date.UTC(2026, 10, 21, 12);

export const groups = (...ids: string[]): Recipient[] => ids.map((id) => ({ type: 'group', id, name: `group ${id}` }));

/** The ID of a delivery that is called by a word of at most eight letters. */
export const idOf = (word: string) => `${'0'.repeat(15)}-${word.padEnd(8, '0')}`;

/** A delivery of a text as it is written down. */
export function deliveryOf(batches: Batch[], changes: Partial<Delivery> = {}): Delivery {
  return {
    id: idOf('a'),
    at: AT,
    service: 'https://service.test',
    bot: { id: BOT, name: 'Order Desk' },
    name: 'announcement.md',
    message: { contentType: 'text', content: { text: 'Hello' } },
    digest: 'd',
    batches,
    ...changes,
  };
}

/** What answers one call of a delivery. */
export type Answers = (batch: Batch, abort: () => void) => Promise<BatchResult>;

export const everyone: Answers = async ({ recipients }) => ({
  reached: recipients.map(({ id }) => ({ recvId: id, msgId: `to ${id}` })),
  unreadable: [],
  successCount: recipients.length,
});

export const failing =
  (failure: Failure): Answers =>
  () =>
    Promise.reject(new ServiceError(failure));

export const refused = (code: number, text = 'no') => failing({ kind: 'rejected', code, text, status: 200 });
export const unreachable = (reason: string) => failing({ kind: 'unreachable', reason });

export interface Delivered {
  status: DeliveryStatus;
  stopped: EarlyStop | undefined;
  sent: string[][];
  lines: JournalLine[];
  /** How long it waited before each repetition that the pace does not wait for itself (milliseconds). */
  waits: number[];
}

/** Delivers batches, each answered by the next of `answers`, the last of which answers all that follow. */
export async function deliverBatches(
  batches: Batch[],
  answers: Answers[],
  { cancelled = false, ...means }: Partial<Means> & { cancelled?: boolean } = {},
): Promise<Delivered> {
  const abort = new AbortController();
  if (cancelled) abort.abort();
  const delivered: Delivered = {
    status: new DeliveryStatus(deliveryOf(batches)),
    stopped: undefined,
    sent: [],
    lines: [],
    waits: [],
  };
  const left = [...answers];
  delivered.stopped = await runDelivery(
    delivered.status,
    {
      async send(batch, { before }) {
        const answer = (left.length > 1 ? left.shift() : left[0]) ?? (() => assert.fail('sent'));
        await before();
        delivered.sent.push(batch.recipients.map(({ id }) => id));
        return answer(batch, () => abort.abort());
      },
      begin: async () => true,
      append: async (line) => void delivered.lines.push(line),
      progress: () => {},
      now: () => AT,
      clock: { now: () => 0, sleep: async (ms) => void delivered.waits.push(ms) },
      ...means,
    },
    abort.signal,
  );
  return delivered;
}

/** Delivers to these groups, two in a batch. */
export const deliverTo = (ids: string, ...answers: Answers[]) =>
  deliverBatches(planBatches(groups(...ids), 2), answers);

/** What became of each recipient, by ID. */
export const states = (status: DeliveryStatus): Record<string, OutcomeState> =>
  Object.fromEntries(status.recipients().map((one) => [one.id, status.outcomeOf(one).state]));
