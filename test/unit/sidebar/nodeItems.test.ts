import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  Disposable,
  type FileDecoration,
  type FileDecorationProvider,
  type ThemeIcon,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import type { Fact } from '../../../src/presentation/factParts.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Kind } from '../../../src/service/model.ts';
import {
  factItem,
  type RowExtras,
  sectionItem,
  type TooltipExtras,
  tooltipOf,
} from '../../../src/sidebar/nodeItems.ts';
import { factNodes } from '../../../src/sidebar/nodes.ts';
import type { RowState } from '../../../src/sidebar/rows.ts';
import { onDidShowRows } from '../../../src/sidebar/visibleRows.ts';
import { answer, restore } from '../answers.ts';
import { bot, group, user } from '../presentation/resources.ts';
import { chatRow, watched } from './rowItems.ts';

describe('A section', () => {
  it('shows how many rows it has, and how many of them a filter finds', () => {
    for (const [shown, listed, description, id] of [
      [12_345, 12_345, '12,345', 'user'],
      [1_000, 12_345, '1,000 of 12,345', 'user filtered'],
      [0, 0, undefined, 'user'],
    ] as const) {
      const item = sectionItem({ type: 'section', kind: 'user' }, { shown, listed });
      assert.deepEqual([item.description, item.id], [description, id]);
    }
  });
});

