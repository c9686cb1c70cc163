/** Random deliveries to chats of the sandbox, and what must hold of each after whatever went wrong. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planBatches, type Recipient } from '../../src/outbox/batches.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import type { Delivery } from '../../src/outbox/record.ts';
import type { FaultPlan, FaultySandbox } from '../../src/sandbox/faulty.ts';
import { Client } from '../../src/service/client.ts';
import { type Chat, chatKey } from '../../src/service/model.ts';
import { BOT, deliveryOf } from '../unit/outbox/testDeliveries.ts';
import { hastyClock, listBy, senderBy } from './sender.ts';

export const TOKEN = `sandbox-token-${BOT}`;

const CHATS: Recipient[] = [
  ...['518204736', 'big', '524317890'].map((id) => ({ type: 'group' as const, id, name: id })),
  ...['7058314', '7102649'].map((id) => ({ type: 'user' as const, id, name: id })),
];

type Rule = FaultPlan['faults'][number];

/** Ways in which a call goes wrong. A service that does the work and refuses it with a status below 500 is not among them: nobody could know. */
const fault = fc.constantFrom<Rule[]>(
  { fault: 'reset', work: 'done' },
  { fault: 'reset', work: 'undone' },
  { fault: 'code', code: 1007 },
  { fault: 'code', code: 1003 },
  { fault: 'code', code: -1 },
  { fault: 'code', code: 0, work: 'done' },
  { fault: 'code', code: 1007, status: 503, work: 'done' },
  { fault: 'code', code: -1, status: 500, work: 'done' },
  { fault: 'html', status: 504, work: 'done' },
  { fault: 'too-many', retryAfter: 1 },
  { fault: 'half-body' },
  { fault: 'garbage' },
  { fault: 'wrong-types' },
  { fault: 'html', status: 200 },
  { fault: 'html', status: 502 },
  { fault: 'redirect' },
  { fault: 'duplicates' },
  { fault: 'missing' },
);

/** Whom a delivery goes to, and what goes wrong with each of its calls in turn, if anything. */
export const plans = fc.record({
  recipients: fc.shuffledSubarray(CHATS, { minLength: 1 }),
  batchSize: fc.integer({ min: 1, max: 3 }),
  faults: fc.array(fc.option(fault), { maxLength: 6 }),
});
export type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never;

export const deliveryFor = ({ recipients, batchSize }: Plan): Delivery =>
  deliveryOf(planBatches(recipients, batchSize), { at: Date.now() });

export const faultsOf = ({ faults }: Plan): FaultPlan => ({
  faults: faults.flatMap((one, skip) => (one ? [{ ...one, on: 'batch_send', skip, times: 1 } as Rule] : [])),
});

/** A client of a sandbox within this process; `sees` is shown each request before it goes out. */
export function clientOf(sandbox: FaultySandbox, sees: (request: Request) => Promise<void> = async () => {}): Client {
  const { webUrl, openApiUrl } = sandbox;
  return new Client({
    webUrl,
    openApiUrl,
    clock: hastyClock(),
    async fetch(...asked) {
      const request = new Request(...asked);
      await sees(request.clone());
      return sandbox.fetch(request);
    },
  });
}

interface Kept {
  delivery: Delivery;
  /** The outbox, opened after what went wrong, which nothing does any more. */
  outbox: Outbox;
  sandbox: FaultySandbox;
  /** Whether a person had it forgotten, or tried to. */
  wasForgotten?: boolean;
}

/** Brings a delivery to its end as a person would, and asserts what holds before and after. */
export async function assertKept({ delivery, outbox, sandbox, wasForgotten = false }: Kept): Promise<void> {
  const recipients = delivery.batches.flatMap((batch) => batch.recipients);
  const copies = async () => {
    const counts = recipients.map(async (one) => [chatKey(one), await copiesIn(one, sandbox)] as const);
    const all = new Map(await Promise.all(counts));
    assert.ok(
      [...all.values()].every((count) => count <= 1),
      `twice: ${[...all].join(' ')}`,
    );
    return (one: Chat) => all.get(chatKey(one)) ?? 0;
  };
  const before = await copies();
  await outbox.interrupted();
  assert.equal(await outbox.isAnyRunning(), false);
  const kept = await outbox.get(delivery.id);
  if (!kept) {
    // It ended before anything was promised.
    if (!wasForgotten) assert.deepEqual(recipients.filter(before), [], 'nobody knows of this delivery');
    return;
  }
  const { status } = kept;
  assert.ok(!kept.isRunning);
  assert.deepEqual(status.recipients(), recipients);
  for (const one of recipients) {
    const { state } = status.outcomeOf(one);
    if (state === 'reached') assert.equal(before(one), 1, `${chatKey(one)} is said to be reached`);
    if (state === 'notSent' || state === 'rejected')
      assert.equal(before(one), 0, `${chatKey(one)} is said to be ${state}`);
  }

  // Resuming is the person's word, even before the chats have settled what is unknown.
  const client = clientOf(sandbox);
  const resume = async () => {
    const ended = await outbox.resume(delivery.id, senderBy(client, TOKEN, delivery.message));
    assert.ok(ended && !ended.stopped, 'it cannot be resumed');
  };
  await resume();
  const settled = await outbox.check(delivery.id, listBy(client, TOKEN), new AbortController().signal);
  assert.deepEqual(settled?.unclear, []);
  // What was refused was taken for unknown where only a part of it was read.
  await resume();
  const after = await copies();
  const { recipients: unreached, uncertain } = await outbox.unreached(delivery.id);
  const atLast = (await outbox.get(delivery.id))?.status;
  for (const one of recipients) {
    const state = atLast?.outcomeOf(one).state;
    assert.ok(state === 'reached' || state === 'missing', `${chatKey(one)} is ${state} in the end`);
    if (state === 'reached') assert.equal(after(one), 1, `${chatKey(one)} is said to be reached in the end`);
    // What went out and was never confirmed is not sent again by resuming, but by the person's word alone.
    for (const list of [unreached, uncertain]) {
      assert.equal(
        list.map(chatKey).includes(chatKey(one)),
        state === 'missing',
        `${chatKey(one)} is ${state} and lost`,
      );
    }
  }
}

/** How often the message of a delivery stands in a chat (contract 4.4), with no code of the client in between. */
async function copiesIn({ type, id }: Recipient, { fetch, openApiUrl }: FaultySandbox): Promise<number> {
  const query = new URLSearchParams({ token: TOKEN, 'chat-id': id, 'chat-type': type, before: '20' });
  const answer = await fetch(new Request(`${openApiUrl}/open-apis/v1/bot/messages?${query}`));
  const { data } = (await answer.json()) as { data: { list: { content: { text?: string } }[] } };
  return data.list.filter(({ content }) => content.text === 'Hello').length;
}
