import assert from 'node:assert/strict';
import * as v from 'valibot';
import manifest from '../../../package.json' with { type: 'json' };
import english from '../../../package.nls.json' with { type: 'json' };
import chinese from '../../../package.nls.zh-cn.json' with { type: 'json' };
import { shownText } from '../../../src/markup/safeText.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Bot, type Found, Group, type Kind, User } from '../../../src/service/model.ts';
import { factItem, noteItem, type RowExtras, sectionItem } from '../../../src/sidebar/nodeItems.ts';
import { factNodes } from '../../../src/sidebar/nodes.ts';
import { emptyNote } from '../../../src/sidebar/notes.ts';
import type { RowState } from '../../../src/sidebar/rows.ts';
import { chatRow, watched } from './rowItems.ts';

const { menus } = manifest.contributes;

const found: { [K in Kind]: Found<K> } = {
  group: { kind: 'group', resource: v.parse(Group, { groupId: '1', name: 'failed watched token archived' }), raw: {} },
  bot: { kind: 'bot', resource: v.parse(Bot, { botId: '1' }), raw: {} },
  user: { kind: 'user', resource: v.parse(User, { userId: '1' }), raw: {} },
};
const error = new ServiceError({ kind: 'cancelled' });

function fact(kind?: Kind, value = 'x', isListed = false) {
  const [node] = factNodes({ type: 'chat', kind: 'group', id: '1' }, [
    { label: 'Fact', value, ...(kind && { reference: { kind, id: '1' } }) },
  ]);
  assert(node);
  return factItem(node, undefined, isListed).contextValue;
}

/** An entry of a menu: a command, or a menu of its own. */
interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when: string;
  readonly group?: string;
}

const menusByName: Readonly<Record<string, readonly Entry[] | undefined>> = menus as object as Record<string, Entry[]>;

/** Whether a `when` clause is true in a view for an item with this context value. */
function holds(when: string, view: string, viewItem: string, isMulti: boolean): boolean {
  return when.split(' && ').every((clause) => {
    if (clause === '!botChats.inBrowser' || clause.startsWith('(config.')) return true;
    if (clause.startsWith('view == ')) return clause.split(' || ').includes(`view == botChats.${view}`);
    if (clause === 'botChats.isFiltered') return false;
    if (clause === '!botChats.isFiltered' || clause === 'botChats.isWatching') return true;
    if (clause === 'listMultiSelection') return isMulti;
    if (clause === '!listMultiSelection') return !isMulti;
    const [, pattern] = /^viewItem =~ \/(.*)\/$/.exec(clause) ?? [];
    if (pattern !== undefined) return new RegExp(pattern).test(viewItem);
    const [, value] = /^viewItem == '(.*)'$/.exec(clause) ?? assert.fail(`not understood: ${clause}`);
    return viewItem === value;
  });
}

/** The group of an entry, to sort by: VS Code puts `navigation` first. */
const sortKey = ({ group = '' }: Entry) => group.replace(/^navigation/, '0');

/** The entries that a view shows of a menu: those at once visible, and those behind a right click or the dots. */
function shownIn(menu: string, view: string, viewItem = '', isMulti = false) {
  const entries = (menusByName[menu] ?? []).filter(({ when }) => holds(when, view, viewItem, isMulti));
  const isBeside = ({ group = '' }: Entry) => group.startsWith(menu === 'view/title' ? 'navigation' : 'inline');
  const names = (some: readonly Entry[]): string[] =>
    some
      .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
      .map(({ command, submenu = '' }) => {
        if (command !== undefined) return command.replace('botChats.', '');
        return `${submenu.replace('botChats.menu.', '')}(${shownIn(submenu, view, viewItem, isMulti).menu.join(' ')})`;
      });
  return { beside: names(entries.filter(isBeside)), menu: names(entries.filter((entry) => !isBeside(entry))) };
}

/** The commands of an item of the chats: inline and in its menu. */
function offered(context: string | undefined, isMulti = false) {
  const { beside, menu } = shownIn('view/item/context', 'chats', context, isMulti);
  return { context, beside: beside.join(' '), menu: menu.join(' ') };
}

