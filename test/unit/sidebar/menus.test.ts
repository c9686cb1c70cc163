import assert from 'node:assert/strict';
import * as v from 'valibot';
import manifest from '../../../package.json' with { type: 'json' };
import { ServiceError } from '../../../src/service/errors.ts';
import { Bot, type Found, Group, type Kind, User } from '../../../src/service/model.ts';
import { chatItem, factItem, noteItem, type RowExtras, sectionItem } from '../../../src/sidebar/nodeItems.ts';
import { factNodes } from '../../../src/sidebar/nodes.ts';
import { emptyNote } from '../../../src/sidebar/notes.ts';
import type { RowState } from '../../../src/sidebar/rows.ts';

const { menus } = manifest.contributes;

const found: { [K in Kind]: Found<K> } = {
  group: { kind: 'group', resource: v.parse(Group, { groupId: '1', name: 'failed watched token archived' }), raw: {} },
  bot: { kind: 'bot', resource: v.parse(Bot, { botId: '1' }), raw: {} },
  user: { kind: 'user', resource: v.parse(User, { userId: '1' }), raw: {} },
};
const error = new ServiceError({ kind: 'cancelled' });
const watch = { botId: '9', unread: 0, more: false };

function chat(kind: Kind, state: RowState, extras: Partial<RowExtras> = {}) {
  const none = {
    label: undefined,
    watch: undefined,
    match: undefined,
    hasToken: false,
    isArchived: false,
    generation: 0,
  };
  return chatItem({ type: 'chat', kind, id: '1' }, state, { ...none, isOutageShown: false, ...extras }).contextValue;
}

function fact(kind?: Kind, value = 'x') {
  const [node] = factNodes({ type: 'chat', kind: 'group', id: '1' }, [
    { label: 'Fact', value, ...(kind && { reference: { kind, id: '1' } }) },
  ]);
  assert(node);
  return factItem(node).contextValue;
}

/** Whether a `when` clause is true in the sidebar for an item with this context value. */
function holds(when: string, viewItem: string, isMulti: boolean): boolean {
  return when.split(' && ').every((clause) => {
    if (clause === 'view == botChats.chats' || clause === '!botChats.inBrowser') return true;
    if (/^view == botChats\.(archive|outbox)$/.test(clause)) return false;
    if (clause === '!listMultiSelection') return !isMulti;
    if (clause === 'listMultiSelection') return isMulti;
    const [, pattern] = /^viewItem =~ \/(.*)\/$/.exec(clause) ?? [];
    if (pattern !== undefined) return new RegExp(pattern).test(viewItem);
    const [, value] = /^viewItem == '(.*)'$/.exec(clause) ?? assert.fail(`not understood: ${clause}`);
    return viewItem === value;
  });
}

/** The group of an entry, to sort by: VS Code puts `navigation` first. */
const sortKey = (group: string) => group.replace(/^navigation/, '0');

/** The commands of an item: inline and in its menu. */
function offered(context: string | undefined, isMulti = false) {
  const entries = menus['view/item/context'].filter(({ when }) => holds(when, context ?? '', isMulti));
  const names = (isInline: boolean) =>
    entries
      .filter(({ group }) => group.startsWith('inline') === isInline)
      .toSorted((a, b) => (sortKey(a.group) < sortKey(b.group) ? -1 : 1))
      .map(({ command }) => command.replace('botChats.', ''));
  return { context, beside: names(true).join(' '), menu: names(false).join(' ') };
}

