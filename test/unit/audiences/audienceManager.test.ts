import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { commands, type InputBoxOptions, type QuickPickItem, QuickPickItemKind, Uri, type window } from 'vscode';
import { AudienceManager } from '../../../src/audiences/audienceManager.ts';
import { askMembers } from '../../../src/audiences/memberList.ts';
import { recipientsIn } from '../../../src/audiences/recipientFile.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { ChatItem } from '../../../src/presentation/chatItems.ts';
import type { Chat } from '../../../src/service/model.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, type ListAnswer, onLists, onMessages, restore, type ShownList, slowList, type } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { configure, configureWorkspace, type TestService, useService, written } from '../test-service.ts';

const GROUP = '518204736';
const ALICE = '7058314';
const group = (id: string): Chat => ({ type: 'group', id });
const user = (id: string): Chat => ({ type: 'user', id });
const CUSTOMERS = { groups: [GROUP, 'big'], people: [ALICE] };

describe('The audience editor', () => {
  let service: TestService;
  let host: Host;
  let manager: AudienceManager;
  let sent: (readonly Chat[])[];

  before(async () => {
    service = await useService({ 'service.callsPerSecond': 1000 });
  });
  after(() => service.close());

  beforeEach(async () => {
    await configure({ audiences: { customers: CUSTOMERS, friends: { people: ['7102649'] } } });
    host = newHost();
    sent = [];
    manager = new AudienceManager(host, { send: async (chats) => void sent.push(chats) });
    onMessages();
  });
  afterEach(async () => {
    restore();
    service.instead = () => undefined;
    host.connection.dispose();
    await configureWorkspace('audiences', undefined);
    await configure({ audiences: undefined });
  });

  const audiences = () => written('audiences').user as Record<string, unknown>;
  const named = (name: string) => (item: QuickPickItem) => item.label.endsWith(` ${name}`);
  const withId =
    (...ids: string[]) =>
    (item: QuickPickItem) =>
      ids.includes(item.description?.split(' · ')[0] ?? '');
  /** The rows of a list: its headings, and the items with what is beside them. */
  const rowsOf = (list: ShownList | undefined) =>
    list?.items.map((item) => {
      if (item.kind === QuickPickItemKind.Separator) return `— ${item.label}`;
      return [list.ticked.includes(item) ? '☑' : '', item.label, item.description].filter(Boolean).join(' ');
    });
  /** Answers single-select lists in order, then with Escape. */
  const pick = (...wanted: ((item: QuickPickItem) => boolean)[]) => {
    const shown: QuickPickItem[][] = [];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      shown.push(items);
      const wants = wanted[shown.length - 1];
      return wants && items.find(wants);
    }) as unknown as typeof window.showQuickPick);
    return shown;
  };
  const saveTo = (path: string | undefined) =>
    answer('showSaveDialog', (async () => path && Uri.file(path)) as unknown as typeof window.showSaveDialog);
  const openFile = async (content: string) => {
    const path = temporaryPath('recipients');
    await writeFile(path, content);
    answer('showOpenDialog', (async () => [Uri.file(path)]) as unknown as typeof window.showOpenDialog);
  };

  describe('lists all audiences', () => {
    it('with their numbers of groups and people, those that can’t be read, and a new one', async () => {
      const many = { groups: ['1'], people: [] };
      await configure({ audiences: { customers: CUSTOMERS, one: many, none: {}, odd: { peopel: [] } } });
      const lists = onLists('escape');
      await manager.manage();
      assert.deepEqual(rowsOf(lists[0]), [
        '$(list-unordered) customers 3 chats (groups: 2, people: 1)',
        '$(list-unordered) one 1 group',
        '$(list-unordered) none empty',
        "$(warning) odd This audience can't be read. Check the setting botChats.audiences.",
        '— ',
        '$(add) New Audience…',
      ]);
      assert.deepEqual(
        lists[0]?.items.map(({ buttons = [] }) => buttons.map(({ tooltip }) => tooltip).join()),
        [...Array(3).fill('Send…,Rename…,Export as CSV…,Delete'), 'Delete', '', ''],
      );
    });

    it('with harmless names, whatever they are', async () => {
      const names = ['[x](command:y)', '$(trash) z', 'a\n\u202Eb', '', 'n'.repeat(10_000)];
      await configure({ audiences: Object.fromEntries(names.map((name) => [name, {}])) });
      const lists = onLists('escape');
      await manager.manage();
      assert.deepEqual(
        lists[0]?.items.slice(0, 5).map(({ label }) => label.replace('$(list-unordered) ', '')),
        ['[x](command:y)', '\\$(trash) z', 'a b', '""', 'n'.repeat(200)],
      );
    });

    it('makes no request', async () => {
      const asked = service.requests.length;
      onLists('escape');
      await manager.manage();
      assert.equal(service.requests.length, asked);
    });
  });

  describe('shows who is in an audience', () => {
    it('with the names that are known, and goes back on Escape', async () => {
      await (await host.connection.open()).directory.get('group', 'big');
      const lists = onLists(named('customers'), 'escape', 'escape');
      await manager.manage();
      assert.equal(lists.length, 3);
      assert.equal(lists[1]?.title, 'customers · 3 chats (groups: 2, people: 1)');
      assert.deepEqual(rowsOf(lists[1]), [
        '— Groups',
        `$(organization) ${GROUP} ${GROUP}`,
        '$(organization) Riverside Town 河畔小镇 big · 182,340 members',
        '— People',
        `$(account) ${ALICE} ${ALICE}`,
      ]);
      assert.deepEqual(rowsOf(lists[2]), rowsOf(lists[0]));
    });

    it('marks those that don’t exist', async () => {
      await configure({ audiences: { customers: { groups: ['nosuch', 'big'], people: [] } } });
      const { directory } = await host.connection.open();
      await assert.rejects(directory.get('group', 'nosuch'));
      const lists = onLists(named('customers'), 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(rowsOf(lists[1])?.slice(0, 2), ['— Groups', "$(warning) nosuch nosuch · doesn't exist"]);
    });

    it('removes the selected members, and restores them', async () => {
      const messages = onMessages();
      onLists(named('customers'), withId('big', ALICE), 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(audiences().customers, { groups: [GROUP], people: [] });
      assert.deepEqual(messages, ['Removed 2 recipients from “customers”.']);
      onMessages(() => 'Undo');
      onLists(named('customers'), withId(GROUP), 'escape', 'escape');
      await manager.manage();
      await becomes({ groups: [GROUP], people: [] });
    });

    it('keeps the selection while names arrive', async () => {
      let answerGroups = () => {};
      const held = new Promise<undefined>((resolve) => {
        answerGroups = () => resolve(undefined);
      });
      service.instead = (request) => (request.url.includes('userId=') ? undefined : held);
      const { list, tells, accepts } = slowList<ChatItem>();
      const asked = askMembers('customers', host, await host.connection.open());
      const shows = (name: RegExp) => until(() => list.items.some(({ label }) => name.test(label)));
      tells(list.items.filter(withId('big')));
      await shows(/Alice/);
      // VS Code reports an empty selection after new items, and then the one that was set.
      tells([]);
      answerGroups();
      await shows(/Riverside/);
      tells(list.selectedItems);
      accepts();
      assert.deepEqual(await asked, { type: 'remove', chats: [group('big')] });
    });

    it('shows what another window changes, and goes back if it deletes the audience', async () => {
      const { list } = slowList<ChatItem>();
      const asked = askMembers('customers', host, await host.connection.open());
      assert.equal(list.title, 'customers · 3 chats (groups: 2, people: 1)');
      await configure({ audiences: { customers: { groups: ['big'] } } });
      assert.equal(list.title, 'customers · 1 group');
      assert.equal(list.items.filter(({ chats }) => chats).length, 1);
      await configure({ audiences: { customers: {} } });
      assert.equal(list.title, 'customers · empty');
      assert.match(list.placeholder ?? '', /^No one is in this audience yet\./);
      await configure({ audiences: {} });
      assert.equal(await asked, undefined);
    });

    it('adds pasted IDs, and shows what each is and whether it is in the audience', async () => {
      type('7102649 big nosuch');
      const lists = onLists(named('customers'), { press: 'Add…' }, 'enter', 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(rowsOf(lists[2]), [
        '— Found',
        '☑ $(account) 闻山禾 7102649 · add as a person',
        "— Doesn't exist",
        '$(organization) nosuch nosuch · add as a group',
        '$(account) nosuch nosuch · add as a person',
        '— Already in this audience',
        '$(organization) big big',
      ]);
      assert.deepEqual(audiences().customers, { groups: [GROUP, 'big'], people: [ALICE, '7102649'] });
    });

    it('goes back from the found IDs to the typed text, and then to the members', async () => {
      const values: (string | undefined)[] = [];
      answer('showInputBox', (async ({ value }: InputBoxOptions) => {
        values.push(value);
        return values.length === 1 ? 'big 7102649' : undefined;
      }) as unknown as typeof window.showInputBox);
      const lists = onLists(named('customers'), { press: 'Add…' }, { press: 'Back' }, 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(values, ['', 'big 7102649']);
      assert.equal(lists[3]?.title, 'customers · 3 chats (groups: 2, people: 1)');
      assert.deepEqual(audiences().customers, CUSTOMERS);
    });

    it('adds the IDs of a file, and looks up only those of unknown kind and some names', async () => {
      const rows = Array.from({ length: 10_000 - 3 }, (_, at) => `user,u${at}`);
      await openFile(`kind,id\n${rows.join('\n')}\n,7102649`);
      await configure({ audiences: { customers: { groups: [GROUP] } } });
      const asked = service.requests.length;
      onLists(named('customers'), { press: 'From File…' }, withId('7102649', 'u9996'), 'escape', 'escape');
      await manager.manage();
      // 200 names, and one ID as a group and as a user.
      assert.equal(service.requests.length - asked, 202);
      assert.deepEqual(audiences().customers, { groups: [GROUP], people: ['7102649', 'u9996'] });
    });

    it('says why a file can’t be used, and stays', async () => {
      const messages = onMessages();
      await openFile(' ');
      const lists = onLists(named('customers'), { press: 'From File…' }, 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(messages, ['There are no IDs in this file.']);
      assert.equal(lists[2]?.title, lists[1]?.title);
    });

    it('opens the settings for an audience that can’t be read', async () => {
      await configure({ audiences: { odd: 7 } });
      const opened: unknown[] = [];
      const registered = commands.registerCommand('workbench.action.openSettings', (query) => void opened.push(query));
      onLists(named('odd'));
      await manager.manage();
      registered.dispose();
      assert.deepEqual(opened, ['botChats.audiences']);
    });
  });

  describe('does something with an audience from the list or while it is open:', () => {
    const from = (press: string) =>
      [[{ press, on: named('customers') }], [named('customers'), { press }]] satisfies ListAnswer[][];

    it('renames it in its place', async () => {
      for (const way of from('Rename…')) {
        await configure({ audiences: { customers: CUSTOMERS, friends: {} } });
        const boxes = type(' Customers & co ');
        const lists = onLists(...way, 'escape', 'escape');
        await manager.manage();
        assert.deepEqual(Object.entries(audiences()), [
          ['Customers & co', CUSTOMERS],
          ['friends', {}],
        ]);
        assert.equal(boxes[0]?.value, 'customers');
        assert.match(lists[way.length]?.title ?? '', way.length === 1 ? /^Audiences$/ : /^Customers & co · 3 chats/);
      }
    });

    it('deletes it, and restores it', async () => {
      for (const way of from('Delete')) {
        const messages = onMessages(() => 'Undo');
        onLists(...way, 'escape');
        await manager.manage();
        assert.deepEqual(messages, ['Deleted the audience “customers”.']);
        await becomes(CUSTOMERS);
        assert.deepEqual(Object.keys(audiences()), ['customers', 'friends']);
      }
    });

    it('sends to it, and closes the list', async () => {
      for (const way of from('Send…')) {
        sent = [];
        const lists = onLists(...way, 'escape');
        await manager.manage();
        assert.deepEqual(sent, [[group(GROUP), group('big'), user(ALICE)]]);
        assert.equal(lists.length, way.length);
      }
    });

    it('exports it as CSV, which can be read back', async () => {
      await (await host.connection.open()).directory.get('group', 'big');
      await configure({ audiences: { customers: { groups: ['big', '=1'], people: [ALICE] } } });
      const path = temporaryPath('customers');
      saveTo(path);
      onLists({ press: 'Export as CSV…', on: named('customers') }, 'escape');
      await manager.manage();
      const text = await readFile(path, 'utf8');
      assert.deepEqual(text.split('\r\n'), [
        '\uFEFF"kind","id","name"',
        '"group","big","Riverside Town 河畔小镇"',
        `"group","'=1",""`,
        `"person","${ALICE}",""`,
        '',
      ]);
      assert.deepEqual(await recipientsIn(text.slice(1)), [
        { id: 'big', type: 'group' },
        { id: '=1', type: 'group' },
        { id: ALICE, type: 'user' },
      ]);
      saveTo(undefined);
      onLists({ press: 'Export as CSV…', on: named('customers') }, 'escape');
      await manager.manage();
    });
  });

  describe('creates an audience', () => {
    const isNew = named('New Audience…');
    const paste = named('Paste IDs…');

    it('from pasted IDs, and shows who is in it', async () => {
      type('team', 'big 7058314');
      pick(paste);
      const lists = onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(audiences().team, { groups: ['big'], people: [ALICE] });
      assert.equal(lists[2]?.title, 'team · 2 chats (groups: 1, people: 1)');
    });

    it('from a file', async () => {
      await openFile('id,kind\nbig,group');
      type('team');
      pick(named('From File…'));
      onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manage();
      assert.deepEqual(audiences().team, { groups: ['big'], people: [] });
    });

    it('not before anyone is in it: each Escape goes back one step', async () => {
      const boxes = type('team', undefined, undefined);
      const picked = pick(paste);
      const lists = onLists(isNew, 'escape');
      await manager.manage();
      assert.deepEqual(
        boxes.map((box) => [box?.title, box?.value]),
        [
          ['New Audience', ''],
          ['team', ''],
          ['New Audience', 'team'],
        ],
      );
      assert.equal(picked.length, 2);
      assert.equal(lists.length, 2);
      assert.deepEqual(Object.keys(audiences()), ['customers', 'friends']);
    });

    it('with a name of one line that no other has', async () => {
      const boxes = type(undefined);
      await configure({ audiences: { customers: CUSTOMERS, odd: 7 } });
      onLists(isNew, 'escape');
      await manager.manage();
      const problem = (text: string) => boxes[0]?.validateInput?.(text);
      for (const text of ['', ' ', 'a\nb', 'a\u2028b', 'customers', ' odd ', '__proto__'])
        assert.equal(typeof problem(text), 'string', text);
      for (const text of ['Customers', 'constructor', '[x](command:y)', '$(trash)', 'n'.repeat(10_000)])
        assert.equal(problem(text), undefined, text);
    });
  });

  describe('adds those in a dropped file', () => {
    const dropped = async (content: string) => {
      const path = temporaryPath('recipients');
      await writeFile(path, content);
      return Uri.file(path);
    };

    it('once they are reviewed, to the audience that the user chooses', async () => {
      pick(named('friends'));
      onLists('enter');
      await manager.addFile(await dropped('id,kind\nbig,group\n7058314,user\n'));
      assert.deepEqual(audiences().friends, { groups: ['big'], people: ['7102649', ALICE] });
    });

    it('but none if the user cancels, or if there are none', async () => {
      pick(named('friends'));
      onLists('escape');
      await manager.addFile(await dropped('big'));
      assert.deepEqual(audiences().friends, { people: ['7102649'] });
      await assert.rejects(manager.addFile(await dropped('')), /There are no IDs in this file/);
    });
  });

  describe('adds groups and people', () => {
    const rows = [
      { kind: 'group' as const, id: 'big' },
      { kind: 'bot' as const, id: '30481126' },
      { kind: 'user' as const, id: '7102649' },
      { kind: 'group' as const, id: 'big' },
    ];

    it('to an audience, and undoes it', async () => {
      const messages = onMessages();
      const shown = pick(named('customers'));
      await manager.addTo(rows);
      assert.deepEqual(
        shown[0]?.map(({ label, description }) => [label, description]),
        [
          ['$(list-unordered) customers', '3 chats (groups: 2, people: 1) · has 1 of 2'],
          ['$(list-unordered) friends', '1 person · has 1 of 2'],
          ['', undefined],
          ['$(add) New Audience…', undefined],
        ],
      );
      assert.deepEqual(audiences().customers, { groups: [GROUP, 'big'], people: [ALICE, '7102649'] });
      assert.deepEqual(messages, ['Added 1 recipient to “customers”.']);
      const again = pick(named('customers'));
      await manager.addTo(rows);
      assert.equal(again[0]?.[0]?.description, '4 chats (groups: 2, people: 2) · already included');
      assert.equal(messages[1], 'All of them are already in “customers”.');
      onMessages(() => 'Undo');
      pick(named('customers'));
      await manager.addTo([{ kind: 'user', id: '7230581' }]);
      await becomes({ groups: [GROUP, 'big'], people: [ALICE, '7102649'] });
    });

    it('to a new audience, after Escape went back to the list', async () => {
      const boxes = type(undefined, 'team');
      pick(named('New Audience…'), named('New Audience…'));
      await manager.addTo(rows);
      assert.equal(boxes.length, 2);
      assert.deepEqual(audiences().team, { groups: ['big'], people: ['7102649'] });
    });

    it('to a new audience if there is none', async () => {
      await configure({ audiences: undefined });
      const shown = pick();
      type('team');
      await manager.addTo(rows);
      assert.deepEqual(shown, []);
      assert.deepEqual(audiences(), { team: { groups: ['big'], people: ['7102649'] } });
    });

    it('to the workspace settings if they define the audience', async () => {
      await configureWorkspace('audiences', { team: { people: [ALICE] } });
      pick(named('team'));
      await manager.addTo(rows);
      assert.deepEqual(written('audiences').workspace, { team: { groups: ['big'], people: [ALICE, '7102649'] } });
      assert.deepEqual(Object.keys(audiences()), ['customers', 'friends']);
    });

    it('but neither bots alone nor more than an audience can have', async () => {
      await assert.rejects(manager.addTo(rows.slice(1, 2)), { name: 'UserFacingError' });
      pick(named('customers'));
      const many = Array.from({ length: 9_998 }, (_, at) => ({
        kind: 'user' as const,
        id: `u${at}`,
        botId: undefined,
      }));
      await assert.rejects(manager.addTo(many), { message: 'An audience can have up to 10,000 recipients.' });
      assert.deepEqual(audiences().customers, CUSTOMERS);
    });
  });

  /** Waits until the audience is this. */
  async function becomes(customers: unknown): Promise<void> {
    await until(() => isDeepStrictEqual(audiences().customers, customers));
  }
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}
