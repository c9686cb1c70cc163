import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  type InputBoxOptions,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
  type window,
} from 'vscode';
import { NO_RULES, noted } from '../../../../src/deliveries/draft/leaveOut.ts';
import type { RecipientItem } from '../../../../src/deliveries/plan/recipientItems.ts';
import {
  askRecipients,
  rememberedRecipients,
  rememberRecipients,
} from '../../../../src/deliveries/plan/recipientPicker.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { Audiences } from '../../../../src/platform/audiences.ts';
import { ListSettings } from '../../../../src/platform/listSettings.ts';
import type { Connection, Service } from '../../../../src/platform/service.ts';
import { Store } from '../../../../src/platform/store.ts';
import { timers } from '../../../../src/service/clock.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { answer, onLists, onMessages, restore, type ShownList, slowList, type } from '../../answers.ts';
import { deferred } from '../../deferred.ts';
import { memento } from '../../memory.ts';
import { configure, newConnection, useService, written } from '../../test-service.ts';

const GROUP = '518204736';

const CUSTOMERS = { groups: [GROUP, 'big'], people: ['7058314'] };

const group = (id: string): Chat => ({ kind: 'group', id });

const settings = { audiences: new Audiences(), lists: new ListSettings() };

const user = (id: string): Chat => ({ kind: 'user', id });

