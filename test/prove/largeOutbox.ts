/** Many deliveries, and one with very many recipients: nothing done with them blocks the thread. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import '../unit/vscode.ts';
import { parseDraft } from '../../src/deliveries/draft/document/parseDraft.ts';
import { withDigests } from '../../src/deliveries/outbox/deliveryMessages.ts';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import type { Delivery, JournalLine } from '../../src/deliveries/outbox/record.ts';
import { planDelivery, type Recipient } from '../../src/deliveries/plan/deliveryPlan.ts';
import { chatKey } from '../../src/service/model.ts';
import { deliveryOf, planBatches } from '../unit/deliveries/outbox/testDeliveries.ts';
import { plannedOf } from '../unit/deliveries/send/testJourney.ts';
import { longestBlock, MAX_BLOCK } from './blocks.ts';
import { memoryFiles } from './memoryDisk.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { aroundFiles } from './steps.ts';

const outboxes = fc.record({
  deliveries: fc.integer({ min: 0, max: 300 }),
  each: fc.integer({ min: 1, max: 100 }),
  recipients: fc.integer({ min: 1, max: 100_000 }),
  batchSize: fc.constantFrom(50, 200, 2_000),
  /** Each recipient gets a message of their own. */
  isPersonal: fc.boolean(),
  outcome: fc.constantFrom('answered', 'missing', 'rejected', 'unknown', 'nothing'),
});
type OutboxCase = typeof outboxes extends fc.Arbitrary<infer C> ? C : never;

const users = (length: number): Recipient[] =>
  Array.from({ length }, (_, index) => ({
    kind: 'user',
    id: `${7_000_000 + index}`,
    name: `User number ${index}`,
  }));

const PLAIN = { message: { contentType: 'text', content: { text: 'Hello' } } } as const satisfies Partial<Delivery>;
const PERSONAL = {
  message: { contentType: 'markdown', content: { text: 'Hello {{a}} {{b}} {{c}} https://a.test/{{d}} {{e}}' } },
  variables: [...'abcde'],
} satisfies Partial<Delivery>;

/** The journal of a delivery whose batches all have the same outcome. */
function linesOf(
  batches: readonly { recipients: readonly Recipient[] }[],
  outcome: OutboxCase['outcome'],
): JournalLine[] {
  if (outcome === 'nothing') return [];
  return batches.map(({ recipients }, batch): JournalLine => {
    const attempt = { batch, attempt: 0, at: 1 };
    if (outcome === 'rejected' || outcome === 'unknown') return { what: 'failed', ...attempt, state: outcome };
    const listed = outcome === 'answered' ? recipients : recipients.slice(1);
    const reached = listed.map(({ id }) => ({ recvId: id, msgId: `m${id}` }));
    return { what: 'answered', ...attempt, reached, unreadable: [] };
  });
}

