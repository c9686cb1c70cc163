import assert from 'node:assert/strict';
import { TreeItemCollapsibleState } from 'vscode';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Kind } from '../../../src/service/model.ts';
import { factNodes } from '../../../src/sidebar/nodes.ts';
import type { RowState } from '../../../src/sidebar/rows.ts';
import { chatItem, factItem, type RowExtras, sectionItem, unreadText } from '../../../src/sidebar/treeItems.ts';
import { group } from '../presentation/resources.ts';
import { textOf } from './showTree.ts';

describe('A section', () => {
  it('shows how many rows it has, and how many of them a filter finds', () => {
    const described = (shown: number, listed: number) =>
      sectionItem({ type: 'section', kind: 'user' }, { shown, listed }).description;
    assert.equal(described(12_345, 12_345), '12,345');
    assert.equal(described(1_000, 12_345), '1,000 of 12,345');
    assert.equal(described(0, 0), undefined);
  });
});

describe('A row', () => {
  const riverside = group({ name: 'Riverside Town', headcount: 182_340 });
  const item = (state: RowState, extras: Partial<RowExtras> = {}, kind: Kind = 'group') =>
    chatItem({ type: 'chat', kind, id: 'big' }, state, {
      ...{
        label: undefined,
        watch: undefined,
        hasToken: false,
        isArchived: false,
        generation: 0,
        isOutageShown: false,
      },
      ...extras,
    });
  const missing = new ServiceError({ kind: 'notFound', what: 'group', id: 'big' });

  it('has its label, with its name beside it', () => {
    assert.deepEqual(textOf(item({ status: 'known', found: riverside }, { label: 'Neighbours' })), [
      'Neighbours',
      'Riverside Town · 182,340 members',
    ]);
    assert.deepEqual(textOf(item({ status: 'failed', error: missing }, { label: 'Gone' })), ['Gone', "doesn't exist"]);
  });

  it('shows an error before its details, and can be expanded to read it', () => {
    const error = new ServiceError({ kind: 'rejected', status: 200, code: 1002, text: '参数错误' });
    const failed = item({ status: 'failed', error, found: riverside });
    assert.deepEqual(textOf(failed), ['Riverside Town', 'error 1002 · 182,340 members']);
    for (const one of [failed, item({ status: 'failed', error })])
      assert.equal(one.collapsibleState, TreeItemCollapsibleState.Collapsed);
  });

  it('opens the history of a chat, which a bot is not', () => {
    const commandOf = (kind: Kind) => item({ status: 'waiting' }, {}, kind).command?.command;
    assert.deepEqual(['group' as const, 'user' as const, 'bot' as const].map(commandOf), [
      'botChats.openHistory',
      'botChats.openHistory',
      undefined,
    ]);
  });

  it('shows the number of new messages', () => {
    assert.equal(unreadText({ botId: '1', unread: 1_234, more: false }), '1,234 new');
    assert.equal(unreadText({ botId: '1', unread: 1_234, more: true }), '1,234+ new');
  });
});

describe('A detail', () => {
  it('is plain text that shows invisible characters, cut off between characters', () => {
    const [node] = factNodes({ type: 'chat', kind: 'group', id: 'big' }, [
      { label: 'Category', value: `a\u202Eb${'😀'.repeat(2_000)}` },
    ]);
    const { description, tooltip } = factItem(node ?? assert.fail());
    for (const [text, most] of [
      [description, 201],
      [tooltip, 2_001],
    ] as const) {
      assert(typeof text === 'string');
      assert.match(text, /^a⟨U\+202E⟩b😀+…$/u);
      assert.ok(text.length <= most);
    }
  });
});
