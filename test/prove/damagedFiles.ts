/**
 * Deliveries whose files are damaged afterwards: flipped bits, truncated files, inserted garbage. And those that another
 * version of the extension has stored, which would make other messages of them.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { LISTING_DELAY } from '../../src/deliveries/outbox/deliveryCheck.ts';
import { DeliveryMessages } from '../../src/deliveries/outbox/deliveryMessages.ts';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import { DamagedError, type Delivery, digestOf } from '../../src/deliveries/outbox/record.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import type { Outgoing } from '../../src/service/message.ts';
import { chatKey } from '../../src/service/model.ts';
import { createFaultySandbox } from '../faults/faultySandbox.ts';
import { instantClock } from '../unit/clocks.ts';
import { TOKEN } from '../unit/deliveries/outbox/testDeliveries.ts';
import { assertConsistent, clientOf, copiesIn, deliveryFor, faultsOf, personalPlans, plans } from './deliveries.ts';
import { memoryFiles } from './memoryDisk.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { senderBy } from './sending.ts';

/** Damage to a file; `file` and `at` are taken modulo the number of files and bytes. */
const damages = fc.array(
  fc.record({
    file: fc.nat(),
    at: fc.nat(),
    how: fc.oneof(
      fc.record({ flip: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ insert: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
      fc.constant('truncate' as const),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);
type Damage = typeof damages extends fc.Arbitrary<(infer D)[]> ? D : never;

/** What is different in what was stored. `batch` is taken modulo the number of batches. */
const changes = fc.record({ batch: fc.nat(), what: fc.constantFrom('values', 'template', 'swap') });
type Change = typeof changes extends fc.Arbitrary<infer C> ? C : never;

async function run(effort: Effort): Promise<string[]> {
  let [deliveries, unreadable, damaged] = [0, 0, 0];

  const damageIsDetected = fc.asyncProperty(plans, damages, async (plan, damages) => {
    const sandbox = createFaultySandbox({ origin: 'https://chat.example', faults: faultsOf(plan) });
    const folder = await mkdtemp(join(tmpdir(), 'bot-chats-damage-'));
    const open = (later = 0) =>
      new Outbox(
        new DeliveryStore(diskFiles(folder)),
        undefined,
        instantClock(() => Date.now() + later),
      );
    const delivery = await deliveryFor(plan);
    deliveries++;
    try {
      await open().start(delivery, senderBy(clientOf(sandbox), TOKEN, delivery));
      sandbox.setFaults(undefined);
      for (const damage of damages) await inflict(damage, join(folder, 'deliveries', delivery.id));
      damaged += damages.length;
      await assertConsistent({ plan, delivery, outbox: open(LISTING_DELAY), sandbox });
    } catch (error) {
      // Damage was detected: nothing more of this delivery can be sent.
      if (!(error instanceof DamagedError)) throw error;
      unreadable++;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const changesAreDetected = fc.asyncProperty(personalPlans, changes, async (plan, change) => {
    const sandbox = createFaultySandbox({ origin: 'https://chat.example' });
    const delivery = changed(await deliveryFor(plan), change);
    const { batches } = delivery;
    deliveries++;
    const digests = await Promise.all(batches.map((batch) => digestOf(new DeliveryMessages(delivery).of(batch))));
    const first = batches.findIndex(({ digest }, at) => digest !== digests[at]);
    const store = new DeliveryStore(memoryFiles());
    await store.create(delivery);
    const outbox = new Outbox(store, undefined, instantClock());
    for (let tries = 0; tries < 2; tries++) {
      const result = await outbox.resume(delivery.id, senderBy(clientOf(sandbox), TOKEN, delivery));
      assert.equal(result?.stopped?.why, first < 0 ? undefined : 'changed');
    }
    const copies = await copiesIn(sandbox, plan);
    for (const [at, { recipients }] of batches.entries()) {
      const expected = first < 0 || at < first ? 1 : 0;
      for (const one of recipients) assert.equal(copies.get(chatKey(one)), expected, `lost, or another's: ${one.id}`);
    }
  });

  const properties = {
    'damage to the outbox is detected, and every recipient gets their text once': damageIsDetected,
    "a message that can't be made as it was confirmed is not sent": changesAreDetected,
  };
  const { found } = await search({ name, properties, runsPerRound: 100 }, effort);
  const tried = `${count(damaged, 'damages')} to ${count(deliveries, 'deliveries')}`;
  const result = found.length === 0 ? '0 doubles, 0 lost, 0 wrong texts' : `${found.length} found`;
  effort.report(`${name}: ${tried}, ${unreadable.toLocaleString('en')} detected as unreadable, ${result}`);
  return found;
}

function changed(delivery: Delivery, { batch, what }: Change): Delivery {
  const { message, batches } = delivery;
  const at = batch % batches.length;
  const [one, other] = [batches[at], batches[(at + 1) % batches.length]];
  const withValues = (values: string[] | undefined) => batches.with(at, { ...(one ?? assert.fail()), values });
  switch (what) {
    case 'values':
      return { ...delivery, batches: withValues(one?.values?.map((value) => `${value}x`)) };
    case 'swap':
      return { ...delivery, batches: withValues(other?.values) };
    case 'template': {
      const text = 'text' in message.content ? `${message.content.text}!` : '';
      return { ...delivery, message: { ...message, content: { ...message.content, text } } as Outgoing };
    }
  }
}

async function inflict({ file, at, how }: Damage, folder: string): Promise<void> {
  const names = (await readdir(folder)).toSorted();
  const path = join(folder, names[file % names.length] ?? '');
  const bytes = await readFile(path);
  const index = bytes.length > 0 ? at % bytes.length : 0;
  if (how === 'truncate') await writeFile(path, bytes.subarray(0, index));
  else if ('insert' in how)
    await writeFile(path, Buffer.concat([bytes.subarray(0, index), how.insert, bytes.subarray(index)]));
  else {
    bytes[index] = (bytes[index] ?? 0) ^ how.flip;
    await writeFile(path, bytes);
  }
}

const name = 'damagedFiles';
export const damagedFiles: Proof = { name, run };