describe('A row', () => {
  const riverside = group({ name: 'Riverside Town', headcount: 182_340 });
  const known: RowState = { status: 'known', found: riverside };
  const missing = new ServiceError({ kind: 'notFound', what: 'group', id: 'big' });
  const rejected = new ServiceError({ kind: 'rejected', status: 200, code: 1002, text: '参数错误' });
  const outage = new ServiceError({ kind: 'timedOut', after: 1 });
  /** How VS Code decorates rows with an address. */
  const decorationOf = (uri: Uri) => {
    let provider: FileDecorationProvider | undefined;
    answer('registerFileDecorationProvider', (given) => {
      provider = given;
      return new Disposable(() => {});
    });
    onDidShowRows(() => {});
    restore();
    return provider?.provideFileDecoration(uri, new CancellationTokenSource().token) as FileDecoration | undefined;
  };

  it('shows what is known of it: its label and its name, what goes wrong, and what is done there', () => {
    const desk = bot({ nickname: 'Order Desk', headcount: 356 });
    const refusal = { status: 200, text: '' };
    const label = shownText`Neighbours`;
    const rows: [string, RowState, Partial<RowExtras>?, Kind?][] = [
      ['big', { status: 'waiting' }],
      ['Neighbours', { status: 'waiting' }, { label }],
      ['big | Looking up…', { status: 'loading' }],
      ['Riverside Town | 182,340 members', { status: 'loading', found: riverside }],
      ['Riverside Town | 182,340 members', known],
      ['Neighbours | Riverside Town · 182,340 members', known, { label }],
      ["Neighbours | doesn't exist", { status: 'failed', error: missing }, { label }],
      ['Riverside Town | error 1002 · 182,340 members', { status: 'failed', error: rejected, found: riverside }],
      [
        "Riverside Town | can't watch: error 1002 · 182,340 members",
        known,
        { watch: { ...watched(0), error: rejected } },
      ],
      ['big | no response', { status: 'failed', error: outage }],
      ['big', { status: 'failed', error: outage }, { isOutageShown: true }],
      ["big | doesn't exist", { status: 'failed', error: missing }, { isOutageShown: true }],
      ['Riverside Town | do not send · 182,340 members', known, { never: 'asked to stop' }],
      ['Riverside Town | 182,340 members', known, { watch: watched(3) }],
      ['Order Desk | 356 users', { status: 'known', found: desk }, {}, 'bot'],
      ['Order Desk | token saved · 356 users', { status: 'known', found: desk }, { hasToken: true }, 'bot'],
      ['Order Desk | token refused · 356 users', { status: 'known', found: desk }, { hasToken: true, refusal }, 'bot'],
    ];
    for (const [text, state, extras, kind = 'group'] of rows) assert.equal(chatRow(kind, state, extras).text, text);
  });

  it('has an icon for what matters most', () => {
    const match = { isReply: true, words: [] };
    const locked: RowState = { status: 'known', found: bot({ private: 1 }) };
    const vip: RowState = { status: 'known', found: user({ isVip: 1 }) };
    const refusal = { status: 200, text: '' };
    const rows: [string, RowState, Partial<RowExtras>?, Kind?][] = [
      ['organization', { status: 'waiting' }],
      ['loading~spin', { status: 'loading' }],
      ['organization', { status: 'loading', found: riverside }],
      ['warning', { status: 'failed', error: missing }, { watch: watched(1), match }],
      ['warning', known, { watch: { ...watched(0), error: rejected } }],
      ['eye', known, { watch: watched(0) }],
      ['eye', known, { watch: watched(1), never: '' }],
      ['bell-dot', known, { watch: watched(1), match }],
      ['mute', known, { never: '' }],
      ['lock', locked, {}, 'bot'],
      ['warning', locked, { hasToken: true, refusal }, 'bot'],
      ['verified', vip, {}, 'user'],
    ];
    for (const [icon, state, extras, kind = 'group'] of rows) assert.equal(chatRow(kind, state, extras).icon, icon);
    const colorOf = (unread: number) =>
      (chatRow('group', known, { watch: watched(unread) }).item.iconPath as ThemeIcon).color;
    assert.notEqual(colorOf(1), undefined);
    assert.equal(colorOf(0), undefined);
  });

  it('says to screen readers what its icon and its badge show, and why it failed', () => {
    const match = { isReply: true, words: ['deploy', '"release notes"'] };
    const rows: [string, RowState, Partial<RowExtras>?][] = [
      ['Riverside Town, group, 3 new · 182,340 members', known, { watch: watched(3) }],
      ['Riverside Town, group, 1,234+ new · 182,340 members', known, { watch: watched(1_234, true) }],
      ['Riverside Town, group, watching · 182,340 members', known, { watch: watched(0) }],
      ['Riverside Town, group, do not send · 182,340 members', known, { never: '' }],
      [
        'Riverside Town, group, 2 new · reply to the bot, “deploy”, “release notes” · 182,340 members',
        known,
        { watch: watched(2), match },
      ],
      [
        "Riverside Town, group, Group big doesn't exist. · do not send",
        { status: 'failed', error: missing },
        { never: '', label: shownText`Riverside Town` },
      ],
    ];
    for (const [spoken, state, extras] of rows) assert.equal(chatRow('group', state, extras).spoken, spoken);
  });

  it('counts new messages at its right end, where a narrow sidebar shows them', () => {
    for (const [watch, badge, tooltip] of [
      [watched(1), '1', '1 new message'],
      [watched(4, true), '4+', '4+ new messages'],
      [watched(42), '42', '42 new messages'],
      [watched(50, true), '9+', '50+ new messages'],
      [watched(1_234), '9+', '1,234 new messages'],
    ] as const) {
      const { item } = chatRow('group', known, { watch });
      assert.deepEqual(decorationOf(item.resourceUri ?? assert.fail()), { badge, tooltip });
    }
    assert.equal(chatRow('group', known, { watch: watched(0) }).item.resourceUri, undefined);
    const waiting = chatRow('group', { status: 'waiting' }).item.resourceUri ?? assert.fail();
    assert.equal(decorationOf(waiting), undefined);
    assert.equal(decorationOf(waiting.with({ scheme: 'other' })), undefined);
  });

  it('says in its tooltip what is watched there, what its token is good for, and why nothing is sent there', async () => {
    const directory = { labelOf: () => undefined, peek: () => undefined } as unknown as TooltipExtras['directory'];
    const match = { isReply: true, words: [] };
    const refusal = { status: 401, text: 'Unauthorized' };
    const rows: [string, RowState, Partial<TooltipExtras>][] = [
      ['', { status: 'waiting' }, {}],
      ['Watching as 1', { status: 'waiting' }, { watch: { ...watched(0), botId: '1' } }],
      ['Watching as 1 · 3 new', { status: 'waiting' }, { watch: { ...watched(3), botId: '1' } }],
      [
        'Watching as 1 · 3 new (reply to the bot)',
        { status: 'waiting' },
        { watch: { ...watched(3), botId: '1' }, match },
      ],
      ["Group big doesn't exist.", { status: 'failed', error: missing }, {}],
      ['Token saved. This bot can read and send messages.', { status: 'waiting' }, { hasToken: true }],
      ['On your Do Not Send list: asked to stop', { status: 'waiting' }, { never: 'asked to stop' }],
      [
        'The token was refused. The service returned HTTP status 401: “Unauthorized”.',
        { status: 'waiting' },
        { hasToken: true, refusal },
      ],
    ];
    for (const [text, state, extras] of rows)
      assert.equal(await tooltipOf(state, { directory, ...extras } as TooltipExtras), text);
    const failing = { directory, watch: { ...watched(0), botId: '1', error: missing } } as TooltipExtras;
    assert.equal(await tooltipOf({ status: 'waiting' }, failing), "Watching as 1\nGroup big doesn't exist.");
  });

  it('can be expanded if there is something to read below it', () => {
    for (const [isExpandable, state, watch] of [
      [false, { status: 'waiting' }, undefined],
      [true, known, undefined],
      [true, { status: 'failed', error: rejected }, undefined],
      [true, { status: 'waiting' }, { ...watched(0), error: rejected }],
    ] as const) {
      const { Collapsed, None } = TreeItemCollapsibleState;
      assert.equal(chatRow('group', state, { watch }).item.collapsibleState, isExpandable ? Collapsed : None);
    }
  });

  it('opens the history of a chat, which a bot is not', () => {
    for (const kind of ['group', 'user'] as const) {
      const { node, item } = chatRow(kind, { status: 'waiting' });
      assert.deepEqual([item.command?.command, item.command?.arguments], ['botChats.openHistory', [node]]);
    }
    assert.equal(chatRow('bot', { status: 'waiting' }).item.command, undefined);
  });
});

