/** An outbox of many deliveries, and a message for very many: nothing that is done with them holds the thread. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import '../unit/vscode.ts';
import { parseDraft } from '../../src/drafts/document/parseDraft.ts';
import { planBatches, type Recipient } from '../../src/outbox/batches.ts';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import type { JournalLine } from '../../src/outbox/record.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { chatKey } from '../../src/service/model.ts';
import { deliveryOf } from '../unit/outbox/testDeliveries.ts';
import { LONGEST, longestBlock } from './blocks.ts';
import { memoryFiles } from './memoryFiles.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

const outboxes = fc.record({
  deliveries: fc.integer({ min: 0, max: 300 }),
  each: fc.integer({ min: 1, max: 100 }),
  recipients: fc.integer({ min: 1, max: 100_000 }),
  batchSize: fc.constantFrom(50, 200, 2_000),
  outcome: fc.constantFrom('answered', 'missing', 'rejected', 'unknown', 'nothing'),
});
type Crowd = typeof outboxes extends fc.Arbitrary<infer C> ? C : never;

const people = (length: number): Recipient[] =>
  Array.from({ length }, (_, at) => ({ type: 'user', id: `${7_000_000 + at}`, name: `Somebody called ${at}` }));

/** As files of a disk are: whatever is done with one, all others have a turn before it is. */
const eachInItsTurn = (files: DurableFiles) =>
  Object.fromEntries(
    Object.entries(files).map(([name, method]) => [
      name,
      async (...given: [string, string]) => {
        await setImmediate();
        return method(...given);
      },
    ]),
  ) as unknown as DurableFiles;

/** What came back of each batch. */
function linesOf(batches: readonly { recipients: readonly Recipient[] }[], outcome: Crowd['outcome']): JournalLine[] {
  if (outcome === 'nothing') return [];
  return batches.map(({ recipients }, batch): JournalLine => {
    const one = { batch, attempt: 0, at: 1 };
    if (outcome === 'rejected' || outcome === 'unknown') return { what: 'failed', ...one, state: outcome };
    const listed = outcome === 'answered' ? recipients : recipients.slice(1);
    const reached = listed.map(({ id }) => ({ recvId: id, msgId: `m${id}` }));
    return { what: 'answered', ...one, reached, unreadable: [] };
  });
}

async function run(effort: Effort): Promise<string[]> {
  // They import what only VS Code has, or what stands in for it from here on.
  const { csvOf, headline, reportOf } = await import('../../src/outbox/report.ts');
  const { findWarnings } = await import('../../src/sending/warnings.ts');
  const { OutboxTree } = await import('../../src/outbox/outboxTree.ts');
  const measured = { steps: 0, longest: 0 };
  const within = async (what: string, act: () => Promise<unknown>) => {
    const took = await longestBlock(act);
    measured.steps++;
    measured.longest = Math.max(measured.longest, took);
    assert.ok(took <= LONGEST, `${what} held the thread for ${Math.round(took)} ms`);
  };

  const property = fc.asyncProperty(outboxes, async ({ deliveries, each, recipients, batchSize, outcome }) => {
    const memory = memoryFiles();
    const files = eachInItsTurn(memory);
    const store = new DeliveryStore(files);
    const made = new DeliveryStore(memory);
    const batches = planBatches(people(each), batchSize);
    for (let at = 0; at < deliveries; at++) {
      const id = `${String(at).padStart(15, '0')}-delivery`;
      await made.create(deliveryOf(batches, { id }));
      for (const line of linesOf(batches, outcome)) await made.append(id, line);
    }
    const all = people(recipients);
    await within('reading a draft', async () => {
      const text = `---\nchat:\n  people:\n${all.map(({ id }) => `    - ${id}`).join('\n')}\n---\nHi`;
      parseDraft(text, { keepFrontMatter: false, audience: () => undefined });
    });
    const large = deliveryOf([], { id: '900000000000000-delivery' });
    await within('planning and writing down', async () => {
      large.batches = planBatches(all, batchSize);
      await store.create(large);
    });
    for (const line of linesOf(large.batches, outcome)) await made.append(large.id, line);

    const open = () => new Outbox(new DeliveryStore(files));
    const outbox = open();
    await within('reading the outbox', () => open().entries());
    await within('reading it again', () => outbox.entries());
    const entries = await outbox.all();
    const { draft, bot } = { draft: { message: large.message }, bot: large.bot };
    const known = { earlier: entries, uncertain: all.slice(0, recipients / 2), membersOf: () => undefined };
    await within('warning', () =>
      findWarnings({ draft, digest: large.digest, bot, address: large.service, recipients: all, ...known }),
    );
    await within('finding the unreached', () => outbox.unreached(large.id));
    const tree = new OutboxTree(outbox);
    for (const node of (await tree.children()).slice(0, 2)) {
      await within('showing a delivery', async () => [tree.item(node), tree.tooltip(node)]);
      for (const child of await tree.children(node)) {
        await within('listing its recipients', async () => (await tree.children(child)).map((one) => tree.item(one)));
      }
    }
    const status = entries.find((one) => one.status.delivery.id === large.id)?.status ?? assert.fail();
    assert.equal(new Set(status.recipients().map(chatKey)).size, recipients);
    await within('reporting', async () => reportOf(status));
    await within('summing up', async () => headline(status));
    await within('copying the report', () => csvOf(status));
  });

  const title = 'however much is in the outbox, and however many get a message, all others have their turn';
  const { found, cases } = await search({ name, properties: { [title]: property }, runsPerRound: 1 }, effort);
  effort.report(
    `${name}: ${count(measured.steps, 'steps')} with ${count(cases, 'outboxes')}, the longest ${Math.round(measured.longest)} ms`,
  );
  return found;
}

const name = 'crowds';
export const crowds: Proof = { name, run };
