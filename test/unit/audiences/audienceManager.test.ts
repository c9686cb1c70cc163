import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type QuickPickItem, type SaveDialogOptions, type ThemeIcon, Uri, type window } from 'vscode';
import type { AudienceManager } from '../../../src/audiences/audienceManager.ts';
import { recipientsIn } from '../../../src/audiences/recipientFile.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { Chat } from '../../../src/service/model.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, type ListAnswer, onLists, onMessages, type } from '../answers.ts';
import { settled } from '../deferred.ts';
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
  onQuestions,
  openEditor,
  openFile,
  pick,
  rowsOf,
  undoAfter,
  until,
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
      assert.equal(lists[0]?.placeholder, 'Select an audience to see who is in it');
      assert.deepEqual(rowsOf(lists[0]), [
        '$(list-unordered) customers 3 chats (groups: 2, people: 1)',
        '$(list-unordered) one 1 group',
        '$(list-unordered) none empty',
        '$(warning) odd Audience odd has entries that can\'t be read: "peopel". Correct them in the setting botChats.audiences.',
        '— ',
        '$(add) New Audience…',
      ]);
      assert.deepEqual(
        lists[0]?.items.map(({ buttons = [] }) =>
          buttons.map(({ iconPath, tooltip }) => `${(iconPath as ThemeIcon).id}: ${tooltip}`).join(),
        ),
        [...Array(3).fill('send: Send…,edit: Rename…,export: Export as CSV…,trash: Delete'), 'trash: Delete', '', ''],
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

    it('renames it in its place, and keeps the focus on it', async () => {
      for (const way of from('Rename…')) {
        await configure({ audiences: { team: {}, customers: CUSTOMERS, friends: {} } });
        const boxes = type(' Customers & co ');
        const lists = onLists(...way, 'escape', 'escape');
        await manager.manageAudiences();
        assert.deepEqual(Object.entries(audiences()), [
          ['team', {}],
          ['Customers & co', CUSTOMERS],
          ['friends', {}],
        ]);
        const { title, prompt, value } = boxes[0] ?? {};
        const why = 'Enter a new name. Documents that name this audience need the new name, too.';
        assert.deepEqual([title, prompt, value], ['Rename “customers”', why, 'customers']);
        assert.match(lists[way.length]?.title ?? '', way.length === 1 ? /^Audiences$/ : /^Customers & co · 3 chats/);
        const focused = [lists[0], lists.at(-1)].map((list) => list?.focused.map(({ label }) => label));
        assert.deepEqual(focused, [[], ['$(list-unordered) Customers & co']]);
      }
    });

    it('keeps its name if the user presses Escape', async () => {
      const messages = onMessages();
      type(undefined);
      onLists({ press: 'Rename…', on: named('customers') }, 'escape');
      await manager.manageAudiences();
      assert.deepEqual([audiences().customers, messages], [CUSTOMERS, []]);
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
        const lists = onLists(...way, 'escape');
        await manager.manageAudiences();
        assert.equal(lists.length, way.length + 1);
        await becomes(CUSTOMERS);
        await settled();
        assert.deepEqual(messages, ['Deleted the audience “customers”.']);
        assert.deepEqual(Object.keys(audiences()), ['customers', 'friends']);
      }
    });

    it('doesn’t restore it over one of its name that another window has created meanwhile', async () => {
      const customers = { groups: ['big'] };
      const messages = undoAfter({ customers });
      onLists({ press: 'Delete', on: named('customers') }, 'escape');
      await manager.manageAudiences();
      await until(() => messages.length > 0);
      assert.deepEqual(messages, ['An audience named “customers” already exists.']);
      assert.deepEqual(audiences(), { customers });
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
      const dialogs: (SaveDialogOptions | undefined)[] = [];
      const saveTo = (target: string | undefined) =>
        answer('showSaveDialog', async (options) => {
          dialogs.push(options);
          return target === undefined ? undefined : Uri.file(target);
        });
      saveTo(path);
      onLists({ press: 'Export as CSV…', on: named('customers') }, 'escape');
      await manager.manageAudiences();
      const { title, filters, defaultUri } = dialogs[0] ?? {};
      assert.deepEqual([title, filters], ['Export customers', { CSV: ['csv'] }]);
      assert.match(defaultUri?.path ?? '', /\/customers [-\d]{10}\.csv$/);
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
      const dialogs = await openFile('id,kind\nbig,group');
      type('team');
      pick(named('From File…'));
      onLists(isNew, 'enter', 'escape', 'escape');
      await manager.manageAudiences();
      assert.deepEqual(audiences().team, { groups: ['big'], people: [] });
      const filters = { 'CSV and text': ['csv', 'tsv', 'txt', 'md'], 'All files': ['*'] };
      assert.deepEqual(dialogs, [{ title: 'team', filters }]);
    });

    it('not before anyone is in it: each Escape goes back one step', async () => {
      const messages = onMessages();
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
      assert.equal(boxes[0]?.prompt, "Enter a name for this audience. It's saved in your settings.");
      assert.equal(picked.length, 2);
      assert.equal(lists.length, 2);
      assert.deepEqual(messages, []);
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

    it('but none if the user cancels or selects none, if it has none, or without a file', async () => {
      const boxes = type();
      const targets = pick();
      const lists = onLists('escape', () => false);
      await manager.addFileToAudience(await fileOf('big'));
      await manager.addFileToAudience(await fileOf('big'));
      await manager.addFileToAudience(undefined);
      assert.deepEqual(
        lists.map(({ title }) => title),
        ['Add to Audience', 'Add to Audience'],
      );
      assert.deepEqual([targets, boxes], [[], []]);
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
      const others = pick(named('customers'));
      await manager.addToAudience({ kind: 'user', id: '7230581' }, []);
      assert.equal(others[0]?.[1]?.description, '1 person');
      await becomes({ groups: [GROUP, 'big'], people: [ALICE, '7102649'] });
    });

    it('but to none that another window has deleted meanwhile, or that can’t be read anymore', async () => {
      for (const [now, message] of [
        [{ friends: {} }, /^There is no audience named “customers” anymore\.$/],
        [{ customers: 7 }, /^Audience customers has entries that can't be read: /],
      ] as const) {
        await configure({ audiences: { customers: CUSTOMERS } });
        answer('showQuickPick', (async (items: QuickPickItem[]) => {
          await configure({ audiences: now });
          return items.find(named('customers'));
        }) as unknown as typeof window.showQuickPick);
        await assert.rejects(manager.addToAudience(undefined, rows), { message });
        assert.deepEqual(audiences(), now);
      }
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
      pick(named('customers'), named('customers'));
      const many = Array.from({ length: 9_998 }, (_, at) => ({
        kind: 'user' as const,
        id: `u${at}`,
        botId: undefined,
      }));
      await assert.rejects(manager.addToAudience(undefined, many), {
        message: 'An audience can have up to 10,000 recipients.',
      });
      assert.deepEqual(audiences().customers, CUSTOMERS);
      const messages = onMessages();
      await manager.addToAudience(undefined, many.slice(1));
      assert.deepEqual(messages, ['Added 9,997 recipients to “customers”.']);
    });
  });

  it('keeps each question open while the user looks elsewhere, and finds the IDs of members', async () => {
    type('team', 'big');
    pick(named('Paste IDs…'), named('friends'));
    onLists(named('New Audience…'), 'enter', 'escape', 'escape');
    const asked = onQuestions();
    await manager.manageAudiences();
    await manager.addToAudience({ kind: 'group', id: 'big' }, []);
    const titles = (option: 'ignoreFocusOut' | 'canSelectMany' | 'matchOnDescription') =>
      asked.filter((question) => question[option]).map(({ title }) => title);
    const members = ['team', 'team · 1 group'];
    const create = ['New Audience', 'team', 'team', ...members];
    assert.deepEqual(titles('ignoreFocusOut'), ['Audiences', ...create, 'Audiences', 'Add to Audience']);
    assert.deepEqual([titles('canSelectMany'), titles('matchOnDescription')], [members, members]);
  });

  it('asks nothing more if the user chooses no service', async () => {
    Object.assign(host.access, { openService: async () => undefined });
    const messages = onMessages();
    const boxes = type();
    for (const chosen of ['customers', 'New Audience…']) {
      const lists = onLists(named(chosen), 'escape');
      await manager.manageAudiences();
      assert.equal(lists.length, 1);
    }
    assert.deepEqual([boxes, messages], [[], []]);
  });
});
