import assert from 'node:assert/strict';
import { listed, NO_RULES } from '../../../../../src/deliveries/draft/leaveOut.ts';
import { knowsValues, RecipientList, unpickedText } from '../../../../../src/deliveries/draft/preview/draftView.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import type { Service } from '../../../../../src/platform/service.ts';
import type { Chat, Kind } from '../../../../../src/service/model.ts';
import { read, withBlock } from '../document/read.ts';

describe('The preview of a draft', () => {
  it('knows the values of its recipients unless their file can’t be used', async () => {
    const parsed = read(withBlock('recipients: a.csv'));
    const isReadable = async (text: string) => {
      const table = await parseRecipientTable(text, 'user');
      return knowsValues({ parsed, table });
    };
    assert.deepEqual(await Promise.all(['id\n7', 'id\n7\na b', 'id', 'name\nAnn', ''].map(isReadable)), [
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.equal(knowsValues({ parsed, table: undefined }), false);
    assert.equal(knowsValues({ parsed: read('Hi'), table: undefined }), true);
    assert.equal(knowsValues({ parsed: read(withBlock('csv: a.csv')), table: undefined }), false);
  });

  it('names a row that where: doesn’t pick as in the file, or else as in the directory, or else by its ID', async () => {
    const { rows: unmatched, ...table } = await parseRecipientTable('id,name\n7,Ann\n8,\u200B\n9,', 'user');
    const names: Record<string, string> = { 7: 'Annika', 8: 'Ben' };
    const peek = (_: Kind, id: string) => names[id] && { kind: 'user', resource: { nickname: names[id] } };
    const service = { directory: { peek, labelOf: () => undefined } } as unknown as Service;
    assert.equal(
      unpickedText(
        { table: { ...table, rows: new Map(), unmatched }, rules: NO_RULES.with('where', listed(unmatched)) },
        3,
        service,
      ),
      'Left out by where (3): Ann, Ben, 9',
    );
  });
});

describe('The recipients in a preview', () => {
  it('are the same list as long as nothing about it changes', async () => {
    let named: Chat[] = [{ kind: 'user', id: '7' }];
    const chatsOf = (_: unknown, table?: object) => [...named, ...(table ? [{ kind: 'user', id: '8' } as const] : [])];
    const list = new RecipientList({ chatsOf });
    const draft = read('Hi');
    const table = await parseRecipientTable('id\n8', 'user');
    const first = list.of(draft, table);
    assert.deepEqual(
      first.map(({ id }) => id),
      ['7', '8'],
    );
    assert.equal(list.of(draft, table), first);
    const changed = list.of(draft, await parseRecipientTable('id\n8', 'user'));
    assert.notEqual(changed, first);
    for (const chats of [
      [{ kind: 'user', id: '7' }],
      [{ kind: 'group', id: '7' }],
      [{ kind: 'group', id: '9' }],
      [{ kind: 'group', id: '9' }, ...named],
      [{ kind: 'group', id: '9' }],
    ] as const) {
      named = [...chats];
      assert.deepEqual(list.of(draft, undefined), chats);
    }
  });
});
