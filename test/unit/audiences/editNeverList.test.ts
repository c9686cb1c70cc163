import assert from 'node:assert/strict';
import { commands, type ThemeIcon } from 'vscode';
import { editNeverList } from '../../../src/audiences/editNeverList.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { ChatItem } from '../../../src/presentation/chatItems.ts';
import { onLists, onMessages, restore, slowList, type } from '../answers.ts';
import { settled } from '../deferred.ts';
import { newHost } from '../test-host.ts';
import { configure, useService, written } from '../test-service.ts';
import { ALICE, named, rowsOf, until, withId } from './editor.ts';

describe('The Do Not Send list on the screen', () => {
  const _service = useService({ 'service.callsPerSecond': 1000 });
  let host: Host;
  let messages: string[];

  beforeEach(async () => {
    host = newHost();
    messages = onMessages();
    await (await host.connection.open()).directory.get('user', ALICE);
  });
  afterEach(async () => {
    restore();
    host.connection.dispose();
    await configure({ 'sending.never': undefined });
  });

  const never = () => written('sending.never').user;

  it('has who is on it with their notes, says what isn’t known of an ID, and begins with what can’t be read', async () => {
    const people = [{ id: ALICE, note: 'asked to stop' }, '7,102,649', 'nosuch', '07058314'];
    await configure({ 'sending.never': { people, groups: ['big'], bots: [] } });
    const { directory } = await host.connection.open();
    await directory.get('group', 'big');
    await assert.rejects(directory.get('user', 'nosuch'));
    const lists = onLists('escape');
    await editNeverList(host);
    const [list] = lists;
    assert.equal(list?.title, 'Do Not Send List · 4 chats (groups: 1, people: 3)');
    assert.equal(list.placeholder, 'Select someone to change the note');
    assert.deepEqual(list.focused, []);
    const isUnread = "can't be read: nothing is sent until you correct it";
    assert.deepEqual(rowsOf(list), [
      `$(warning) "bots" ${isUnread}`,
      `$(warning) "7,102,649" ${isUnread}`,
      '— Groups',
      '$(organization) Riverside Town 河畔小镇 big · 182,340 members',
      '— People',
      `$(account) Alice Fernhollow ${ALICE} · 1,204 days online`,
      "$(warning) nosuch nosuch · doesn't exist",
      '$(account) 07058314 07058314 · not looked up yet',
    ]);
    assert.deepEqual(list.items.map(({ detail }) => detail).filter(Boolean), ['asked to stop']);
    const icons = list.items.flatMap(({ buttons = [] }) => buttons.map(({ iconPath }) => (iconPath as ThemeIcon).id));
    assert.deepEqual(icons, Array(4).fill('trash'));
  });

  it('says that no one is on it, and adds no one if the user presses Escape', async () => {
    const boxes = type(undefined);
    const lists = onLists({ press: 'Add…' }, 'escape');
    await editNeverList(host);
    assert.match(lists[0]?.placeholder ?? '', /^No one is on this list yet\./);
    assert.deepEqual([boxes.length, messages, never()], [1, [], undefined]);
  });

  it('adds pasted IDs with a note, changes a note, keeps the focus there, and leaves what can’t be read', async () => {
    await configure({ 'sending.never': { people: ['a b', ALICE] } });
    const boxes = type('big 7058314', ' moved away ', 'asked to stop');
    const lists = onLists({ press: 'Add…' }, 'enter', withId(ALICE), 'escape');
    await editNeverList(host);
    assert.deepEqual(rowsOf(lists[1])?.slice(-2), [
      '— Already on this list',
      `$(account) Alice Fernhollow ${ALICE} · 1,204 days online`,
    ]);
    assert.deepEqual(lists[3]?.focused.map(withId(ALICE)), [true]);
    assert.deepEqual(
      boxes.slice(1).map((box) => [box?.title, box?.value]),
      [
        ['Never Send to Riverside Town 河畔小镇', ''],
        ['Never Send to Alice Fernhollow', ''],
      ],
    );
    assert.deepEqual(never(), {
      people: ['a b', { id: ALICE, note: 'asked to stop' }],
      groups: [{ id: 'big', note: 'moved away' }],
    });
  });

  it('removes a row, and puts it back with its note', async () => {
    const noted = { id: ALICE, note: 'asked to stop' };
    await configure({ 'sending.never': { people: [noted, '7102649'] } });
    const removing = () => onLists({ press: 'Remove from the list', on: withId(ALICE) }, 'escape');
    removing();
    await editNeverList(host);
    assert.deepEqual(never(), { people: ['7102649'] });
    assert.deepEqual(messages, ['Removed Alice Fernhollow from your Do Not Send list.']);
    await configure({ 'sending.never': { people: [noted] } });
    onMessages(() => 'Undo');
    removing();
    await editNeverList(host);
    await until(() => JSON.stringify(never()) === JSON.stringify({ people: [noted] }));
  });

  it('shows what another window changes, and opens the setting for what can’t be read', async () => {
    await configure({ 'sending.never': { people: ['a b', ALICE] } });
    const opened: unknown[] = [];
    const registered = commands.registerCommand('workbench.action.openSettings', (query) => void opened.push(query));
    const { list, isShown, tells, accepts } = slowList<ChatItem>();
    const edited = editNeverList(host);
    await isShown;
    await configure({ 'sending.never': { people: ['a b'] } });
    assert.equal(list.title, 'Do Not Send List · empty');
    // While a text is typed that no row has, Enter selects nothing.
    accepts();
    await settled();
    assert.deepEqual(opened, []);
    tells(list.items.filter(named('"a b"')));
    accepts();
    await edited;
    registered.dispose();
    assert.deepEqual(opened, ['botChats.sending.never']);
  });

  it('overwrites nothing in a setting that holds something else, says so, and stays', async () => {
    const damaged = { people: 7, groups: ['big'] };
    await configure({ 'sending.never': damaged });
    const lists = onLists({ press: 'Remove from the list', on: withId('big') }, { press: 'Add…' }, 'escape');
    await editNeverList(host);
    const said =
      'Your Do Not Send list has entries that can\'t be read, so nothing is sent: {"people":7}. Correct them in the setting botChats.sending.never.';
    assert.deepEqual([messages, lists.length, never()], [[said, said], 3, damaged]);
  });
});
