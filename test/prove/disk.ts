/** Deliveries over a disk that fails and recovers. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Outcome } from '../../src/outbox/deliveryStatus.ts';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { type DeliveryResult, Outbox } from '../../src/outbox/outbox.ts';
import type { Delivery } from '../../src/outbox/record.ts';
import { DamagedError } from '../../src/outbox/recordFiles.ts';
import { durableFiles } from '../../src/platform/durableFiles.ts';
import { createFaultySandbox } from '../../src/sandbox/faulty.ts';
import { chatKey } from '../../src/service/model.ts';
import { assertKept, clientOf, deliveryFor, faultsOf, type Plan, plans, TOKEN } from './deliveries.ts';
import { FailingDisk, troubles } from './failingDisk.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { hastyClock, listBy, senderBy } from './sender.ts';

/** Longer than a window that sends is silent (milliseconds). */
const LATER = 60_000;

/** What a person does while the disk fails. */
const acts = fc.array(fc.constantFrom('resume', 'settle', 'look', 'restart', 'remove'), { maxLength: 5 });
type Act = typeof acts extends fc.Arbitrary<(infer A)[]> ? A : never;

async function run(effort: Effort): Promise<string[]> {
  let [failures, shortReads, deliveries, calls] = [0, 0, 0, 0];

  const whateverFails = fc.asyncProperty(
    plans,
    troubles,
    acts,
    fc.boolean(),
    async (plan, troubles, acts, restarts) => {
      const disk = new FailingDisk(troubles);
      const folder = await mkdtemp(join(tmpdir(), 'bot-chats-disk-'));
      deliveries++;
      try {
        calls += await deliver(plan, disk, folder, acts, restarts);
      } finally {
        failures += disk.failures;
        shortReads += disk.shortReads;
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  const title =
    'whatever the disk fails at is said, nothing goes out that is not written down, nobody is doubled or lost';
  const { found } = await search({ name, properties: { [title]: whateverFails }, runsPerRound: 100 }, effort);
  const tried = [count(failures, 'failures'), count(shortReads, 'short reads'), count(calls, 'calls')].join(', ');
  const result = found.length === 0 ? 'all said, 0 doubles, 0 lost' : `${found.length} found`;
  effort.report(`${name}: ${tried} in ${count(deliveries, 'deliveries')}, ${result}`);
  return found;
}

/** One delivery over a disk from its start to its end; resolves to how many calls went out. */
async function deliver(plan: Plan, disk: FailingDisk, folder: string, acts: Act[], restarts: boolean): Promise<number> {
  const sandbox = createFaultySandbox({ origin: 'https://chat.example', faults: faultsOf(plan) });
  const delivery = deliveryFor(plan);
  const { id, message } = delivery;
  const sent: string[] = [];
  const unwritten: unknown[] = [];
  const client = clientOf(sandbox, async (request) => {
    if (!request.url.includes('batch_send')) return;
    sent.push(await request.text());
    await assertWritten(delivery, folder, sent).catch((error) => unwritten.push(error));
  });
  const sender = senderBy(client, TOKEN, message);

  let later = 0;
  const open = () =>
    new Outbox(new DeliveryStore(durableFiles(folder, disk.files), () => Date.now() + later), undefined, hastyClock());
  let outbox = open();
  let wasForgotten = false;
  /** Whether this window has said that it could not write everything down. */
  let hasSaid = false;
  const say = (error: unknown) => {
    const isGone = wasForgotten && error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // Half of a file is a damaged one.
    const isHalf = error instanceof DamagedError && disk.shortReads > 0;
    if (!disk.isOwn(error) && !isGone && !isHalf) throw error;
    hasSaid = true;
    return undefined;
  };
  const sends = async (sending: Promise<DeliveryResult | undefined>) => {
    const ended = await sending.catch(say);
    if (ended?.stopped?.why === 'disk') say(ended.stopped.error);
    // Who has read the half of a file knows less than is written there.
    if (ended && !hasSaid && disk.shortReads === 0) await assertAgrees(ended, folder);
  };

  await sends(outbox.start(delivery, sender));
  for (const act of acts) {
    later += LATER;
    switch (act) {
      case 'resume':
        await sends(outbox.resume(id, sender));
        break;
      case 'settle':
        await outbox.check(id, listBy(client, TOKEN), new AbortController().signal).catch(say);
        break;
      case 'look':
        await outbox.interrupted().catch(say);
        break;
      case 'remove':
        wasForgotten = true;
        await outbox.remove(id).catch(say);
        break;
      case 'restart':
        outbox = open();
        hasSaid = false;
    }
  }
  disk.recover();
  sandbox.setFaults(undefined);
  later += LATER;
  await assertKept({ delivery, outbox: restarts ? open() : outbox, sandbox, wasForgotten });
  assert.deepEqual(unwritten, []);
  return sent.length;
}

/** Asserts that the last of these calls was written down before: the delivery, and an act for each call of its batch. */
async function assertWritten(delivery: Delivery, folder: string, sent: readonly string[]): Promise<void> {
  const at = join(folder, 'deliveries', delivery.id);
  const [header, ...batches] = linesOf(await readFile(join(at, 'delivery.ndjson'), 'utf8'));
  assert.deepEqual({ ...(header as object), batches }, delivery);
  const { recvType, recvIds } = JSON.parse(sent.at(-1) ?? '');
  const batch = delivery.batches.findIndex((one) => one.recvType === recvType && one.recipients[0]?.id === recvIds[0]);
  const names = (await readdir(at)).filter((name) => /^act-\d+$/.test(name));
  const read = names.map(async (name) => linesOf(await readFile(join(at, name), 'utf8')));
  const acts = (await Promise.all(read)).flat() as { batch?: number }[];
  const calls = sent.filter((call) => call === sent.at(-1));
  assert.equal(acts.filter((act) => act.batch === batch).length, calls.length, `acts on batch ${batch}`);
}

/** What stands behind the checksum of each line. */
const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line.slice(17)));

/** Asserts that what is said of a delivery is what is written down of it, and that whoever was left out has a reason. */
async function assertAgrees({ status, stopped }: DeliveryResult, folder: string): Promise<void> {
  const stored = await new DeliveryStore(durableFiles(folder)).load(status.delivery.id);
  for (const one of status.recipients()) {
    const { state }: Outcome = status.outcomeOf(one);
    assert.equal(stored?.status.outcomeOf(one).state, state, `what is written down of ${chatKey(one)}`);
    assert.ok(state !== 'notSent' || stopped, `${chatKey(one)} was not sent to, and nobody says why`);
  }
}

const name = 'disk';
export const disk: Proof = { name, run };