async function run(effort: Effort): Promise<string[]> {
  // These import `vscode`, which is mocked by now.
  const { csvOf, reportOf } = await import('../../src/deliveries/view/report.ts');
  const { headline } = await import('../../src/deliveries/outbox/deliveryTexts.ts');
  const { findRecipients, PORTION, rowsOf } = await import('../../src/deliveries/view/reportList.ts');
  const { findWarnings } = await import('../../src/deliveries/send/warnings.ts');
  const { OutboxTree } = await import('../../src/deliveries/view/outboxTree.ts');
  const measured = { steps: 0, longest: 0 };
  const measure = async (what: string, act: () => Promise<unknown>) => {
    const took = await longestBlock(act);
    measured.steps++;
    measured.longest = Math.max(measured.longest, took);
    assert.ok(took <= MAX_BLOCK, `${what} held the thread for ${Math.round(took)} ms`);
  };

  const property = fc.asyncProperty(outboxes, async (outboxCase) => {
    const { deliveries, each, batchSize, isPersonal, outcome } = outboxCase;
    // A call for each of them: more would take hours to send, and as long to try here.
    const recipients = isPersonal ? Math.ceil(outboxCase.recipients / 5) : outboxCase.recipients;
    const memory = memoryFiles();
    // Like on a disk, the event loop has a turn before each operation.
    const files = aroundFiles(memory, async (operation) => {
      await setImmediate();
      return operation();
    });
    const store = new DeliveryStore(files);
    const setup = new DeliveryStore(memory);
    const batches = planBatches(users(each), batchSize);
    for (let at = 0; at < deliveries; at++) {
      const id = `${String(at).padStart(15, '0')}-delivery`;
      await setup.create(deliveryOf(batches, { id }));
      for (const line of linesOf(batches, outcome)) await setup.append(id, line);
    }
    const all = users(recipients);
    await measure('reading a draft', async () => {
      const text = `---\nchat:\n  people:\n${all.map(({ id }) => `    - ${id}`).join('\n')}\n---\nHi`;
      parseDraft(text, { keepFrontMatter: false, audiences: () => [] });
    });
    const draft = isPersonal ? PERSONAL : PLAIN;
    const large = deliveryOf([], { ...draft, id: '900000000000000-delivery' });
    await measure('planning and storing', async () => {
      const { batches } = await planDelivery(
        draft,
        all,
        batchSize,
        ({ id }) =>
          () =>
            id,
      );
      large.batches = await withDigests({ ...draft, batches });
      await store.create(large);
    });
    for (const line of linesOf(large.batches, outcome)) await setup.append(large.id, line);

    const open = () => new Outbox(new DeliveryStore(files));
    const outbox = open();
    await measure('reading the outbox', () => open().entries());
    await measure('reading it again', () => outbox.entries());
    const entries = await outbox.all();
    const { bot } = large;
    const planned = plannedOf({
      draft,
      purpose: {
        type: 'resend',
        delivery: large,
        unreached: { ...(await outbox.unreached(large.id)), uncertain: all.slice(0, recipients / 2) },
      },
      bot,
      digest: large.digest,
      recipients: all,
      plan: { batches: large.batches },
      earlier: entries,
    });
    await measure('finding warnings', () => findWarnings(planned, { isOf: () => false }));
    await measure('finding the unreached', () => outbox.unreached(large.id));
    const notConnected = async () => {
      throw new Error('not connected');
    };
    const tree = new OutboxTree(outbox, { state: async () => 'none', open: notConnected });
    for (const node of (await tree.getChildren()).slice(0, 2)) {
      await measure('showing a delivery', async () => [
        tree.getTreeItem(node),
        tree.resolveTreeItem(tree.getTreeItem(node), node),
      ]);
      for (const child of await tree.getChildren(node)) {
        await measure('listing its recipients', async () =>
          (await tree.getChildren(child)).map((one) => tree.getTreeItem(one)),
        );
      }
    }
    const entry = entries.find((one) => one.status.delivery.id === large.id) ?? assert.fail();
    const { status } = entry;
    assert.equal(new Set(status.recipients().map(chatKey)).size, recipients);
    await measure('creating the report', () => reportOf(entry));
    await measure('listing the report', async () => {
      const found = await findRecipients(status, { results: [], text: '7' }, undefined, () => true);
      await rowsOf(found?.slice(0, PORTION) ?? [], status);
    });
    await measure('creating the headline', async () => headline(status));
    await measure('creating the CSV report', () => csvOf(status));
  });

  const title = 'nothing blocks the thread, however large the outbox and however many recipients';
  const { found, cases } = await search({ name, properties: { [title]: property }, runsPerRound: 1 }, effort);
  effort.report(
    `${name}: ${count(measured.steps, 'steps')} in ${count(cases, 'outboxes')}, longest ${Math.round(measured.longest)} ms`,
  );
  return found;
}

const name = 'largeOutbox';
export const largeOutbox: Proof = { name, run };
