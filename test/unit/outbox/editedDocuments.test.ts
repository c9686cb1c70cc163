import assert from 'node:assert/strict';
import { EventEmitter, type Tab, TabInputText, Uri, type window } from 'vscode';
import { EditedDocuments } from '../../../src/outbox/editedDocuments.ts';
import { answer, restore } from '../answers.ts';
import { memento } from '../memory.ts';
import { idOf } from './testDeliveries.ts';

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

  it('have no file, which would be known by its address', () => {
    const documents = new EditedDocuments(stored);
    documents.set(one, Uri.file('/a.md'));
    assert.equal(documents.get(one), undefined);
  });

  it('are none if what is stored makes no sense', async () => {
    for (const odd of ['text', 7, { [one]: 7 }, [null]]) {
      await stored.update('editedDeliveries', odd);
      assert.deepEqual(addresses(new EditedDocuments(stored)), [undefined, undefined]);
    }
  });
});
