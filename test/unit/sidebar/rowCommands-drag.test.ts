import assert from 'node:assert/strict';
import { CancellationTokenSource, DataTransfer, DataTransferItem } from 'vscode';
import { type ChatNode, factNodes } from '../../../src/sidebar/nodes.ts';
import { createDragAndDrop } from '../../../src/sidebar/rowCommands.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';

const TREE = 'application/vnd.code.tree.botchats.chats';

describe('Dragging', () => {
  const group: ChatRow = { type: 'chat', kind: 'group', id: '518204736' };
  const person: ChatRow = { type: 'chat', kind: 'user', id: '7058314' };
  const [name, reference] = factNodes(group, [
    { label: 'Name', value: 'Fern & Kettle' },
    { label: 'Bot', value: 'Order Desk (30481126)', reference: { kind: 'bot', id: '30481126' } },
  ]);
  const { token } = new CancellationTokenSource();
  let dropped: unknown[];
  const dragAndDrop = createDragAndDrop({
    drop: async (rows, target) => void dropped.push(['rows', rows, target]),
    dropDocuments: async (documents, target) => void dropped.push(['documents', documents.map(String), target]),
  });

  beforeEach(() => {
    dropped = [];
  });

  const drag = async (...nodes: (ChatNode | undefined)[]) => {
    const transfer = new DataTransfer();
    const dragged = nodes.map((node) => node ?? assert.fail());
    await dragAndDrop.handleDrag?.(dragged, transfer, token);
    return transfer;
  };
  const files = (list: string) => {
    const transfer = new DataTransfer();
    transfer.set('text/uri-list', new DataTransferItem(list));
    return transfer;
  };

  it('into an editor inserts the IDs of rows and references and the values of other facts, one per line', async () => {
    const transfer = await drag(group, person, reference, name);
    assert.equal(await transfer.get('text/plain')?.asString(), '518204736\n7058314\n30481126\nFern & Kettle');
    assert.equal(transfer.get('text/uri-list'), undefined);
  });

  it('moves rows to the drop target', async () => {
    await dragAndDrop.handleDrop?.(person, await drag(group, person), token);
    assert.deepEqual(dropped, [['rows', [group, person], person]]);
  });

  it("doesn't move facts", async () => {
    const transfer = await drag(name);
    assert.deepEqual(transfer.get(TREE)?.value, []);
  });

  it('passes documents to the row that they are dropped on', async () => {
    const list = '# from elsewhere\r\nfile:///w/a%20b.md\r\n\r\nuntitled:Untitled-1\n';
    await dragAndDrop.handleDrop?.(group, files(list), token);
    assert.deepEqual(dropped, [['documents', ['file:///w/a%20b.md', 'untitled:Untitled-1'], group]]);
  });

  it('does nothing outside of the rows, or with what is neither a row nor a document', async () => {
    await dragAndDrop.handleDrop?.(group, new DataTransfer(), token);
    await dragAndDrop.handleDrop?.(undefined, await drag(group), token);
    await dragAndDrop.handleDrop?.(undefined, files('file:///w/a.md'), token);
    assert.deepEqual(dropped, []);
  });
});
