/** Random deliveries to chats of the sandbox, and the invariants of each after any failure. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import type { Delivery } from '../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../src/deliveries/plan/deliveryPlan.ts';
import { Client } from '../../src/service/client.ts';
import { type Chat, chatKey } from '../../src/service/model.ts';
import type { FaultySandbox } from '../faults/faultySandbox.ts';
import type { FaultPlan } from '../faults/plan.ts';
import { instantClock } from '../unit/clocks.ts';
import { deliveryOf, planBatches, TOKEN } from '../unit/deliveries/outbox/testDeliveries.ts';
import { isLetter, letterDelivery, letterFor, letters, resend } from './letters.ts';
import { listBy, senderBy } from './sending.ts';

const CHATS: Recipient[] = [
  ...['518204736', 'big', '524317890'].map((id) => ({ kind: 'group' as const, id, name: id })),
  ...['7058314', '7102649'].map((id) => ({ kind: 'user' as const, id, name: id })),
];

type Rule = FaultPlan['faults'][number];

/** Ways for a call to fail. A refusal below HTTP 500 after the work was done is left out: it can't be detected. */
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

const planned = {
  recipients: fc.shuffledSubarray(CHATS, { minLength: 1 }),
  batchSize: fc.integer({ min: 1, max: 3 }),
  faults: fc.array(fc.option(fault), { maxLength: 6 }),
};

/** The recipients of a delivery, what each of them gets, and the fault of each call in turn, if any. */
export const plans = fc.record({ ...planned, letter: fc.option(letters, { freq: 2 }) });
export type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never;
/** Those whose recipients get messages of their own. */
export const personalPlans = fc.record({ ...planned, letter: letters });

export async function deliveryFor({ recipients, batchSize, letter }: Plan): Promise<Delivery> {
  const at = Date.now();
  if (!letter) return deliveryOf(planBatches(recipients, batchSize), { at });
  return deliveryOf([], { at, ...(await letterDelivery(letter, recipients, batchSize)) });
}

/** What each recipient must get, by {@link chatKey}. */
const textsFor = ({ recipients, letter }: Plan): ReadonlyMap<string, string> =>
  new Map(recipients.map((one, row) => [chatKey(one), letter ? letterFor(letter, row) : 'Hello']));

export const faultsOf = ({ faults }: Plan): FaultPlan => ({
  faults: faults.flatMap((rule, skip) => (rule ? [{ ...rule, on: 'batch_send', skip, times: 1 } as Rule] : [])),
});

/** A client of an in-process sandbox; `onRequest` is called before each request. */
export function clientOf(
  sandbox: FaultySandbox,
  onRequest: (request: Request) => Promise<void> = async () => {},
): Client {
  const { webUrl, openApiUrl } = sandbox;
  return new Client({
    webUrl,
    openApiUrl,
    clock: instantClock(),
    async fetch(...args) {
      const request = new Request(...args);
      await onRequest(request.clone());
      return sandbox.fetch(request);
    },
  });
}

interface FinishedDelivery {
  plan: Plan;
  delivery: Delivery;
  /** The outbox, opened after the failures, which have stopped. */
  outbox: Outbox;
  sandbox: FaultySandbox;
  /** Whether the user has deleted it, or tried to. */
  wasRemoved?: boolean;
}

/** Finishes a delivery like a user would, and asserts the invariants before and after. */
export async function assertConsistent({
  plan,
  delivery,
  outbox,
  sandbox,
  wasRemoved = false,
}: FinishedDelivery): Promise<void> {
  const { recipients } = plan;
  const copies = async () => {
    const all = await copiesIn(sandbox, plan);
    const doubled = [...all].filter(([, count]) => count > 1);
    assert.deepEqual(doubled, [], `twice: ${[...all].join(' ')}`);
    return (one: Chat) => all.get(chatKey(one)) ?? 0;
  };
  const before = await copies();
  await outbox.interrupted();
  assert.equal(await outbox.heartbeats.any(), false);
  const entry = await outbox.get(delivery.id);
  if (!entry) {
    // It failed before it was stored.
    if (!wasRemoved) assert.deepEqual(recipients.filter(before), [], 'sent, but not in the outbox');
    return;
  }
  const { status } = entry;
  assert.ok(!entry.isRunning);
  const keys = (chats: readonly Chat[]) => chats.map(chatKey).toSorted();
  assert.deepEqual(keys(status.recipients()), keys(recipients), 'a recipient is lost');
  for (const one of recipients) {
    const { state } = status.outcomeOf(one);
    if (state === 'reached') assert.equal(before(one), 1, `${chatKey(one)} is shown as reached`);
    if (state === 'notSent' || state === 'rejected')
      assert.equal(before(one), 0, `${chatKey(one)} is shown as ${state}`);
  }

  // The user may resume before checking unknown outcomes.
  const client = clientOf(sandbox);
  const senderOf = (stored: Delivery) => senderBy(client, TOKEN, stored);
  const resume = async () => {
    const result = await outbox.resume(delivery.id, senderOf(status.delivery));
    assert.ok(result && !result.stopped, 'it cannot be resumed');
  };
  await resume();
  const resumed = await copies();
  const check = await outbox.check(delivery.id, listBy(client, TOKEN), new AbortController().signal);
  assert.deepEqual(check?.unclear, []);
  for (const one of check?.found ?? [])
    assert.equal(one.msgId === undefined ? 0 : 1, resumed(one), `what was found of ${chatKey(one)}`);
  // A partly read refusal was unknown until the check.
  await resume();
  const after = await copies();
  const { recipients: unreached, uncertain } = await outbox.unreached(delivery.id);
  const finalStatus = (await outbox.get(delivery.id))?.status;
  for (const one of recipients) {
    const state = finalStatus?.outcomeOf(one).state;
    assert.ok(state === 'reached' || state === 'absent', `${chatKey(one)} is ${state} in the end`);
    if (state === 'reached') assert.equal(after(one), 1, `${chatKey(one)} is shown as reached in the end`);
    // Those without the message are never sent to by resuming, only by an explicit resend.
    assert.equal(
      unreached.map(chatKey).includes(chatKey(one)),
      state === 'absent',
      `${chatKey(one)} is ${state} and lost`,
    );
  }
  // After a check, nobody gets the message twice.
  assert.deepEqual(uncertain, []);

  await resend(outbox, status.delivery, plan.batchSize, senderOf, () => {});
  const atLast = await copies();
  assert.deepEqual(
    recipients.filter((one) => atLast(one) === 0),
    [],
    'lost in the end',
  );
}

/**
 * Counts the copies of the message in each chat (contract 4.4), without using the client. Asserts that every recipient
 * got their own, and no one else any.
 */
export async function copiesIn({ fetch, openApiUrl }: FaultySandbox, plan: Plan): Promise<Map<string, number>> {
  const texts = textsFor(plan);
  const counts = CHATS.map(async (chat) => {
    const key = chatKey(chat);
    const query = new URLSearchParams({ token: TOKEN, 'chat-id': chat.id, 'chat-type': chat.kind, before: '20' });
    const answer = await fetch(new Request(`${openApiUrl}/open-apis/v1/bot/messages?${query}`));
    const { data } = (await answer.json()) as { data: { list: { content: { text?: string } }[] } };
    const sent = data.list.flatMap(({ content: { text = '' } }) => (text === 'Hello' || isLetter(text) ? [text] : []));
    for (const text of sent) assert.equal(text, texts.get(key), `${key} got another's text`);
    return [key, sent.length] as const;
  });
  return new Map(await Promise.all(counts));
}