describe('A detail', () => {
  const itemOf = (fact: Fact, ...more: [name?: string, isListed?: boolean]) => {
    const [node] = factNodes({ type: 'chat', kind: 'group', id: 'big' }, [fact]);
    return factItem(node ?? assert.fail(), ...more);
  };

  it('shows its first line, and all of them in its tooltip', () => {
    for (const [value, description] of [
      ['Tea', 'Tea'],
      ['Tea \nand plants.', 'Tea …'],
    ] as const) {
      const item = itemOf({ label: 'Introduction', value });
      assert.equal(item.description, description);
      assert.equal(item.tooltip, value);
      assert.equal(item.contextValue, 'fact');
      assert.equal(item.collapsibleState, TreeItemCollapsibleState.None);
    }
  });

  it('names what it refers to, which can be expanded', () => {
    const fact: Fact = { label: 'Bot', value: '3048', reference: { kind: 'bot', id: '3048' } };
    const item = itemOf(fact, 'Order Desk', true);
    assert.equal(item.description, 'Order Desk (3048)');
    assert.equal(item.accessibilityInformation?.label, 'Bot: Order Desk (3048)');
    assert.equal(item.contextValue, 'fact reference bot listed');
    assert.equal(item.collapsibleState, TreeItemCollapsibleState.Collapsed);
    assert.equal(itemOf(fact).contextValue, 'fact reference bot');
    assert.equal(itemOf({ ...fact, value: 'Order Desk (3048)' }, 'My desk').description, 'Order Desk (3048)');
  });

  it('without a value is a heading of others', () => {
    const item = itemOf({ label: 'Technical details', value: '', children: [] });
    assert.equal(item.accessibilityInformation?.label, 'Technical details');
    assert.equal(item.contextValue, '');
    assert.equal(item.collapsibleState, TreeItemCollapsibleState.Collapsed);
  });

  it('is plain text that shows invisible characters, cut off between characters', () => {
    const { description, tooltip } = itemOf({ label: 'Category', value: `a\u202Eb${'😀'.repeat(2_000)}` });
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
