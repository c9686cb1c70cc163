import assert from 'node:assert/strict';
import { EventEmitter, type Tab, TabInputText, Uri, type window, workspace } from 'vscode';
import { EditedDocuments, mayBeEdited } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, restore } from '../../answers.ts';
import { memento } from '../../memory.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { deliveryOf, idOf } from './testDeliveries.ts';

describe('The documents without a file in which messages are edited', () => {
  const [one, two] = [idOf('one'), idOf('two')];
  const [first, second] = [Uri.parse('untitled:Untitled-1'), Uri.parse('untitled:Untitled-2')];
  let stored: ReturnType<typeof memento>;
  let changed: EventEmitter<{ closed: Tab[] }>;

  const tabOf = (uri: Uri) => ({ input: new TabInputText(uri) }) as Tab;
  /** What VS Code shows. */
  const showTabs = (...uris: Uri[]) =>
    answer('tabGroups', {
      all: [{ tabs: uris.map(tabOf) }],
      onDidChangeTabs: changed.event,
    } as unknown as typeof window.tabGroups);
  const addresses = (documents: EditedDocuments) => [one, two].map((id) => documents.get(id));

  beforeEach(() => {
    stored = memento();
    changed = new EventEmitter();
    showTabs(first, second);
  });
  afterEach(restore);

  it('are known after the window was reloaded, if they are still open', () => {
    const before = new EditedDocuments(stored);
    before.set(one, first);
    before.set(two, second);
    assert.deepEqual(addresses(before), [`${first}`, `${second}`]);
    before.dispose();
    showTabs(second);
    assert.deepEqual(addresses(new EditedDocuments(stored)), [undefined, `${second}`]);
    showTabs(first, second);
    assert.deepEqual(addresses(new EditedDocuments(stored)), [undefined, `${second}`]);
  });

  it('are forgotten once they are closed: a later one may get the same address', () => {
    const documents = new EditedDocuments(stored);
    documents.set(one, first);
    // Moved to another group.
    changed.fire({ closed: [tabOf(first)] });
    assert.deepEqual(addresses(documents), [`${first}`, undefined]);
    showTabs(second);
    changed.fire({ closed: [tabOf(first)] });
    documents.set(two, second);
    assert.deepEqual(addresses(documents), [undefined, `${second}`]);
    assert.deepEqual(addresses(new EditedDocuments(stored)), [undefined, `${second}`]);
  });

  it('are followed from the start of a window only if there are any', async () => {
    assert.equal(mayBeEdited(stored), false);
    const documents = new EditedDocuments(stored);
    documents.set(one, first);
    assert.equal(mayBeEdited(stored), true);
    showTabs();
    changed.fire({ closed: [tabOf(first)] });
    assert.equal(mayBeEdited(stored), false);
    await stored.update('editedDeliveries', { [one]: 'file:///a.md' });
    assert.equal(mayBeEdited(stored), false);
  });

  it('have no file, which would be known by its address', () => {
    const documents = new EditedDocuments(stored);
    documents.set(one, Uri.file('/a.md'));
    assert.equal(documents.get(one), undefined);
  });

  it('are found in the files that they are saved as, also after those were closed', async () => {
    const documents = new EditedDocuments(stored);
    let changes = 0;
    documents.onDidChange(() => changes++);
    const text = 'Closed on Saturday';
    const [untitled, other] = [
      await workspace.openTextDocument({ content: text }),
      await workspace.openTextDocument({ content: 'Another' }),
    ];
    const uri = Uri.joinPath(Uri.file(temporaryPath('saved')), 'note.txt');
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    documents.set(one, untitled.uri);
    documents.set(two, other.uri);
    showTabs(untitled.uri, other.uri);
    const file = await workspace.openTextDocument(uri);
    await file.save();
    assert.equal(documents.get(one), `${untitled.uri}`);
    showTabs(uri);
    changed.fire({ closed: [tabOf(untitled.uri)] });
    changed.fire({ closed: [tabOf(other.uri)] });
    assert.deepEqual([...addresses(documents), changes], [`${uri}`, undefined, 2]);
    assert.ok(documents.isOf(deliveryOf([], { id: one }), { source: `${uri}`, uri: `${uri}` }));
    showTabs();
    changed.fire({ closed: [tabOf(uri)] });
    assert.deepEqual(addresses(new EditedDocuments(stored)), [`${uri}`, undefined]);
    closeDocuments();
  });

  it('are found in no file that is empty', async () => {
    const documents = new EditedDocuments(stored);
    const edited = await workspace.openTextDocument({ content: '' });
    const uri = Uri.joinPath(Uri.file(temporaryPath('saved')), 'note.txt');
    await workspace.fs.writeFile(uri, new Uint8Array());
    documents.set(one, edited.uri);
    showTabs(edited.uri);
    await (await workspace.openTextDocument(uri)).save();
    showTabs();
    changed.fire({ closed: [tabOf(edited.uri)] });
    assert.equal(documents.get(one), undefined);
    closeDocuments();
  });

  it('belong to a delivery, as the document that it was made of does', () => {
    const documents = new EditedDocuments(stored);
    documents.set(one, first);
    const [source, uri] = ['file:///a.md', `${first}`];
    const made = deliveryOf([], { id: one, source });
    const image = deliveryOf([], { id: two, source, message: { contentType: 'image', content: { imageKey: 'k' } } });
    assert.deepEqual(documents.addressesOf(made), [source, uri]);
    assert.deepEqual(documents.addressesOf(image), []);
    const isOf = (address: Parameters<typeof documents.isOf>[1]) => documents.isOf(made, address);
    assert.deepEqual([isOf({ source }), isOf({ uri }), isOf({ source, uri: `${second}` })], [true, true, true]);
    assert.deepEqual(
      [isOf({}), isOf({ uri: `${second}` }), isOf({ source: 'file:///b.md', uri })],
      [false, false, false],
    );
  });

  it('stay known once nothing listens any more, and say so only if one is forgotten', () => {
    const documents = new EditedDocuments(stored);
    let changes = 0;
    documents.onDidChange(() => changes++);
    documents.set(one, first);
    showTabs();
    changed.fire({ closed: [tabOf(second), { input: undefined } as Tab] });
    assert.deepEqual([documents.get(one), changes], [`${first}`, 0]);
    documents.dispose();
    changed.fire({ closed: [tabOf(first)] });
    assert.deepEqual([documents.get(one), changes], [`${first}`, 0]);
  });

  it('are none if what is stored makes no sense', async () => {
    for (const odd of ['text', 7, { [one]: 7 }, [null]]) {
      await stored.update('editedDeliveries', odd);
      assert.deepEqual(addresses(new EditedDocuments(stored)), [undefined, undefined]);
    }
  });
});