describe('The menu of a row', () => {
  const talk = 'openHistory send watch';
  const watching = 'openHistory send unwatch';
  const read = 'openHistory openHistoryAs newMessage send';
  const rest = 'relabel moveUp moveDown remove copyId';
  const end = 'retry';
  const join = 'addToAudience';
  const follow = 'copyValue copyId copyJson retry';

  const section = (kind: Kind) => sectionItem({ type: 'section', kind }, { shown: 1, listed: 2 }).contextValue;
  const known = (kind: Kind, extras?: Partial<RowExtras>) =>
    chat(kind, { status: 'known', found: found[kind] }, extras);
  const unread = { label: 'watched', watch: { ...watch, unread: 2 } };
  const failed: RowState = { status: 'failed', error };

  // The node, its context value, the expected one, and the expected inline and menu commands.
  const table: [string, string | undefined, string | undefined, string, string][] = [
    ['a section of groups', section('group'), 'section group', 'addGroup', 'addGroup'],
    ['a section of bots', section('bot'), 'section bot', 'addBot', 'addBot'],
    ['a section of people', section('user'), 'section user', 'addPerson', 'addPerson'],
    [
      'a group that waits',
      chat('group', { status: 'waiting' }),
      'chat group',
      talk,
      `${read} archiveChat ${join} watch showDeliveries exportHistory neverSend ${rest} ${end}`,
    ],
    [
      'a group as it loads',
      chat('group', { status: 'loading' }),
      'chat group',
      talk,
      `${read} archiveChat ${join} watch showDeliveries exportHistory neverSend ${rest} ${end}`,
    ],
    [
      'a group',
      known('group'),
      'chat group known',
      talk,
      `${read} archiveChat ${join} watch showDeliveries exportHistory neverSend ${rest} copyJson ${end}`,
    ],
    [
      'a group that failed',
      chat('group', failed),
      'chat group failed',
      `${talk} retry`,
      `${read} archiveChat ${join} watch showDeliveries exportHistory neverSend ${rest} ${end}`,
    ],
    [
      'a known group that failed',
      chat('group', { ...failed, found: found.group }),
      'chat group failed known',
      `${talk} retry`,
      `${read} archiveChat ${join} watch showDeliveries exportHistory neverSend ${rest} copyJson ${end}`,
    ],
    [
      'a watched group',
      known('group', { watch }),
      'chat group known watched',
      watching,
      `${read} archiveChat ${join} unwatch showDeliveries exportHistory neverSend ${rest} copyJson ${end}`,
    ],
    [
      'a watched person with new messages and a label',
      known('user', unread),
      'chat user known labelled watched unread',
      watching,
      `${read} archiveChat ${join} unwatch showDeliveries exportHistory neverSend ${rest} copyJson ${end}`,
    ],
    [
      'an archived group',
      known('group', { isArchived: true }),
      'chat group known archived',
      talk,
      `${read} searchArchivedChat ${join} watch showDeliveries showStatistics exportHistory neverSend ${rest} copyJson ${end}`,
    ],
    [
      'a person on the Do Not Send list',
      known('user', { never: '' }),
      'chat user known never',
      talk,
      `${read} archiveChat ${join} watch showDeliveries exportHistory allowSending ${rest} copyJson ${end}`,
    ],
    [
      'a person',
      known('user'),
      'chat user known',
      talk,
      `${read} archiveChat ${join} watch showDeliveries exportHistory neverSend ${rest} copyJson ${end}`,
    ],
    ['a bot', known('bot'), 'chat bot known', '', `newMessageAsBot setToken addBotChats ${rest} copyJson ${end}`],
    [
      'a bot with a token',
      known('bot', { hasToken: true }),
      'chat bot known token',
      '',
      `newMessageAsBot setToken removeToken addBotChats ${rest} copyJson ${end}`,
    ],
    [
      'a bot that failed',
      chat('bot', failed),
      'chat bot failed',
      'retry',
      `newMessageAsBot setToken addBotChats ${rest} ${end}`,
    ],
    [
      'a bot whose token was refused',
      known('bot', { hasToken: true, refusal: { status: 200, code: 1003, text: '非法token' } }),
      'chat bot known token refused',
      'setToken',
      `newMessageAsBot setToken removeToken addBotChats ${rest} copyJson ${end}`,
    ],
    ['a fact', fact(), 'fact', 'copyValue', 'copyValue'],
    ['a fact that only gathers others', fact(undefined, ''), '', '', ''],
    [
      'a fact that refers to a group',
      fact('group'),
      'fact reference group',
      'openHistory copyValue',
      `${read} addToSidebar ${join} showDeliveries ${follow}`,
    ],
    [
      'a fact that refers to a person',
      fact('user'),
      'fact reference user',
      'openHistory copyValue',
      `${read} addToSidebar ${join} showDeliveries ${follow}`,
    ],
    ['a fact that refers to a bot', fact('bot'), 'fact reference bot', 'copyValue', `addToSidebar ${follow}`],
    ['a note', noteItem(emptyNote('group')).contextValue, undefined, '', ''],
  ];
  for (const [what, context, wanted, beside, menu] of table) {
    it(`has the commands for ${what}`, () => {
      assert.deepEqual(offered(context), { context: wanted, beside, menu });
    });
  }

  it('has the commands for several rows', () => {
    const { menu } = offered(chat('bot', { status: 'known', found: found.bot }), true);
    assert.equal(menu, 'moveUp moveDown remove copyId copyJson retry');
  });

  // VS Code offers what each of the selected rows has.
  it('watches and archives several rows although some of them are watched or archived already', () => {
    const mixed = [known('group'), known('user', { watch }), known('group', { isArchived: true })];
    const [first, ...others] = mixed.map((context) => offered(context, true).menu.split(' '));
    const all = first?.filter((command) => others.every((menu) => menu.includes(command))) ?? [];
    assert.deepEqual(
      all.filter((command) => /watch|archive/i.test(command)),
      ['archiveChat', 'watch'],
    );
  });
});

describe('The commands on rows', () => {
  const commandsIn = (entries: readonly { command: string }[]) => new Set(entries.map(({ command }) => command));

  it("aren't in the palette unless they ask for a row, or need none", () => {
    const hidden = commandsIn(menus.commandPalette.filter(({ when }) => when === 'false'));
    const onRows = commandsIn(menus['view/item/context']);
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
