import assert from 'node:assert/strict';
import test from 'node:test';
import { commands, type Disposable, type TextDocument, Uri, workspace } from 'vscode';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { EditedDocuments } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { Comparison } from '../../../../src/deliveries/view/comparison.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { AT, deliveryOf, groups, planBatches } from '../outbox/testDeliveries.ts';

const FILE = Uri.file('/drafts/a b.md');

describe('Comparing a document with what was sent', () => {
  let store: DeliveryStore;
  let now: number;
  let controller: OutboxController;
  let comparison: Comparison;
  /** What was opened: both sides of a diff and its title, or one document. */
  let opened: string[][];
  let diff: Disposable;
  /** Documents that can't be opened. */
  let missing: string[];

  beforeEach(() => {
    const folder = temporaryPath('outbox');
    now = AT;
    store = new DeliveryStore(diskFiles(folder));
    const events = { changed: () => {}, editsChanged: () => {} };
    const host = newHost();
    controller = new OutboxController(host, Uri.file(folder), events, new EditedDocuments(host.workspaceMemento));
    comparison = new Comparison(controller, 'sent');
    [opened, missing] = [[], []];
    diff = commands.registerCommand('vscode.diff', async (...sides: unknown[]) => void opened.push(sides.map(String)));
    test.mock.method(workspace, 'openTextDocument', async (uri: Uri) => {
      if (missing.includes(uri.toString())) throw new Error('cannot open');
      return { uri } as TextDocument;
    });
    answer('showTextDocument', (async (uri: Uri) => void opened.push([String(uri)])) as never);
  });
  afterEach(() => {
    test.mock.restoreAll();
    diff.dispose();
    restore();
    return controller.close();
  });

  /** Stores a delivery of the document, of which nothing was sent. Returns its ID. */
  const stored = async (changes: Partial<Delivery> = {}): Promise<string> => {
    const id = newDeliveryId(now++);
    const batches = planBatches(groups('a'), 1);
    await store.create(deliveryOf(batches, { name: 'a b.md', source: FILE.toString(), ...changes, id }));
    return id;
  };
  /** Stores a delivery of the document that was sent. Returns its ID. */
  const sent = async (changes?: Partial<Delivery>): Promise<string> => {
    const id = await stored(changes);
    assert.ok(await store.claim(id, 0, { batch: 0, attempt: 0, at: AT }));
    return id;
  };
  const diffOf = (id: string) => [`sent:/a%20b.md?${id}`, `${FILE}`, `a b.md (sent ${formatDateTime(AT)}) ↔ a b.md`];

  it('opens both side by side, as of the last delivery, whatever its service', async () => {
    await sent();
    const last = await sent({ service: 'https://other.test' });
    await sent({ source: 'file:///drafts/c.md' });
    await sent({ message: { contentType: 'image', content: { imageKey: 'k' } } });
    await comparison.open(FILE);
    assert.deepEqual(opened, [diffOf(last)]);
  });

  it('opens no delivery of which nothing was sent, such as one that was canceled or is edited', async () => {
    await assert.rejects(comparison.open(FILE), { message: 'The outbox has no delivery of “a b.md”.' });
    const last = await sent();
    const due = AT + 60_000;
    for (const claim of [{ due: null }, { due: null, edited: true as const }])
      assert.ok(await store.claim(await stored({ due }), 0, claim));
    await stored();
    await comparison.open(FILE);
    assert.deepEqual(opened, [diffOf(last)]);
  });

  it('opens a test in one chat only if the document was never sent to its recipients', async () => {
    const tested = await sent({ isTest: true });
    await comparison.open(FILE);
    assert.match(opened.at(-1)?.[0] ?? '', new RegExp(tested));
    const last = await sent();
    await sent({ isTest: true });
    await comparison.open(FILE);
    assert.match(opened.at(-1)?.[0] ?? '', new RegExp(last));
  });

  it('opens those of the chosen delivery', async () => {
    const first = await sent();
    await sent();
    await comparison.open(first);
    // In the editor of what was sent, the command is for the same delivery.
    await comparison.open(Uri.parse(opened[0]?.[0] ?? ''));
    assert.deepEqual(opened, [diffOf(first), diffOf(first)]);
  });

  it('shows what was sent, even if the name of the document is no path', async () => {
    const id = await sent({ document: '---\nchat: {}\n---\nHi', name: '//a/b.md' });
    await comparison.open(id);
    assert.equal(opened[0]?.[0], `sent:/--a-b.md?${id}`);
    assert.equal(await comparison.text(id), '---\nchat: {}\n---\nHi');
    assert.equal(await comparison.text(await sent()), '---\nchat:\n  type: text\n---\n\nHello');
  });

  it('shows only what was sent if the document no longer exists, and says so', async () => {
    missing.push(FILE.toString());
    const shown = onMessages();
    const id = await sent();
    await comparison.open(id);
    assert.deepEqual(opened, [[`sent:/a%20b.md?${id}`]]);
    assert.deepEqual(shown, ["“a b.md” can't be opened, so only what was sent is shown."]);
  });

  it('says if there is nothing to compare', async () => {
    const image = await sent({ message: { contentType: 'image', content: { imageKey: 'k' } } });
    const deleted = await sent();
    await controller.outbox.remove(deleted);
    for (const [what, message] of [
      [undefined, 'Open a Markdown file first.'],
      [FILE, 'The outbox has no delivery of “a b.md”.'],
      [image, "“a b.md” wasn't sent as the text of a saved document."],
      [deleted, 'This delivery is no longer in the outbox.'],
    ] as const) {
      await assert.rejects(comparison.open(what), { message });
    }
    assert.equal(await comparison.text(deleted), 'This delivery is no longer in the outbox.');
    assert.match(await comparison.text('../secret'), /can't be read/);
    assert.deepEqual(opened, []);
  });
});