describe('The recipient picker', () => {
  const sandbox = useService({ 'service.callsPerSecond': 1000, groups: [GROUP], people: ['7102649'] });
  let connection: Connection;
  let service: Service;

  beforeEach(async () => {
    await configure({ audiences: { customers: CUSTOMERS } });
    connection = newConnection();
    service = await connection.open();
    onMessages();
  });

  afterEach(async () => {
    restore();
    sandbox.instead = () => undefined;
    connection.dispose();
    await configure({ audiences: undefined });
  });

  const ask = async (chosen: readonly Chat[] = [], rules = NO_RULES) =>
    (await askRecipients(settings, service, { title: shownText`Send`, chosen, rules }))?.map(({ kind, id }) => ({
      kind,
      id,
    }));
  const isAudience = ({ label }: QuickPickItem) => label === '$(list-unordered) customers';
  const isRowOf =
    (...ids: string[]) =>
    (item: QuickPickItem) =>
      !isAudience(item) && ids.some((id) => item.description?.split(' · ')[0] === id);
  const ticksIn = (list: ShownList | undefined) => list?.ticked.map(({ label }) => label);
  const audienceIn = (list: ShownList | undefined) => list?.items.find(isAudience);

  it('lists audiences, groups and people, including those that only an audience names', async () => {
    const lists = onLists('escape');
    await ask();
    const shown = lists[0]?.items.map(({ kind, label, description }) =>
      kind === QuickPickItemKind.Separator ? `— ${label}` : `${description}`,
    );
    assert.deepEqual(shown, [
      '— Audiences',
      '0 of 3 selected',
      '— Groups',
      GROUP,
      'big',
      '— People',
      '7102649',
      '7058314',
    ]);
  });

  it('marks who is left out, whose selection doesn’t count', async () => {
    const lists = onLists('escape');
    const rules = NO_RULES.with('never', noted(new Map([['user 7058314', 'asked to stop']]))).with(
      'except',
      noted(new Map([['group big', 'past.csv']])),
    );
    await ask([group(GROUP), group('big'), user('7058314')], rules);
    const [list] = lists;
    assert.equal(list?.placeholder, '1 recipient · 2 left out');
    assert.equal(list?.ticked.filter((one) => !isAudience(one)).length, 1, 'as VS Code counts them');
    assert.deepEqual(
      list?.items.flatMap(({ description }) => (/^(?:On|Under)/.test(description ?? '') ? [description] : [])),
      ['Under except: in the document: past.csv · big', 'On your Do Not Send list: asked to stop · 7058314'],
    );
  });

  it('selects all members of a selected audience', async () => {
    onLists(isAudience);
    assert.deepEqual(await ask(), [group(GROUP), group('big'), user('7058314')]);
  });

  it('selects an audience while all of its members are selected, and shows their number', async () => {
    const lists = onLists('escape');
    const all = [group(GROUP), group('big'), user('7058314')];
    await ask(all);
    assert.equal(audienceIn(lists[0])?.description, '3 of 3 selected');
    assert.equal(ticksIn(lists[0])?.length, 4);
    await ask(all.slice(1));
    assert.equal(audienceIn(lists[1])?.description, '2 of 3 selected');
    assert.deepEqual(ticksIn(lists[1]), ['$(organization) big', '$(account) 7058314']);
  });

  it('clears only the members of a cleared audience', async () => {
    onLists((item) => !isAudience(item));
    assert.deepEqual(await ask([group(GROUP), group('big'), user('7058314')]), [user('7102649')]);
  });

  it('clears a single member of an audience', async () => {
    onLists((item) => isAudience(item) || isRowOf(GROUP, '7058314')(item));
    assert.deepEqual(await ask([group(GROUP), group('big'), user('7058314')]), [group(GROUP), user('7058314')]);
  });

  it('keeps the selection while VS Code updates a long list, and selections made meanwhile', async () => {
    const { list, tells, accepts } = slowList<RecipientItem>();
    const asked = ask();
    const on = (...wanted: ((item: QuickPickItem) => boolean)[]) =>
      list.items.filter((item) => wanted.some((wants) => wants(item)));
    const paintsTicked = async (count: number) => {
      while (list.selectedItems.length !== count) await setImmediate();
    };
    tells(on(isAudience));
    await paintsTicked(4);
    const painted = list.selectedItems;
    tells([]);
    assert.match(list.placeholder ?? '', /^3 recipients/);
    tells(on(isAudience, isRowOf('7102649')));
    assert.match(list.placeholder ?? '', /^4 recipients/);
    tells(painted);
    await paintsTicked(5);
    assert.equal(list.keepScrollPosition, true);
    tells([]);
    tells(on(isAudience, isRowOf(GROUP, 'big', '7058314', '7102649')));
    accepts();
    assert.deepEqual(await asked, [group(GROUP), group('big'), user('7102649'), user('7058314')]);
  });

  it('keeps a first selection that meets an update of the list, which clears it on the screen', async () => {
    const { list, tells, accepts } = slowList<RecipientItem>();
    const asked = ask();
    const audience = list.items.filter(isAudience);
    while (!list.items.some(({ label }) => label.includes('Riverside Town'))) await setImmediate();
    tells(audience);
    const painted = list.selectedItems;
    tells([]);
    assert.match(list.placeholder ?? '', /^3 recipients/);
    tells(painted);
    accepts();
    assert.deepEqual(await asked, [group(GROUP), group('big'), user('7058314')]);
  });

  it('clears a first selection that the user takes back', async () => {
    const { list, tells, accepts } = slowList<RecipientItem>();
    const asked = ask();
    while (!list.items.some(({ label }) => label.includes('Riverside Town'))) await setImmediate();
    tells(list.items.filter(isAudience));
    while (list.selectedItems.length !== 4) await setImmediate();
    tells(list.selectedItems);
    tells([]);
    assert.match(list.placeholder ?? '', /^Select groups and people/);
    tells(list.items.filter(isRowOf('7102649')));
    accepts();
    assert.deepEqual(await asked, [user('7102649')]);
  });

  it('keeps its title, which may wrap, and counts recipients and their members in place of the hint', async () => {
    const lists = onLists('escape');
    await ask();
    await service.directory.get('group', 'big');
    await ask([group('big'), user('7102649')]);
    const hint = 'Select groups and people (type to filter by name or ID)';
    assert.deepEqual(
      lists.map(({ title, placeholder }) => [title, placeholder]),
      [
        ['Send', hint],
        ['Send', '2 recipients · 182,340 members'],
      ],
    );
    const { list, tells, accepts } = slowList<RecipientItem>();
    const asked = ask();
    const shown = () => [list.title, list.placeholder];
    assert.deepEqual(shown(), ['Send', hint]);
    tells(list.items.filter(isRowOf('7102649')));
    assert.deepEqual(shown(), ['Send', '1 recipient']);
    tells(list.selectedItems);
    tells([]);
    assert.deepEqual(shown(), ['Send', hint]);
    accepts();
    assert.deepEqual(shown(), ['Send', 'Select at least one recipient']);
    tells(list.items.filter(isRowOf('7102649')));
    assert.deepEqual(shown(), ['Send', '1 recipient']);
    accepts();
    await asked;
  });

  it('lists an audience that can’t be read, which selects nothing', async () => {
    await configure({ audiences: { customers: CUSTOMERS, vip: { peopel: ['1'] } } });
    const lists = onLists((item) => item.label.endsWith('vip') || isRowOf('big')(item));
    assert.deepEqual(await ask(), [group('big')]);
    const vip = lists[0]?.items.find(({ label }) => label === '$(warning) vip');
    assert.match(vip?.description ?? '', /^Audience vip has entries that can't be read: "peopel"\./);
    assert.deepEqual([...settings.audiences.read().audiences.keys()], ['customers']);
  });

  it('looks up pasted IDs as groups and as people, and selects what it finds', async () => {
    const boxes = type('big，7058314\n7102649');
    const lists = onLists({ press: 'Paste IDs…' }, 'enter');
    assert.deepEqual(await ask(), [group('big'), user('7102649'), user('7058314')]);
    assert.equal(boxes[0]?.value, '');
    assert.deepEqual(ticksIn(lists[1]), [
      '$(organization) Riverside Town 河畔小镇',
      ...['7102649', '7058314'].map((id) => `$(account) ${nameOf(id)}`),
    ]);
  });

  it('takes a pasted ID for that of the row that has it, if its name is known', async () => {
    await service.directory.get('group', 'big');
    sandbox.requests.length = 0;
    type('big');
    onLists({ press: 'Paste IDs…' }, 'enter');
    assert.deepEqual(await ask(), [group('big')]);
    assert.ok(sandbox.requests.every(({ search }) => !search.includes('big')));
  });

  it('shows that names are being looked up until all have been', async () => {
    const { promise: answered, resolve } = deferred<undefined>();
    sandbox.instead = () => answered;
    const { list, accepts } = slowList<RecipientItem>();
    const asked = ask([group(GROUP)]);
    assert.equal(list.busy, true);
    resolve(undefined);
    while (list.busy) await setImmediate();
    accepts();
    await asked;
  });

  it('waits longer before it shows new names in a long list', async () => {
    const waits: number[] = [];
    const after = mock.method(timers, 'after', (ms: number) => {
      waits.push(ms);
      return () => {};
    });
    try {
      const ids = Array.from({ length: 10_000 }, (_, at) => `${at}`);
      const directory = {
        labelOf: () => undefined,
        peek: () => undefined,
        has: () => false,
        get: () => Promise.reject(new Error('down')),
      };
      service = { ...service, directory } as unknown as Service;
      const { accepts } = slowList<RecipientItem>();
      const asked = ask(ids.map(user));
      // 0.2 ms for each row, some of which are in the settings.
      while (!waits.some((ms) => ms > 2_000 && ms < 2_100)) await setImmediate();
      accepts();
      await asked;
    } finally {
      after.mock.restore();
    }
  });

  it('looks up typed IDs that no row has, instead of ignoring them', async () => {
    const boxes = type('7521170');
    // So that its row has a name, however fast it's looked up.
    await service.directory.get('group', GROUP);
    const lists = onLists({ types: '7521170', picks: isRowOf(GROUP) }, 'enter');
    assert.deepEqual(await ask([group(GROUP)]), [group(GROUP), user('7521170')]);
    assert.equal(boxes[0]?.value, '7521170');
    assert.deepEqual(ticksIn(lists[1]), [
      '$(organization) Fern & Kettle: the shop team',
      `$(account) ${nameOf('7521170')}`,
    ]);
  });

  it('takes typed digits that a row shows for a filter', async () => {
    onLists({ types: '182047', picks: isRowOf(GROUP) });
    assert.deepEqual(await ask(), [group(GROUP)]);
  });

  const nameOf = (id: string) => {
    const found = service.directory.peek('user', id);
    return found?.kind === 'user' ? found.resource.nickname : assert.fail(id);
  };

  it('shows why IDs aren’t found, and adds only those that the user selects', async () => {
    type('nosuch other');
    let shown: QuickPickItem[] = [];
    answer('showQuickPick', (async (items: QuickPickItem[], { title, placeHolder }: QuickPickOptions) => {
      shown = items;
      assert.equal(title, 'Paste IDs');
      assert.equal(placeHolder, 'Not found as groups or people. Select any you want to add anyway.');
      return items.slice(1, 2);
    }) as unknown as typeof window.showQuickPick);
    onLists({ press: 'Paste IDs…' }, 'enter');
    assert.deepEqual(await ask(), [user('nosuch')]);
    assert.deepEqual(
      shown.map(({ description }) => description),
      ['nosuch · add as a group', 'nosuch · add as a person', 'other · add as a group', 'other · add as a person'],
    );
    assert.match(shown[0]?.detail ?? '', /^Group nosuch doesn't exist\. .*error -1: “群\(ID:nosuch\)不存在。”/);
    assert.equal(shown[1]?.detail, "Person nosuch doesn't exist.");
  });

  it('asks what to add if an ID belongs to a group and a user', async () => {
    sandbox.instead = async (request) =>
      request.url.includes('userId=big')
        ? Response.json({ code: 1, msg: 'success', data: { user: { userId: 'big', nickname: 'Big' } } })
        : undefined;
    type('big');
    let shown: QuickPickItem[] = [];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      shown = items;
      return items.slice(1);
    }) as unknown as typeof window.showQuickPick);
    onLists({ press: 'Paste IDs…' }, 'enter');
    assert.deepEqual(await ask(), [user('big')]);
    assert.deepEqual(
      shown.map(({ label }) => label),
      ['$(organization) Riverside Town 河畔小镇', '$(account) Big'],
    );
  });

  it('keeps the pasted text and the selection after Escape', async () => {
    const values: (string | undefined)[] = [];
    answer('showInputBox', (async ({ value, validateInput }: InputBoxOptions) => {
      values.push(value);
      if (values.length === 1) assert.equal(typeof validateInput?.(' ,'), 'string');
      validateInput?.('big 70');
      return undefined;
    }) as unknown as typeof window.showInputBox);
    onLists({ press: 'Paste IDs…' }, { press: 'Paste IDs…' }, 'enter');
    assert.deepEqual(await ask([group('big')]), [group('big')]);
    assert.deepEqual(values, ['', 'big 70']);
  });

  it('selects who is in an audience now, even if as many were in it when the list was first shown', async () => {
    await configure({ audiences: { customers: { people: ['7102649'] } } });
    answer('showInputBox', async () => {
      await configure({ audiences: { customers: { groups: [GROUP] } } });
      return undefined;
    });
    onLists({ press: 'Paste IDs…' }, isAudience);
    assert.deepEqual(await ask(), [group(GROUP)]);
  });

  it('saves the selection as an audience, and keeps the others', async () => {
    const odd = { customers: CUSTOMERS, odd: 7 };
    await configure({ audiences: odd });
    const boxes = type(' friends ');
    const lists = onLists({ press: 'Save as Audience…' }, 'enter');
    await ask([group(GROUP), user('7102649')]);
    assert.deepEqual(written('audiences').user, { ...odd, friends: { groups: [GROUP], people: ['7102649'] } });
    assert.ok(ticksIn(lists[1])?.includes('$(list-unordered) friends'));
    assert.equal(boxes[0]?.title, 'Save as Audience');
    assert.match(boxes[0]?.prompt ?? '', /It's saved in your settings/);
  });

  it('asks for no name of an audience while the setting isn’t valid', async () => {
    await configure({ audiences: 'customers' });
    const boxes = type();
    const shown = onMessages();
    onLists({ press: 'Save as Audience…' }, 'escape');
    await ask([group('big')]);
    assert.deepEqual(shown, ["The setting botChats.audiences isn't valid. Correct it first."]);
    assert.deepEqual(boxes, []);
  });

  it('saves no audience that is too long', async () => {
    const boxes = type('all');
    const shown = onMessages();
    onLists({ press: 'Save as Audience…' }, 'escape');
    await ask(Array.from({ length: 10_001 }, (_, at) => user(`${7_000_000 + at}`)));
    assert.deepEqual(shown, ['An audience can have up to 10,000 recipients.']);
    assert.deepEqual(boxes, []);
    assert.deepEqual(written('audiences').user, { customers: CUSTOMERS });
  });

  it('asks before replacing an audience', async () => {
    const replaced = { customers: { groups: ['big'], people: [] } };
    for (const [press, now] of [
      [undefined, { customers: CUSTOMERS }],
      ['Replace', replaced],
    ] as const) {
      const shown = onMessages(() => press);
      type('customers');
      onLists({ press: 'Save as Audience…' }, 'escape');
      await ask([group('big')]);
      assert.deepEqual(shown, ['An audience named “customers” already exists. Replace it?']);
      assert.deepEqual(written('audiences').user, now);
    }
  });

  it('looks up at most 200 names, selected ones first, and stops when it is closed', async () => {
    await configure({ groups: undefined, people: undefined, audiences: undefined });
    const ids = Array.from({ length: 10_000 }, (_, at) => `g${at}`);
    const asked: [id: string, signal: AbortSignal][] = [];
    const directory = {
      labelOf: () => undefined,
      peek: () => undefined,
      has: () => false,
      get: (_kind: string, id: string, { signal }: { signal: AbortSignal }) => {
        asked.push([id, signal]);
        return new Promise(() => {});
      },
    };
    service = { ...service, directory, sandbox: { group: ids, user: [], bot: [] } } as unknown as Service;
    onLists('enter');
    assert.deepEqual(await ask([group('g9999')]), [group('g9999')]);
    assert.deepEqual(
      asked.map(([id]) => id),
      ['g9999', ...ids.slice(0, 199)],
    );
    assert.ok(asked.every(([, signal]) => signal.aborted));
    await configure({ groups: [GROUP], people: ['7102649'] });
  });
});

describe('The recipients that were chosen last', () => {
  const service = { address: 'https://chat.example' };
  const draft = { source: 'file:///drafts/a.md' };
  const chats = (count: number) => Array.from({ length: count }, (_, at) => ({ ...user(`${at}`), name: 'Ann' }));

  it('are remembered for a document and a service, without names', async () => {
    const store = new Store(memento());
    await rememberRecipients(store, service, draft, chats(2));
    assert.deepEqual(rememberedRecipients(store, service, draft), [user('0'), user('1')]);
    assert.deepEqual(rememberedRecipients(store, service, { source: 'file:///drafts/b.md' }), []);
    assert.deepEqual(rememberedRecipients(store, { address: 'https://other.example' }, draft), []);
  });

  it('aren’t remembered for a document without a place, or if they are more than 2,000', async () => {
    const store = new Store(memento());
    await rememberRecipients(store, service, { source: undefined }, chats(1));
    assert.deepEqual(rememberedRecipients(store, service, { source: undefined }), []);
    await rememberRecipients(store, service, draft, chats(2_001));
    assert.deepEqual(store.get('recipients'), []);
    await rememberRecipients(store, service, draft, chats(2_000));
    assert.equal(rememberedRecipients(store, service, draft).length, 2_000);
  });
});