describe('The menu of a row', () => {
  const talk = 'openHistory send watch';
  const watching = 'openHistory send unwatch';
  const read = 'openHistory newMessage send';
  const history = 'history(openHistoryAs showDeliveries archiveChat exportHistory)';
  const failedRest = 'arrange(relabel moveUp moveDown) remove copy(copyId copyJson)';
  const rest = `${failedRest} retry`;
  const follow = 'history(openHistoryAs showDeliveries) copy(copyValue copyId copyJson) retry';

  const section = (kind: Kind) => sectionItem({ type: 'section', kind }, { shown: 1, listed: 2 }).contextValue;
  const chat = (...row: Parameters<typeof chatRow>) => chatRow(...row).item.contextValue;
  const known = (kind: Kind, extras?: Partial<RowExtras>) =>
    chat(kind, { status: 'known', found: found[kind] }, extras);
  const failed: RowState = { status: 'failed', error };
  const watch = watched(0);
  const refusal = { status: 200, code: 1003, text: '非法token' };
  const toLists = 'lists(addToAudience neverSend)';
  const ofChat = `${read} watch ${history} ${toLists}`;
  const ofArchived = 'history(openHistoryAs searchArchivedChat showStatistics showDeliveries exportHistory)';
  const ofBot = 'newMessageAsBot setToken addBotChats';
  const ofBotWithToken = 'newMessageAsBot setToken removeToken addBotChats';
  const ofReference = `${read} addToSidebar addToAudience ${follow}`;

  // The context value of a node, and the expected inline and menu commands.
  const table: [context: string | undefined, wanted: string | undefined, beside: string, menu: string][] = [
    [section('group'), 'section group', 'addGroup', 'addGroup'],
    [section('bot'), 'section bot', 'addBot', 'addBot'],
    [section('user'), 'section user', 'addPerson', 'addPerson'],
    [chat('group', { status: 'waiting' }), 'chat group', talk, `${ofChat} ${rest}`],
    [chat('group', { status: 'loading' }), 'chat group', talk, `${ofChat} ${rest}`],
    [known('group'), 'chat group known', talk, `${ofChat} ${rest}`],
    [chat('group', failed), 'chat group failed', `${talk} retry`, `${ofChat} ${failedRest}`],
    [
      known('group', { watch: { ...watch, error } }),
      'chat group failed known watched',
      `${watching} retry`,
      `${read} unwatch ${history} ${toLists} ${failedRest}`,
    ],
    [
      chat('group', { ...failed, found: found.group }),
      'chat group failed known',
      `${talk} retry`,
      `${ofChat} ${failedRest}`,
    ],
    [known('group', { watch }), 'chat group known watched', watching, `${read} unwatch ${history} ${toLists} ${rest}`],
    [
      known('user', { watch: watched(2), label: shownText`watched` }),
      'chat user known labelled watched unread',
      watching,
      `${read} unwatch ${history} ${toLists} ${rest}`,
    ],
    [
      known('group', { isArchived: true }),
      'chat group known archived',
      talk,
      `${read} watch ${ofArchived} ${toLists} ${rest}`,
    ],
    [
      known('user', { never: '' }),
      'chat user known never',
      talk,
      `${read} watch ${history} lists(addToAudience allowSending) ${rest}`,
    ],
    [known('user'), 'chat user known', talk, `${ofChat} ${rest}`],
    [known('bot'), 'chat bot known', '', `${ofBot} ${rest}`],
    [known('bot', { hasToken: true }), 'chat bot known token', '', `${ofBotWithToken} ${rest}`],
    [chat('bot', failed), 'chat bot failed', 'retry', `${ofBot} ${failedRest}`],
    [
      known('bot', { hasToken: true, refusal }),
      'chat bot known token refused',
      'setToken',
      `${ofBotWithToken} ${rest}`,
    ],
    [fact(), 'fact', 'copyValue', 'copyValue'],
    // One that only gathers others.
    [fact(undefined, ''), '', '', ''],
    [fact('group'), 'fact reference group', 'openHistory copyValue', ofReference],
    [fact('user'), 'fact reference user', 'openHistory copyValue', ofReference],
    [fact('bot'), 'fact reference bot', 'copyValue', 'addToSidebar copy(copyValue copyId copyJson) retry'],
    [fact('user', 'x', true), 'fact reference user listed', 'openHistory copyValue', `${read} addToAudience ${follow}`],
    [noteItem(emptyNote('group')).contextValue, undefined, '', ''],
  ];
  it('has the commands for what the row is and for its state', () => {
    for (const [context, wanted, beside, menu] of table) {
      assert.deepEqual(offered(context), { context: wanted, beside, menu });
    }
  });

  // VS Code offers what each of the selected rows has.
  it('watches and archives several rows although some of them are watched or archived already', () => {
    const mixed = [known('group'), known('user', { watch }), known('group', { isArchived: true })];
    for (const context of mixed) assert.match(offered(context, true).menu, /\bwatch\b.*\barchiveChat\b/);
  });

  it('has what is for one row beside a selection of others, too', () => {
    // All rows have one Refresh, in the title of the view.
    const lost = (context: string | undefined) => {
      const several = offered(context, true).menu.split(/[ ()]/);
      return offered(context)
        .menu.split(/[ ()]/)
        .filter((name) => name !== 'retry' && !several.includes(name));
    };
    for (const [context] of table) assert.deepEqual(lost(context), []);
  });

  it('has at most ten entries, with those of other views, and so have the menus in them', () => {
    const rows: Record<string, (string | undefined)[]> = {
      chats: table.map(([context]) => context),
      outbox: [
        'delivery sendNow reschedule unschedule edit remove compare',
        'delivery sendEdited edit remove compare',
        'delivery cancel compare',
        'delivery check sendNow reschedule remove replies compare',
        'delivery check resume remove replies compare',
        'delivery check resend resume remove replies compare',
      ],
      archive: ['archived update'],
      activity: ['activity unread'],
    };
    for (const [view, contexts] of Object.entries(rows))
      for (const context of contexts)
        for (const isMulti of [false, true]) {
          const { menu } = shownIn('view/item/context', view, context, isMulti);
          assert.ok(menu.length <= 10, `${view}, ${context}: ${menu}`);
          for (const inner of menu) assert.ok(inner.split(/[ (]/).length <= 11, inner);
        }
  });

  it('opens a message of the activity, marks it as read, and stops watching its chat', () => {
    assert.deepEqual(shownIn('view/item/context', 'activity', 'activity unread').menu, [
      'openMessage',
      'markRead',
      'unwatch',
    ]);
    assert.deepEqual(shownIn('view/item/context', 'activity', 'activity').menu, ['openMessage', 'unwatch']);
  });
});

describe('The menu of a view', () => {
  it('has at most ten entries', () => {
    for (const view of ['chats', 'activity', 'archive', 'outbox']) {
      const { menu } = shownIn('view/title', view);
      assert.ok(menu.length <= 10, `${view}: ${menu}`);
    }
  });

  it('of the chats gathers what adds rows, and what is about the service', () => {
    assert.deepEqual(shownIn('view/title', 'chats').menu, [
      'add(addGroup addBot addPerson)',
      'newMessage',
      'searchMessages',
      'sortBy',
      'openNextUnread',
      'showWatched',
      'manageAudiences',
      'service(setToken removeToken connect trySandbox)',
    ]);
  });

  it('of a message or a history has at most ten entries, too', () => {
    const ofHistory = menus['editor/title'].filter(({ when }) => when.includes('botChats.history'));
    // Until a chat is archived, other entries are there.
    assert.ok(ofHistory.filter(({ when }) => !when.includes('!botChats.isArchived')).length <= 10);
    assert.ok(menus['webview/context'].length <= 10);
  });
});

describe('The commands on rows', () => {
  const commandsIn = (entries: readonly Entry[]) => new Set(entries.flatMap(({ command }) => command ?? []));

  it('of others say whose the commands are, which the palette then says once', () => {
    const own = /^activeWebviewPanelId|&& activeWebviewPanelId/;
    const foreign = (['editor/title', 'editor/context', 'explorer/context'] as const).flatMap((menu) =>
      menus[menu].filter(({ when }) => !own.test(when)).map(({ command }) => command),
    );
    // The button of a message that is edited is on its row, too.
    const named = new Set(foreign.filter((command) => command !== 'botChats.sendEditedDelivery'));
    for (const texts of [english, chinese] as Record<string, string>[])
      assert.deepEqual(
        manifest.contributes.commands
          .filter(({ title }) => texts[title.slice(1, -1)]?.startsWith('Bot Chats: '))
          .map(({ command }) => command)
          .toSorted(),
        [...named].toSorted(),
      );
    assert.deepEqual(
      manifest.contributes.commands
        .filter((one) => !('category' in one))
        .map(({ command }) => command)
        .toSorted(),
      [...named].toSorted(),
    );
  });

  it('of Markdown editors offer to send and preview', () => {
    const ofMarkdown = menus['editor/context'].filter(({ when }) => when === 'resourceLangId == markdown');
    assert.deepEqual([...commandsIn(ofMarkdown)], ['botChats.sendActiveMarkdown', 'botChats.preview']);
  });

  it("aren't in the palette unless they ask for a row, or need none", () => {
    const hidden = commandsIn(menus.commandPalette.filter(({ when }) => when === 'false'));
    const onRows = commandsIn([
      ...menus['view/item/context'],
      ...menus['botChats.menu.history'],
      ...menus['botChats.menu.lists'],
      ...menus['botChats.menu.arrange'],
      ...menus['botChats.menu.copy'],
    ]);
    const asking = [
      'openHistory',
      'openHistoryAs',
      'newMessage',
      'setToken',
      'removeToken',
      'addGroup',
      'addBot',
      'addPerson',
      'showDeliveries',
      'showStatistics',
      'exportHistory',
      'compareWithSent',
    ];
    const shown = [...onRows].filter((command) => !hidden.has(command));
    assert.deepEqual(shown.toSorted(), asking.map((name) => `botChats.${name}`).toSorted());
  });
});
