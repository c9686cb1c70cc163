import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type QuickPickItem, Uri, type window } from 'vscode';
import type { AudienceManager } from '../../../src/audiences/audienceManager.ts';
import { recipientsIn } from '../../../src/audiences/recipientFile.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { Chat } from '../../../src/service/model.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, type ListAnswer, onLists, onMessages, type } from '../answers.ts';
import { configure, useService } from '../test-service.ts';
import {
  ALICE,
  audiences,
  becomes,
  CUSTOMERS,
  fileOf,
  GROUP,
  group,
  named,
  openEditor,
  openFile,
  pick,
  rowsOf,
  user,
} from './editor.ts';

describe('The audience editor', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  let host: Host;
  let manager: AudienceManager;
  let sent: (readonly Chat[])[];
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ host, manager, sent, close } = await openEditor(service));
  });
  afterEach(() => close());

  describe('lists all audiences', () => {
    it('with their numbers of groups and people, those that can’t be read, and a new one', async () => {
      const many = { groups: ['1'], people: [] };
      await configure({ audiences: { customers: CUSTOMERS, one: many, none: {}, odd: { peopel: [] } } });
      service.requests.splice(0);
      const lists = onLists('escape');
      await manager.manageAudiences();
      assert.deepEqual(service.requests, []);
      assert.deepEqual(rowsOf(lists[0]), [
        '$(list-unordered) customers 3 chats (groups: 2, people: 1)',
        '$(list-unordered) one 1 group',
        '$(list-unordered) none empty',
        '$(warning) odd Audience odd has entries that can\'t be read: "peopel". Correct them in the setting botChats.audiences.',
        '— ',
        '$(add) New Audience…',
      ]);
      assert.deepEqual(
        lists[0]?.items.map(({ buttons = [] }) => buttons.map(({ tooltip }) => tooltip).join()),
        [...Array(3).fill('Send…,Rename…,Export as CSV…,Delete'), 'Delete', '', ''],
      );
    });
  });

  it('overwrites no setting that holds something else', async () => {
    const ours = [{ name: 'customers', groups: [GROUP] }];
    const isRefused = { name: 'InvalidSettingError' };
    const edits = [
      () => manager.manageAudiences(),
      () => manager.addToAudience(undefined, [{ kind: 'group', id: GROUP, botId: undefined }]),
      async () => manager.addFileToAudience(await fileOf('id\n7058314\n')),
    ];
    const lists = onLists();
    await configure({ audiences: ours });
    for (const edit of edits) await assert.rejects(edit(), isRefused);
    assert.deepEqual(audiences(), ours);
    assert.deepEqual(lists, []);
  });

  describe('does something with an audience from the list or while it is open:', () => {
    const from = (press: string) =>
      [[{ press, on: named('customers') }], [named('customers'), { press }]] satisfies ListAnswer[][];

    it('renames it in its place', async () => {
      for (const way of from('Rename…')) {
        await configure({ audiences: { customers: CUSTOMERS, friends: {} } });
        const boxes = type(' Customers & co ');
        const lists = onLists(...way, 'escape', 'escape');
        await manager.manageAudiences();
        assert.deepEqual(Object.entries(audiences()), [
          ['Customers & co', CUSTOMERS],
          ['friends', {}],
        ]);
        assert.equal(boxes[0]?.value, 'customers');
        assert.match(lists[way.length]?.title ?? '', way.length === 1 ? /^Audiences$/ : /^Customers & co · 3 chats/);
      }
    });

    it('replaces no audience that another window has given the new name meanwhile', async () => {
      const team = { groups: ['big'], people: [] };
      const messages = onMessages();
      answer('showInputBox', (async () => {
        await configure({ audiences: { customers: CUSTOMERS, team } });
        return 'team';
      }) as typeof window.showInputBox);
      onLists(...(from('Rename…')[0] ?? []), 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences(), { customers: CUSTOMERS, team });
      assert.deepEqual(messages, ['An audience named “team” already exists.']);
    });

    it('says that it’s gone if it was deleted while a new name was typed', async () => {
      const messages = onMessages();
      answer('showInputBox', (async () => {
        await configure({ audiences: { friends: {} } });
        return 'team';
      }) as typeof window.showInputBox);
      onLists(...(from('Rename…')[0] ?? []), 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences(), { friends: {} });
      assert.deepEqual(messages, ['There is no audience named “customers” anymore.']);
    });

    it('deletes it, and restores it', async () => {
      for (const way of from('Delete')) {
        const messages = onMessages(() => 'Undo');
        onLists(...way, 'escape');
        await manager.manageAudiences();
        assert.deepEqual(messages, ['Deleted the audience “customers”.']);
        await becomes(CUSTOMERS);
        assert.deepEqual(Object.keys(audiences()), ['customers', 'friends']);
      }
    });

    it('sends to it, and closes the list', async () => {
      for (const way of from('Send…')) {
        sent.splice(0);
        const lists = onLists(...way, 'escape');
        await manager.manageAudiences();
        assert.deepEqual(sent, [[group(GROUP), group('big'), user(ALICE)]]);
        assert.equal(lists.length, way.length);
      }
    });

    it('exports it as CSV, which can be read back', async () => {
      await (await host.connection.open()).directory.get('group', 'big');
      await configure({ audiences: { customers: { groups: ['big', '=1'], people: [ALICE] } } });
      const path = temporaryPath('customers');
      const saveTo = (target: string | undefined) =>
        answer('showSaveDialog', (async () => target && Uri.file(target)) as unknown as typeof window.showSaveDialog);
      saveTo(path);
      onLists({ press: 'Export as CSV…', on: named('customers') }, 'escape');
      await manager.manageAudiences();
      const text = await readFile(path, 'utf8');
      assert.deepEqual(text.split('\r\n'), [
        '\uFEFF"kind","id","name"',
        '"group","big","Riverside Town 河畔小镇"',
        `"group","'=1",""`,
        `"person","${ALICE}",""`,
        '',
      ]);
      assert.deepEqual((await recipientsIn(text)).ids, [
        { id: 'big', kind: 'group' },
        { id: '=1', kind: 'group' },
        { id: ALICE, kind: 'user' },
      ]);
      saveTo(undefined);
      onLists({ press: 'Export as CSV…', on: named('customers') }, 'escape');
      await manager.manageAudiences();
    });
  });

  describe('creates an audience', () => {
    const isNew = named('New Audience…');
    const paste = named('Paste IDs…');

    it('from pasted IDs, and shows who is in it', async () => {
      type('team', 'big 7058314');
      pick(paste);
      const lists = onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences().team, { groups: ['big'], people: [ALICE] });
      assert.equal(lists[2]?.title, 'team · 2 chats (groups: 1, people: 1)');
    });

    it('beside one whose name looks the same, but is written in another form', async () => {
      const [short, long] = ['Jos\u00E9', 'Jose\u0301'];
      await configure({ audiences: { [long]: CUSTOMERS } });
      type(short, 'big');
      pick(paste);
      onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences(), { [long]: CUSTOMERS, [short]: { groups: ['big'], people: [] } });
    });

    it('from a file', async () => {
      await openFile('id,kind\nbig,group');
      type('team');
      pick(named('From File…'));
      onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences().team, { groups: ['big'], people: [] });
    });

    it('not before anyone is in it: each Escape goes back one step', async () => {
      const boxes = type('team', undefined, undefined);
      const picked = pick(paste);
      const lists = onLists(isNew, 'escape');
      await manager.manageAudiences();
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

    it('but adds to none that another window has created meanwhile', async () => {
      const team = { groups: [], people: ['1', '2'] };
      const messages = onMessages();
      const typed = ['team', 'big'];
      answer('showInputBox', (async () => {
        if (typed.length === 1) await configure({ audiences: { customers: CUSTOMERS, team } });
        return typed.shift();
      }) as typeof window.showInputBox);
      pick(paste);
      onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences(), { customers: CUSTOMERS, team });
      assert.deepEqual(messages, ['An audience named “team” already exists.']);
    });

    it('with a name of one line that no other has', async () => {
      const boxes = type(undefined);
      await configure({ audiences: { customers: CUSTOMERS, odd: 7 } });
      onLists(isNew, 'escape');
      await manager.manageAudiences();
      const problem = (text: string) => boxes[0]?.validateInput?.(text);
      for (const text of ['', 'customers', ' odd ']) assert.equal(typeof problem(text), 'string', text);
      for (const text of ['Customers', 'n'.repeat(10_000)]) assert.equal(problem(text), undefined, text);
    });
  });

  describe('adds those in a dropped file', () => {
    it('once they are reviewed, to the audience that the user chooses', async () => {
      pick(named('friends'));
      onLists('enter');
      await manager.addFileToAudience(await fileOf('id,kind\nbig,group\n7058314,user\n'));
      assert.deepEqual(audiences().friends, { groups: ['big'], people: ['7102649', ALICE] });
    });

    it('but none if the user cancels, or if there are none', async () => {
      pick(named('friends'));
      onLists('escape');
      await manager.addFileToAudience(await fileOf('big'));
      assert.deepEqual(audiences().friends, { people: ['7102649'] });
      await assert.rejects(manager.addFileToAudience(await fileOf('')), /There are no IDs in this file/);
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
      await manager.addToAudience(undefined, rows);
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
      await manager.addToAudience(undefined, rows);
      assert.equal(again[0]?.[0]?.description, '4 chats (groups: 2, people: 2) · already included');
      assert.equal(messages[1], 'All of them are already in “customers”.');
      onMessages(() => 'Undo');
      pick(named('customers'));
      await manager.addToAudience(undefined, [{ kind: 'user', id: '7230581' }]);
      await becomes({ groups: [GROUP, 'big'], people: [ALICE, '7102649'] });
    });

    it('but to none that another window has deleted meanwhile', async () => {
      answer('showQuickPick', (async (items: QuickPickItem[]) => {
        await configure({ audiences: { friends: {} } });
        return items.find(named('customers'));
      }) as unknown as typeof window.showQuickPick);
      await assert.rejects(manager.addToAudience(undefined, rows), {
        message: 'There is no audience named “customers” anymore.',
      });
      assert.deepEqual(audiences(), { friends: {} });
    });

    it('to a new audience, after Escape went back to the list', async () => {
      const boxes = type(undefined, 'team');
      pick(named('New Audience…'), named('New Audience…'));
      await manager.addToAudience(undefined, rows);
      assert.equal(boxes.length, 2);
      assert.deepEqual(audiences().team, { groups: ['big'], people: ['7102649'] });
    });

    it('to a new audience if there is none', async () => {
      await configure({ audiences: undefined });
      const shown = pick();
      type('team');
      await manager.addToAudience(undefined, rows);
      assert.deepEqual(shown, []);
      assert.deepEqual(audiences(), { team: { groups: ['big'], people: ['7102649'] } });
    });

    it('but neither bots alone nor more than an audience can have', async () => {
      await assert.rejects(manager.addToAudience(undefined, rows.slice(1, 2)), { name: 'UserFacingError' });
      pick(named('customers'));
      const many = Array.from({ length: 9_998 }, (_, at) => ({
        kind: 'user' as const,
        id: `u${at}`,
        botId: undefined,
      }));
      await assert.rejects(manager.addToAudience(undefined, many), {
        message: 'An audience can have up to 10,000 recipients.',
      });
      assert.deepEqual(audiences().customers, CUSTOMERS);
    });
  });
});
