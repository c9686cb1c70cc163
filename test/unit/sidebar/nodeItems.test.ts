import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  Disposable,
  type FileDecoration,
  type FileDecorationProvider,
  ThemeIcon,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Kind } from '../../../src/service/model.ts';
import {
  chatItem,
  factItem,
  type RowExtras,
  sectionItem,
  type TooltipExtras,
  tooltipOf,
  unreadText,
} from '../../../src/sidebar/nodeItems.ts';
import { factNodes } from '../../../src/sidebar/nodes.ts';
import type { RowState } from '../../../src/sidebar/rows.ts';
import { onDidShowRows } from '../../../src/sidebar/visibleRows.ts';
import { answer, restore } from '../answers.ts';
import { bot, group } from '../presentation/resources.ts';
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
        match: undefined,
        hasToken: false,
        isArchived: false,
        generation: 0,
        isOutageShown: false,
      },
      ...extras,
    });
  const watched = (unread: number, more = false) => ({ botId: '1', unread, more });
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
  const missing = new ServiceError({ kind: 'notFound', what: 'group', id: 'big' });

  it('has its label, with its name beside it', () => {
    assert.deepEqual(textOf(item({ status: 'known', found: riverside }, { label: shownText`Neighbours` })), [
      'Neighbours',
      'Riverside Town · 182,340 members',
    ]);
    assert.deepEqual(textOf(item({ status: 'failed', error: missing }, { label: shownText`Gone` })), [
      'Gone',
      "doesn't exist",
    ]);
  });

  it('says in its tooltip why nothing is sent there', async () => {
    const extras = { never: 'asked to stop', watch: undefined, hasToken: false } as TooltipExtras;
    assert.equal(await tooltipOf({ status: 'waiting' }, extras), 'On your Do Not Send list: asked to stop');
  });

  it('says of a chat on the Do Not Send list first that nothing is sent there', () => {
    const shown = item({ status: 'known', found: riverside }, { never: 'asked to stop' });
    assert.deepEqual(textOf(shown), ['Riverside Town', 'do not send · 182,340 members']);
    assert.equal(shown.iconPath instanceof ThemeIcon && shown.iconPath.id, 'mute');
    assert.match(shown.accessibilityInformation?.label ?? '', /do not send/);
  });

  it('says of a bot first that it can read and send', () => {
    const extras = { label: shownText`Desk`, hasToken: true };
    assert.deepEqual(
      textOf(item({ status: 'known', found: bot({ nickname: 'Order Desk', headcount: 356 }) }, extras, 'bot')),
      ['Desk', 'token saved · Order Desk · 356 users'],
    );
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

  it('is marked by an icon while it is watched, before and after new messages', () => {
    const icon = (watch?: RowExtras['watch']) => item({ status: 'known', found: riverside }, { watch }).iconPath;
    const [eye, lit, plain] = [icon(watched(0)), icon(watched(1)), icon()] as ThemeIcon[];
    assert.deepEqual([eye?.id, lit?.id, plain?.id], ['eye', 'eye', 'organization']);
    assert.notEqual(lit?.color, undefined);
  });

  it('has a bell if a new message needs the user, and says why', () => {
    const match = { isReply: true, words: ['deploy', '"release notes"'] };
    const row = item({ status: 'known', found: riverside }, { watch: watched(2), match });
    assert.equal((row.iconPath as ThemeIcon).id, 'bell-dot');
    assert.equal(
      row.accessibilityInformation?.label,
      'Riverside Town, group, 2 new · reply to the bot, “deploy”, “release notes” · 182,340 members',
    );
  });

  it('counts new messages at its right end, where a narrow sidebar shows them', () => {
    const decorated = (watch: RowExtras['watch']) => {
      const row = item({ status: 'known', found: riverside }, { watch });
      assert.deepEqual(textOf(row), ['Riverside Town', '182,340 members']);
      const { badge, tooltip } = row.resourceUri ? (decorationOf(row.resourceUri) ?? {}) : {};
      return [badge, tooltip];
    };
    assert.deepEqual(decorated(watched(1)), ['1', '1 new message']);
    assert.deepEqual(decorated(watched(4, true)), ['4+', '4+ new messages']);
    assert.deepEqual(decorated(watched(42)), ['42', '42 new messages']);
    assert.deepEqual(decorated(watched(50, true)), ['9+', '50+ new messages']);
    assert.deepEqual(decorated(watched(1_234)), ['9+', '1,234 new messages']);
    assert.deepEqual(decorated(watched(0)), [undefined, undefined]);
    assert.equal(unreadText(watched(1_234, true)), '1,234+ new');
  });

  it('says to screen readers what its icon and its badge show', () => {
    const spoken = (watch: RowExtras['watch']) =>
      item({ status: 'known', found: riverside }, { watch }).accessibilityInformation?.label;
    assert.equal(spoken(watched(3)), 'Riverside Town, group, 3 new · 182,340 members');
    assert.equal(spoken(watched(0)), 'Riverside Town, group, watching · 182,340 members');
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
