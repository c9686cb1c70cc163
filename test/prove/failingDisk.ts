/** Deliveries over a disk that fails and recovers. */
import assert from 'node:assert/strict';
import fs, { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { DeliveryResult } from '../../src/deliveries/outbox/deliveryRunner.ts';
import type { Outcome } from '../../src/deliveries/outbox/deliveryStatus.ts';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import { DamagedError, type Delivery } from '../../src/deliveries/outbox/record.ts';
import { diskFiles, type NodeFiles } from '../../src/platform/diskFiles.ts';
import { filesInUse } from '../../src/platform/filesInUse.ts';
import { chatKey } from '../../src/service/model.ts';
import { createFaultySandbox } from '../faults/faultySandbox.ts';
import { instantClock } from '../unit/clocks.ts';
import { TOKEN } from '../unit/deliveries/outbox/testDeliveries.ts';
import { assertConsistent, clientOf, deliveryFor, faultsOf, type Plan, plans } from './deliveries.ts';
import { FailingFiles, troublesAfter } from './failingFiles.ts';
import { heldFiles, type Refusal } from './heldFiles.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { listBy, senderBy } from './sending.ts';

/** Longer than the heartbeat timeout (milliseconds). */
const RESTART_DELAY = 60_000;

/** What the user does while the disk fails. */
const actions = fc.array(fc.constantFrom('resume', 'check', 'report', 'restart', 'remove'), { maxLength: 5 });
type Action = typeof actions extends fc.Arbitrary<(infer A)[]> ? A : never;

const troubles = fc.array(troublesAfter(150), { minLength: 1, maxLength: 3 });

/** Other programs have files open for moments. */
const refusals = fc.array(
  fc.record({
    /** Index of the first operation that is refused, and how many are: all of them together fewer than it's tried. */
    from: fc.nat({ max: 150 }),
    times: fc.integer({ min: 1, max: 4 }),
    code: fc.constantFrom<Refusal['code'][]>('EACCES', 'EBUSY', 'EPERM'),
    isDone: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

async function run(effort: Effort): Promise<string[]> {
  let [failures, refused, shortReads, deliveries, calls] = [0, 0, 0, 0, 0];

  const tryOn = async (disk: Disk, plan: Plan, actions: Action[], restarts: boolean) => {
    const folder = await mkdtemp(join(tmpdir(), 'bot-chats-disk-'));
    deliveries++;
    try {
      calls += await deliver(plan, disk, folder, actions, restarts);
    } finally {
      failures += disk.failing.failures;
      shortReads += disk.failing.shortReads;
      await rm(folder, { recursive: true, force: true });
    }
  };
  const failuresAreReported = fc.asyncProperty(
    plans,
    troubles,
    actions,
    fc.boolean(),
    async (plan, troubles, ...how) => {
      const failing = new FailingFiles();
      failing.fail(troubles);
      await tryOn({ files: failing.over(fs), failing }, plan, ...how);
    },
  );
  const refusalsAreWaitedFor = fc.asyncProperty(
    plans,
    refusals,
    actions,
    fc.boolean(),
    async (plan, refusals, ...how) => {
      let operations = 0;
      const files = heldFiles(fs, () => {
        const number = operations++;
        const refusal = refusals.find(({ from, times }) => number >= from && number < from + times);
        if (refusal) refused++;
        return refusal;
      });
      await tryOn({ files, failing: new FailingFiles() }, plan, ...how);
    },
  );

  const properties = {
    'every disk failure is reported, nothing is sent before it is stored, and every recipient gets their text once':
      failuresAreReported,
    'nobody is told of a file that another program has open for a moment': refusalsAreWaitedFor,
  };
  const { found } = await search({ name, properties, runsPerRound: 100 }, effort);
  const failed = [count(failures, 'failures'), count(refused, 'refusals'), count(shortReads, 'short reads')];
  const tried = [...failed, count(calls, 'calls')].join(', ');
  const result = found.length === 0 ? 'all reported, 0 doubles, 0 lost, 0 wrong texts' : `${found.length} found`;
  effort.report(`${name}: ${tried} in ${count(deliveries, 'deliveries')}, ${result}`);
  return found;
}

/** The real file system, with some operations failing, all of which are reported, or refused for moments, which nobody is told of. */
interface Disk {
  readonly files: NodeFiles;
  readonly failing: FailingFiles;
}

/** Runs a delivery to its end. Resolves to the number of calls. */
async function deliver(
  plan: Plan,
  { files: nodeFiles, failing }: Disk,
  folder: string,
  actions: Action[],
  restarts: boolean,
): Promise<number> {
  const sandbox = createFaultySandbox({ origin: 'https://chat.example', faults: faultsOf(plan) });
  const delivery = await deliveryFor(plan);
  const { id } = delivery;
  const sent: string[] = [];
  const unstored: unknown[] = [];
  const client = clientOf(sandbox, async (request) => {
    if (!request.url.includes('batch_send')) return;
    sent.push(await request.text());
    await assertStored(delivery, folder, sent).catch((error) => unstored.push(error));
  });
  const sender = senderBy(client, TOKEN, delivery);

  let later = 0;
  const clock = instantClock(() => Date.now() + later);
  const files = diskFiles(folder, nodeFiles, filesInUse({ clock, onWindows: true }));
  const open = () => new Outbox(new DeliveryStore(files, clock), undefined, clock);
  let outbox = open();
  let wasRemoved = false;
  /** Whether this window has reported that something couldn't be stored. */
  let hasReported = false;
  const handle = (error: unknown) => {
    const isGone = wasRemoved && error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // A short read looks like damage.
    const isShortRead = error instanceof DamagedError && failing.shortReads > 0;
    if (!failing.isOwn(error) && !isGone && !isShortRead) throw error;
    hasReported = true;
    return undefined;
  };
  const send = async (sending: Promise<DeliveryResult | undefined>) => {
    const result = await sending.catch(handle);
    if (result?.stopped?.why === 'disk') handle(result.stopped.error);
    // After a short read, a window knows less than is stored.
    if (result && !hasReported && failing.shortReads === 0) await assertMatchesDisk(result, folder);
  };

  await send(outbox.start(delivery, sender));
  for (const action of actions) {
    later += RESTART_DELAY;
    switch (action) {
      case 'resume':
        await send(outbox.resume(id, sender));
        break;
      case 'check':
        await outbox.check(id, listBy(client, TOKEN), new AbortController().signal).catch(handle);
        break;
      case 'report':
        await outbox.interrupted().catch(handle);
        break;
      case 'remove':
        wasRemoved = true;
        await outbox.remove(id).catch(handle);
        break;
      case 'restart':
        outbox = open();
        hasReported = false;
    }
  }
  failing.fail([]);
  sandbox.setFaults(undefined);
  later += RESTART_DELAY;
  await assertConsistent({ plan, delivery, outbox: restarts ? open() : outbox, sandbox, wasRemoved });
  assert.deepEqual(unstored, []);
  return sent.length;
}

/** Asserts that the delivery, and a claim for each call of its last batch, were stored before the last call. */
async function assertStored(delivery: Delivery, folder: string, sent: readonly string[]): Promise<void> {
  const at = join(folder, 'deliveries', delivery.id);
  const [header, ...batches] = linesOf(await readFile(join(at, 'delivery.ndjson'), 'utf8'));
  // A line holds one batch or several.
  assert.deepEqual({ ...(header as object), batches: batches.flat() }, delivery);
  const { recvType, recvIds } = JSON.parse(sent.at(-1) ?? '');
  const batch = delivery.batches.findIndex((one) => one.recvType === recvType && one.recipients[0]?.id === recvIds[0]);
  const names = (await readdir(at)).filter((name) => /^act-\d+$/.test(name));
  const read = names.map(async (name) => linesOf(await readFile(join(at, name), 'utf8')));
  const claims = (await Promise.all(read)).flat() as { batch?: number }[];
  const calls = sent.filter((call) => call === sent.at(-1));
  assert.equal(claims.filter((claim) => claim.batch === batch).length, calls.length, `claims of batch ${batch}`);
}

/** The JSON after the checksum of each line. */
const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line.slice(17)));

/** Asserts that a status matches what is stored, and that there is a reason for every recipient not sent to. */
async function assertMatchesDisk({ status, stopped }: DeliveryResult, folder: string): Promise<void> {
  const stored = await new DeliveryStore(diskFiles(folder)).load(status.delivery.id);
  for (const one of status.recipients()) {
    const { state }: Outcome = status.outcomeOf(one);
    assert.equal(stored?.status.outcomeOf(one).state, state, `stored state of ${chatKey(one)}`);
    assert.ok(state !== 'notSent' || stopped, `${chatKey(one)} was not sent to without a reason`);
  }
}

const name = 'failingDisk';
export const failingDisk: Proof = { name, run };
