import assert from 'node:assert/strict';
import { commands, type InputBoxOptions, type window } from 'vscode';
import type { AudienceManager } from '../../../src/audiences/audienceManager.ts';
import { askMembers } from '../../../src/audiences/memberList.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { ChatItem } from '../../../src/presentation/chatItems.ts';
import { answer, onLists, onMessages, slowList, type } from '../answers.ts';
import { configure, useService } from '../test-service.ts';
import {
  ALICE,
  audiences,
  becomes,
  CUSTOMERS,
  GROUP,
  group,
  named,
  openEditor,
  openFile,
  rowsOf,
  undoAfter,
  until,
  withId,
} from './editor.ts';

describe('The members of an audience', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  let host: Host;
  let manager: AudienceManager;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ host, manager, close } = await openEditor(service));
  });
  afterEach(() => close());

  it('with the names that are known, and goes back on Escape', async () => {
    await (await host.connection.open()).directory.get('group', 'big');
    const lists = onLists(named('customers'), 'escape', 'escape');
    await manager.manageAudiences();
    assert.equal(lists.length, 3);
    assert.equal(lists[1]?.title, 'customers · 3 chats (groups: 2, people: 1)');
    assert.equal(lists[1]?.placeholder, 'Select recipients to remove, then press Enter');
    assert.deepEqual(rowsOf(lists[1]), [
      '— Groups',
      `$(organization) ${GROUP} ${GROUP} · not looked up yet`,
      '$(organization) Riverside Town 河畔小镇 big · 182,340 members',
      '— People',
      `$(account) ${ALICE} ${ALICE} · not looked up yet`,
    ]);
    assert.deepEqual(rowsOf(lists[2]), rowsOf(lists[0]));
  });

  it('removes the selected members, and restores them', async () => {
    const messages = onMessages();
    onLists(named('customers'), withId('big', ALICE), 'escape', 'escape');
    await manager.manageAudiences();
    assert.deepEqual(audiences().customers, { groups: [GROUP], people: [] });
    assert.deepEqual(messages, ['Removed 2 recipients from “customers”.']);
    const undone = onMessages(() => 'Undo');
    onLists(named('customers'), withId(GROUP), 'escape', 'escape');
    await manager.manageAudiences();
    await becomes({ groups: [GROUP], people: [] });
    assert.deepEqual(undone, ['Removed 1 recipient from “customers”.']);
  });

  it('doesn’t restore members of an audience that another window has deleted meanwhile', async () => {
    const messages = undoAfter({ friends: {} });
    onLists(named('customers'), withId('big'), 'escape');
    await manager.manageAudiences();
    await until(() => messages.length > 0);
    assert.deepEqual(messages, ['There is no audience named “customers” anymore.']);
    assert.deepEqual(audiences(), { friends: {} });
  });

  it('removes no one who isn’t selected anymore when Enter is pressed, and goes back if that is everyone', async () => {
    const { list, tells, accepts } = slowList<ChatItem>();
    const asked = askMembers('customers', host, await host.connection.open());
    tells(list.items.filter(withId('big')));
    // The same items are selected again after a change, but the user is faster than VS Code's report of that.
    await configure({ audiences: { customers: { groups: ['big'], people: [ALICE] } } });
    tells([]);
    accepts();
    assert.equal(await asked, undefined);
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
    assert.equal(list.busy, true);
    tells(list.items.filter(withId('big')));
    await shows(/Alice/);
    // VS Code reports an empty selection after new items, and then the one that was set.
    tells([]);
    answerGroups();
    await shows(/Riverside/);
    await until(() => !list.busy);
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
    assert.match(list.placeholder ?? '', /^No one is on this list yet\./);
    await configure({ audiences: {} });
    assert.equal(await asked, undefined);
  });

  it('adds pasted IDs, and shows what each is and whether it is in the audience', async () => {
    type('7102649 big nosuch');
    const lists = onLists(named('customers'), { press: 'Add…' }, 'enter', 'escape', 'escape');
    await manager.manageAudiences();
    assert.deepEqual(rowsOf(lists[2]), [
      '— Found',
      '☑ $(account) 闻山禾 7102649 · add as a person',
      "— Doesn't exist",
      '$(organization) nosuch nosuch · add as a group',
      '$(account) nosuch nosuch · add as a person',
      '— Already on this list',
      '$(organization) big big',
    ]);
    assert.deepEqual(audiences().customers, { groups: [GROUP, 'big'], people: [ALICE, '7102649'] });
  });

  it('says of the ID of a bot what it is, if that is remembered', async () => {
    await (await host.connection.open()).directory.get('bot', '30481126');
    type('30481126');
    const lists = onLists(named('customers'), { press: 'Add…' }, 'escape', 'escape', 'escape');
    await manager.manageAudiences();
    assert.match(lists[2]?.items[1]?.detail ?? '', /^This is the ID of a bot: Order Desk\. /);
  });

  it('goes back from the found IDs to the typed text, and then to the members', async () => {
    const values: (string | undefined)[] = [];
    answer('showInputBox', (async ({ value }: InputBoxOptions) => {
      values.push(value);
      return values.length === 1 ? 'big 7102649' : undefined;
    }) as unknown as typeof window.showInputBox);
    const lists = onLists(named('customers'), { press: 'Add…' }, { press: 'Back' }, 'escape', 'escape');
    await manager.manageAudiences();
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
    await manager.manageAudiences();
    // 200 names, and one ID as a group and as a user.
    assert.equal(service.requests.length - asked, 202);
    assert.deepEqual(audiences().customers, { groups: [GROUP], people: ['7102649', 'u9996'] });
  });

  it('says why a file can’t be used, and stays', async () => {
    const messages = onMessages();
    await openFile(' ');
    const lists = onLists(named('customers'), { press: 'From File…' }, 'escape', 'escape');
    await manager.manageAudiences();
    assert.deepEqual(messages, ['There are no IDs in this file.']);
    assert.equal(lists[2]?.title, lists[1]?.title);
  });

  it('opens the settings for an audience that can’t be read', async () => {
    await configure({ audiences: { odd: 7 } });
    const opened: unknown[] = [];
    const registered = commands.registerCommand('workbench.action.openSettings', (query) => void opened.push(query));
    onLists(named('odd'));
    await manager.manageAudiences();
    registered.dispose();
    assert.deepEqual(opened, ['botChats.audiences']);
  });
});
