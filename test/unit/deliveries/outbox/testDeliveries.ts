import assert from 'node:assert/strict';
import {
  type BatchSender,
  type DeliveryJournal,
  DeliveryRunner,
  type EarlyStop,
  type Sender,
} from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStatus, type OutcomeState } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { Heartbeats } from '../../../../src/deliveries/outbox/heartbeats.ts';
import type { OutboxEntry, RunningEntry, StoredEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery, JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import { type Batch, BatchPlan, type Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import type { BatchResult } from '../../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../../src/service/errors.ts';
import { clockAt } from '../../clocks.ts';

export const BOT = '30481126';

/** The bot's token in the sandbox. */
export const TOKEN = 'sandbox-token-62118403';

export const AT = Date.UTC(2026, 10, 21, 12);

export const groups = (...ids: string[]): Recipient[] => ids.map((id) => ({ kind: 'group', id, name: `group ${id}` }));

export function planBatches(recipients: readonly Recipient[], size: number): Batch[] {
  const plan = new BatchPlan(size);
  for (const recipient of recipients) plan.add(recipient);
  return plan.batches;
}

/** A delivery that nobody is sending. */
export function atRest(entry: OutboxEntry | undefined): StoredEntry {
  assert.ok(entry && !entry.isRunning);
  return entry;
}

/** The answer to the first attempt of a batch, as the journal has it. */
export const answered = (batch: number, ...ids: string[]): Extract<JournalLine, { what: 'answered' }> => ({
  what: 'answered',
  batch,
  attempt: 0,
  at: AT,
  reached: ids.map((recvId) => ({ recvId, msgId: `to ${recvId}` })),
  unreadable: [],
});

/** Why the first attempt of a batch reached nobody. */
export const failed = (batch: number, state: 'rejected' | 'notSent' | 'unknown' = 'rejected', failure?: Failure) =>
  ({ what: 'failed', batch, attempt: 0, at: AT, state, failure }) satisfies JournalLine;

/** What the outbox knows of a delivery that nobody is sending, and that was never scheduled or resent. */
export const storedEntry = (status: DeliveryStatus, changes: Partial<StoredEntry> = {}): StoredEntry => ({
  status,
  isRunning: false,
  isResent: false,
  due: undefined,
  resentBy: undefined,
  earlierResends: [],
  unreadableCount: 0,
  unanswered: [],
  claimCount: 0,
  ...changes,
});

/** What it knows of one that is being sent. */
export const runningEntry = (status: DeliveryStatus, isCanceling = false): RunningEntry => ({
  isRunning: true,
  status,
  isCanceling,
});

/** A window dies while it sends a delivery: its heartbeat stays as it was at a time, by default long ago. */
export async function dieSending(id: string, files: DurableFiles, at = 0): Promise<void> {
  const end = await new Heartbeats(
    files,
    clockAt(() => at),
  ).start(id);
  await end(true);
}

/** A delivery ID made from a word of at most eight letters. */
export const idOf = (word: string) => `${'0'.repeat(15)}-${word.padEnd(8, '0')}`;

/** A delivery of a text message. */
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

/** Answers one call of a delivery; `abort` cancels the delivery. */
export type Answers = (batch: Batch, abort: () => void) => Promise<BatchResult>;

/** Answers that no one was reached. */
export const nobody: Answers = async () => ({ reached: [], unreadable: [], successCount: 0 });

export const everyone: Answers = async ({ recipients }) => ({
  reached: recipients.map(({ id }) => ({ recvId: id, msgId: `to ${id}` })),
  unreadable: [],
  successCount: recipients.length,
});

export const failing =
  (failure: Failure): Answers =>
  () =>
    Promise.reject(new ServiceError(failure));

/** Sends with these answers in turn, the last of which answers all remaining calls, and notes the IDs in each. */
export function senderOf(answers: readonly Answers[], note: (ids: string) => void = () => {}): Sender {
  const remaining = [...answers];
  return {
    token: 'a-token',
    never: () => new Map(),
    async send(batch, { before }) {
      await before();
      note(batch.recipients.map(({ id }) => id).join(''));
      const answer = remaining.length > 1 ? remaining.shift() : remaining[0];
      return (answer ?? assert.fail('sent'))(batch, () => {});
    },
  };
}

export const refused = (code: number, text = 'no') => failing({ kind: 'rejected', code, text, status: 200 });

export const unreachable = (reason: string) => failing({ kind: 'unreachable', reason });

/** Reaches so many batches, and notes the ID of each recipient, then loses the connection before anything is sent. */
export const reaching = (count: number, note: (id: string) => void = () => {}): Sender => ({
  token: 'a-token',
  never: () => new Map(),
  send: async (batch, { before }) => {
    await before();
    if (count-- <= 0) return unreachable('ENOTFOUND')(batch, () => {});
    for (const { id } of batch.recipients) note(id);
    return everyone(batch, () => {});
  },
});

export interface Delivered {
  status: DeliveryStatus;
  stopped: EarlyStop | undefined;
  sent: string[][];
  lines: JournalLine[];
  /** The runner's own back-offs (milliseconds). */
  waits: number[];
}

/** Delivers batches, each answered by the next of `answers`. The last one answers all remaining batches. */
export async function deliverBatches(
  batches: Batch[],
  answers: Answers[],
  { canceled = false, ...overrides }: Partial<BatchSender & DeliveryJournal> & { canceled?: boolean } = {},
): Promise<Delivered> {
  const abort = new AbortController();
  if (canceled) abort.abort();
  const status = new DeliveryStatus(deliveryOf(batches));
  const sent: string[][] = [];
  const lines: JournalLine[] = [];
  const waits: number[] = [];
  const remaining = [...answers];
  const ports: BatchSender & DeliveryJournal = {
    async send(batch, { before }) {
      const answer = (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? (() => assert.fail('sent'));
      await before();
      sent.push(batch.recipients.map(({ id }) => id));
      return answer(batch, () => abort.abort());
    },
    never: () => new Map(),
    begin: async () => true,
    append: async (line) => void lines.push(line),
    ...overrides,
  };
  const runner = new DeliveryRunner(status, ports, ports, {
    clock: { ...clockAt(() => AT), now: () => 0, sleep: async (ms) => void waits.push(ms) },
  });
  return { status, stopped: await runner.run(abort.signal), sent, lines, waits };
}

/** Delivers to the groups with these one-letter IDs, two in a batch. */
export const deliverTo = (ids: string, ...answers: Answers[]) =>
  deliverBatches(planBatches(groups(...ids), 2), answers);

/** The outcome states by recipient ID. */
export const states = (status: DeliveryStatus): Record<string, OutcomeState> =>
  Object.fromEntries(status.recipients().map((one) => [one.id, status.outcomeOf(one).state]));
