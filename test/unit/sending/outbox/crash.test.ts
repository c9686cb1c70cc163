import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Outbox, type Sender } from '../../../../src/sending/outbox/outbox.ts';
import { Store } from '../../../../src/sending/outbox/store.ts';
import { planBatches, type Recipient } from '../../../../src/sending/plan.ts';
import { Client } from '../../../../src/service/client.ts';
import { durableFiles } from '../../../../src/workbench/durable.ts';
import { serveSandbox } from '../../../host/serve.ts';
import { BOT } from '../delivering.ts';

const TOKEN = `sandbox-token-${BOT}`;
const ID = 'delivery';
const MINUTE = 60_000;
const RECIPIENTS: Recipient[] = [
  ...['518204736', 'big', '524317890'].map((id) => ({ type: 'group' as const, id, name: id })),
  ...['7058314', '7102649'].map((id) => ({ type: 'user' as const, id, name: id })),
];
const BATCHES = planBatches(RECIPIENTS, 2);

type Faults = NonNullable<Parameters<typeof serveSandbox>[0]>['faults'];

/** Delivers in a process that dies at a step; resolves to how many steps there were, where it lived to the end. */
async function deliverUntil(step: number, folder: string, origin: string): Promise<number | undefined> {
  const script = join(import.meta.dirname, 'mortal.ts');
  const what = JSON.stringify({ id: ID, token: TOKEN, batches: BATCHES });
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, folder, origin, `${step}`, what]);
    return Number(stdout);
  } catch (error) {
    if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return undefined;
    throw error;
  }
}

/** How often the message of the delivery stands in a chat (contract 4.4), no product code in between. */
async function copiesIn({ type, id }: Recipient, openApiUrl: string): Promise<number> {
  const query = new URLSearchParams({ token: TOKEN, 'chat-id': id, 'chat-type': type, before: '20' });
  const { data } = await (await fetch(`${openApiUrl}/open-apis/v1/bot/messages?${query}`)).json();
  return data.list.filter((one: { content: { text?: string } }) => one.content.text === 'Hello').length;
}

/** Lets a delivery die at a step, opens its outbox again as the next start does, and asserts what holds then. */
async function dieAt(step: number, faults: Faults): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chats-crash-'));
  const { sandbox, origin, close } = await serveSandbox(faults && { faults });
  try {
    const steps = await deliverUntil(step, folder, origin);
    sandbox.setFaults(undefined);
    const copies = () => Promise.all(RECIPIENTS.map((one) => copiesIn(one, sandbox.openApiUrl)));
    const before = await copies();
    assert.ok(
      before.every((count) => count <= 1),
      `twice before the next start: ${before}`,
    );

    const outbox = new Outbox(new Store(durableFiles(folder), () => Date.now() + MINUTE));
    const cut = await outbox.interrupted();
    const kept = await outbox.get(ID);
    if (!kept) {
      // It died before anything was promised.
      assert.deepEqual([before, cut], [[0, 0, 0, 0, 0], []]);
      return steps;
    }
    assert.ok(!kept.isRunning);
    const { account } = kept;
    // It may have died right after its end.
    assert.ok(cut.length === 1 || account.open().length === 0);
    assert.deepEqual(
      account
        .recipients()
        .map(({ id }) => id)
        .toSorted(),
      RECIPIENTS.map(({ id }) => id).toSorted(),
    );
    for (const [index, recipient] of RECIPIENTS.entries()) {
      const { state } = account.outcomeOf(recipient);
      if (state === 'reached') assert.equal(before[index], 1, `${recipient.id} is said to be reached`);
      if (state === 'notSent' || state === 'rejected') assert.equal(before[index], 0, `${recipient.id}: ${state}`);
    }

    // The chats settle what is unknown; resuming is the person's word.
    const client = new Client({ webUrl: sandbox.webUrl, openApiUrl: sandbox.openApiUrl });
    const settled = await outbox.settle(
      ID,
      (chat, page) => client.messages(TOKEN, chat, page),
      new AbortController().signal,
    );
    assert.deepEqual(settled?.unclear, []);
    const sender: Sender = {
      token: TOKEN,
      send: ({ recvType, recipients }, options) =>
        client.batchSend(
          TOKEN,
          recvType,
          recipients.map(({ id }) => id),
          account.delivery.message,
          options,
        ),
    };
    const ended = await outbox.resume(ID, sender);
    assert.equal(ended?.stopped, undefined);
    const after = await copies();
    for (const [index, recipient] of RECIPIENTS.entries()) {
      const { state } = ended?.account.outcomeOf(recipient) ?? {};
      assert.equal(after[index], state === 'reached' ? 1 : 0, `${recipient.id} in the end: ${state}`);
      assert.ok(state === 'reached' || state === 'missing');
    }
    // A batch that went out and never arrived is not sent again by resuming, but by the person's word alone.
    assert.deepEqual(
      (await outbox.unreached(ID)).recipients.map(({ id }) => id).toSorted(),
      RECIPIENTS.filter((_, index) => after[index] === 0)
        .map(({ id }) => id)
        .toSorted(),
    );
    return steps;
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}

const SCENARIOS: [string, Faults][] = [
  ['the service answers', undefined],
  [
    'the second answer is lost after the work was done',
    { faults: [{ on: 'batch_send', fault: 'reset', work: 'done', skip: 1, times: 1 }] },
  ],
  [
    'the first call comes too soon, and the third is lost before any work',
    {
      faults: [
        { on: 'batch_send', fault: 'code', code: 1007, msg: 'too often', times: 1 },
        { on: 'batch_send', fault: 'reset', work: 'undone', skip: 1, times: 1 },
      ],
    },
  ],
];

describe('A delivery whose process is killed', () => {
  for (const [when, faults] of SCENARIOS) {
    it(`at any step, when ${when}: nobody gets the message twice, and nobody is lost from the account`, async () => {
      const steps = await dieAt(0, faults);
      assert.ok(steps !== undefined && steps >= 20, `${steps} steps`);
      const left = Array.from({ length: steps }, (_, index) => index + 1);
      const work = async () => {
        for (let step = left.shift(); step !== undefined; step = left.shift()) await dieAt(step, faults);
      };
      await Promise.all([work(), work(), work()]);
    }).timeout(120_000);
  }
});
