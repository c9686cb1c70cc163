/** Deliveries whose files are damaged afterwards: flipped bits, truncated files, inserted garbage. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import { DamagedError } from '../../src/outbox/recordFiles.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import { createFaultySandbox } from '../../src/sandbox/faulty.ts';
import { TOKEN } from '../unit/outbox/testDeliveries.ts';
import { assertConsistent, clientOf, deliveryFor, faultsOf, plans } from './deliveries.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { instantClock, senderBy } from './sender.ts';

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

async function run(effort: Effort): Promise<string[]> {
  let [deliveries, unreadable, damaged] = [0, 0, 0];

  const damageIsDetected = fc.asyncProperty(plans, damages, async (plan, damages) => {
    const sandbox = createFaultySandbox({ origin: 'https://chat.example', faults: faultsOf(plan) });
    const folder = await mkdtemp(join(tmpdir(), 'bot-chats-damage-'));
    const open = () => new Outbox(new DeliveryStore(diskFiles(folder)), undefined, instantClock());
    const delivery = deliveryFor(plan);
    deliveries++;
    try {
      await open().start(delivery, senderBy(clientOf(sandbox), TOKEN, delivery.message));
      sandbox.setFaults(undefined);
      for (const damage of damages) await inflict(damage, join(folder, 'deliveries', delivery.id));
      damaged += damages.length;
      await assertConsistent({ delivery, outbox: open(), sandbox });
    } catch (error) {
      // Damage was detected: nothing more of this delivery can be sent.
      if (!(error instanceof DamagedError)) throw error;
      unreadable++;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const title = 'damage to the outbox is detected, and no recipient is doubled or lost';
  const { found } = await search({ name, properties: { [title]: damageIsDetected }, runsPerRound: 100 }, effort);
  const tried = `${count(damaged, 'damages')} to ${count(deliveries, 'deliveries')}`;
  const result = found.length === 0 ? '0 doubles, 0 lost' : `${found.length} found`;
  effort.report(`${name}: ${tried}, ${unreadable.toLocaleString('en')} detected as unreadable, ${result}`);
  return found;
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

const name = 'damage';
export const damage: Proof = { name, run };
