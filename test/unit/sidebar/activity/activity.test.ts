import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { Store } from '../../../../src/platform/store.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { Activity, type ShownItem } from '../../../../src/sidebar/activity/activity.ts';
import { settled } from '../../deferred.ts';
import { memento } from '../../memory.ts';
import { BOT, message } from '../watch/messages.ts';
import { MINUTE, SERVICE, World as WatchedWorld, windowOf as watchingWindow } from '../watch/watchingWindow.ts';

const A: Chat = { kind: 'group', id: 'a' };
const B: Chat = { kind: 'user', id: 'b' };

/** The messages of the service, and what all windows store. */
class World extends WatchedWorld {
  readonly memory: Memento = memento();
  override readonly chats: WatchedWorld['chats'] = { a: [], b: [] };
  #count = 0;

  /** Somebody says something in a chat. Returns its ID. */
  say({ id }: Chat, text: string, more: { parentId?: string; senderId?: string; sendTime?: number } = {}): string {
    const msgId = `m${++this.#count}`;
    const said = { msgId, sendTime: this.#count, senderId: 'alice', contentType: 'text', content: { text }, ...more };
    this.chats[id]?.push(message(said));
    return msgId;
  }
}

/** A window that watches chats and keeps their activity. */
function windowOf(world: World, words: unknown[] = []) {
  const window = watchingWindow(world);
  const { inService: watcher, clock, state, pass, arrived } = window;
  const store = new Store(world.memory);
  const set = { words };
  const marked: string[] = [];
  const activity = new Activity({
    store,
    watcher,
    words: () => set.words,
    changed: (chats) => void marked.push(...chats.map(({ id }) => id)),
    clock,
  });
  window.onChange = (chat) => void activity.chatsChanged([chat]);
  window.onPoll = (watches) => void activity.add(watches);
  return {
    activity,
    marked,
    pass,
    set,
    state,
    store,
    stores: window.stores,
    watcher,
    read: (chat: Chat, msgId: string) => window.watcher.markSeen(chat, { msgId, sendTime: Number(msgId.slice(1)) }),
    watch: (...chats: Chat[]) =>
      watcher.watch(
        SERVICE,
        chats.map((chat) => ({ chat, botId: BOT })),
      ),
    /** The window gets the focus. */
    focus: async () => {
      watcher.wake();
      activity.refresh();
      await settled();
    },
    /** What is listed, with the reasons. */
    shown: () => activity.items.map(textOf),
    /** What a notification would announce of the messages that arrived, and forgets them. */
    announced: () => activity.unseenMatches(arrived.splice(0)).map(textOf),
  };
}

const textOf = ({ text, isUnread, isReply, words }: ShownItem) =>
  [text, isUnread && 'unread', isReply && 'reply', ...words].filter(Boolean).join(', ');

/** A window that watches both chats, whose messages were read. */
async function watching(words: unknown[] = []) {
  const world = new World();
  const window = windowOf(world, words);
  await window.watch(A, B);
  return { world, ...window };
}

describe('Activity', () => {
  it('has the unread messages of all watched chats, newest first, until they are read', async () => {
    const { world, pass, shown, read } = await watching();
    world.say(A, 'one');
    world.say(B, 'two');
    const last = world.say(A, 'three');
    assert.deepEqual(shown(), []);
    await pass(MINUTE);
    assert.deepEqual(shown(), ['three, unread', 'two, unread', 'one, unread']);
    await read(A, last);
    assert.deepEqual(shown(), ['two, unread']);
  });

  it("keeps replies to the bot's own messages and messages with words, also when they are read", async () => {
    const { world, pass, shown, read } = await watching(['deploy', '发布']);
    const sent = world.say(A, 'Lunch?', { senderId: BOT });
    const other = world.say(A, 'Hello');
    world.say(A, 'Yes', { parentId: sent });
    world.say(A, 'Hello yourself', { parentId: other });
    world.say(A, 'We 发布 and deploy');
    const last = world.say(A, 'bye');
    await pass(MINUTE);
    assert.deepEqual(shown(), [
      'bye, unread',
      'We 发布 and deploy, unread, deploy, 发布',
      'Hello yourself, unread',
      'Yes, unread, reply',
      'Hello, unread',
    ]);
    await read(A, last);
    assert.deepEqual(shown(), ['We 发布 and deploy, deploy, 发布', 'Yes, reply']);
  });

  it('knows a reply to a message that an earlier check has found, even after a restart, and invents none', async () => {
    const { world, pass } = await watching();
    const before = world.say(A, 'An old announcement', { senderId: BOT, sendTime: 0 });
    for (let i = 0; i < 60; i++) world.say(A, 'noise');
    const sent = world.say(A, 'Lunch?', { senderId: BOT });
    await pass(MINUTE);
    for (let i = 0; i < 60; i++) world.say(A, 'noise');
    world.say(A, 'Too late', { parentId: before });
    world.say(A, 'Yes', { parentId: sent });
    world.say(A, 'A person with the ID of the bot', { parentId: 'm62', senderId: 'bob' });
    const { focus, shown } = windowOf(world);
    await focus();
    assert.deepEqual(
      shown().filter((text) => !text.startsWith('noise')),
      ['A person with the ID of the bot, unread, reply', 'Yes, unread, reply', 'Too late, unread'],
    );
  });

  it('is the same in all windows, whichever has found it', async () => {
    const { world, pass, shown, read } = await watching(['deploy']);
    const other = windowOf(world, ['deploy']);
    other.state.isActive = false;
    world.say(A, 'deploy');
    const last = world.say(B, 'two');
    await pass(MINUTE);
    await other.focus();
    assert.deepEqual(other.shown(), ['two, unread', 'deploy, unread, deploy']);
    assert.deepEqual(other.shown(), shown());
    await other.read(B, last);
    await read(A, 'm1');
    await other.focus();
    assert.deepEqual(other.shown(), ['deploy, deploy']);
  });

  it('keeps what two windows find at once, and announces each message once', async () => {
    const first = await watching(['deploy']);
    const { world } = first;
    const second = windowOf(world, ['deploy']);
    await second.focus();
    world.say(A, 'deploy');
    world.say(B, 'deploy, too');
    await Promise.all([first.pass(MINUTE), second.pass(MINUTE)]);
    assert.equal(first.announced().length + second.announced().length, 2);
    assert.deepEqual(first.shown(), ['deploy, too, unread, deploy', 'deploy, unread, deploy']);
    await second.focus();
    assert.deepEqual(second.shown(), first.shown());
    // What one window has lost is found again.
    await first.store.set('activity', []);
    await second.pass(MINUTE);
    assert.deepEqual(second.shown().length, 2);
    assert.deepEqual([...first.announced(), ...second.announced()], []);
  });

  it('announces replies and words that are still unread, but nothing else', async () => {
    const { world, pass, announced, read } = await watching(['deploy']);
    world.say(A, 'hello');
    const seen = world.say(A, 'deploy');
    world.say(B, 'deploy');
    await pass(MINUTE);
    await read(A, seen);
    assert.deepEqual(announced(), ['deploy, unread, deploy']);
    await pass(MINUTE);
    assert.deepEqual(announced(), []);
  });

  it('says which chats have unread messages that need the user, and which rows have changed', async () => {
    const { world, pass, activity, marked, read, set } = await watching(['deploy', 'tea']);
    const sent = world.say(A, 'Lunch?', { senderId: BOT });
    world.say(A, 'deploy');
    const last = world.say(A, 'tea', { parentId: sent });
    world.say(B, `deploy${'x'.repeat(200)}`);
    await pass(MINUTE);
    const { isReply, words } = activity.matchOf(A) ?? {};
    assert.deepEqual([isReply, words, activity.matchOf(B)], [true, ['tea', 'deploy'], undefined]);
    assert.deepEqual(marked.splice(0), ['a']);
    await pass(MINUTE);
    assert.deepEqual(marked, []);
    set.words = ['hello'];
    activity.refresh();
    assert.deepEqual(marked.splice(0), ['a']);
    set.words = ['tea'];
    activity.refresh();
    assert.deepEqual(marked.splice(0), ['a']);
    await read(A, last);
    assert.deepEqual([activity.matchOf(A), marked], [undefined, ['a']]);
  });

  it('is marked as read in all chats, for histories, too', async () => {
    const { world, pass, shown, activity, store, watcher } = await watching(['deploy']);
    world.say(A, 'deploy');
    const last = world.say(B, 'hello');
    await pass(MINUTE);
    await activity.markAllRead();
    assert.deepEqual([shown(), watcher.total().unread], [['deploy, deploy'], 0]);
    assert.deepEqual(store.find('readMarks', { ...B, service: SERVICE.address, botId: BOT })?.msgId, last);
    const other = windowOf(world, ['deploy']);
    await other.focus();
    assert.deepEqual(other.shown(), ['deploy, deploy']);
  });

  it('are read up to the one that is marked as read, in their history, too', async () => {
    const { world, pass, shown, watcher, activity, store } = await watching([]);
    world.say(A, 'one');
    const two = world.say(A, 'two');
    world.say(A, 'three');
    world.say(B, 'four');
    await pass(MINUTE);
    await activity.markRead(activity.items.find(({ msgId }) => msgId === two) ?? assert.fail());
    assert.deepEqual([shown(), watcher.total().unread], [['four, unread', 'three, unread'], 2]);
    assert.equal(store.find('readMarks', { ...A, service: SERVICE.address, botId: BOT })?.msgId, two);
  });

  it('stores once that many chats are read', async () => {
    const { world, pass, watcher, activity, stores } = await watching([]);
    world.say(A, 'one');
    world.say(B, 'two');
    await pass(MINUTE);
    const stored: string[] = [];
    const update = world.memory.update.bind(world.memory);
    world.memory.update = async (key: string, value: unknown) => {
      stored.push(key);
      await update(key, value);
    };
    stores.splice(0);
    await activity.markAllRead();
    assert.deepEqual([watcher.total().unread, stored, stores.length], [0, ['readMarks'], 1]);
  });

  it("marks messages that can't be read as read, too", async () => {
    const { world, pass, watcher, activity, store } = await watching([]);
    world.chats.a?.push('x');
    const last = world.say(B, 'hello');
    world.chats.b?.push('x');
    await pass(MINUTE);
    assert.equal(watcher.total().unread, 3);
    await activity.markAllRead();
    await pass(MINUTE);
    assert.equal(watcher.total().unread, 0);
    assert.deepEqual(
      store.get('readMarks').map(({ id, msgId }) => [id, msgId]),
      [['b', last]],
    );
  });

  it('leaves out chats that are no longer watched or not in the sidebar, and forgets the former', async () => {
    const { world, pass, shown, watcher, state, activity, store, watch } = await watching(['deploy']);
    world.say(A, 'deploy');
    world.say(B, 'deploy, too');
    await pass(MINUTE);
    state.unlisted.add('b');
    activity.refresh();
    assert.deepEqual(shown(), ['deploy, unread, deploy']);
    await watcher.unwatch(A);
    assert.deepEqual(shown(), []);
    assert.deepEqual(
      store.get('activity').map(({ id }) => id),
      ['b'],
    );
    state.unlisted.clear();
    await watch(A);
    assert.deepEqual(shown(), ['deploy, too, unread, deploy']);
  });

  it("forgets what is read and has no other reason, and doesn't save without a change", async () => {
    const { world, pass, store, read } = await watching(['deploy']);
    world.say(A, 'hello');
    const last = world.say(A, 'deploy');
    await pass(MINUTE);
    await read(A, last);
    await pass(MINUTE);
    assert.deepEqual(
      store.get('activity').map(({ text }) => text),
      ['deploy'],
    );
    const { update } = world.memory;
    world.memory.update = () => assert.fail('nothing has changed');
    await pass(3 * MINUTE);
    world.memory.update = update;
  });

  it('is bounded: the newest are kept', async () => {
    const { world, pass, store } = await watching();
    for (let round = 0; round < 8; round++) {
      for (let i = 0; i < 50; i++) world.say(A, 'hello');
      await pass(MINUTE);
    }
    const stored = store.get('activity');
    assert.deepEqual([stored.length, stored[0]?.msgId, stored.at(-1)?.msgId], [300, 'm400', 'm101']);
  });

  it('that needs the user is not pushed out by what is only unread, until it is read', async () => {
    const { world, pass, shown, read } = await watching(['deploy']);
    const match = world.say(B, 'deploy');
    const chatter = async () => {
      for (let burst = 0; burst < 8; burst++) {
        for (let count = 0; count < 40; count++) world.say(A, 'hello');
        await pass(MINUTE);
      }
    };
    await chatter();
    assert.deepEqual([shown().length, shown().at(-1)], [300, 'deploy, unread, deploy']);
    await read(B, match);
    await chatter();
    assert.deepEqual([shown().length, shown().at(-1)], [300, 'hello, unread']);
  });

  it('loses what was deleted with the next check, as the count does, whichever it was and also after a restart', async () => {
    for (const deleted of [[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]]) {
      for (const isRestarted of [false, true]) {
        const first = await watching(['deploy']);
        const { world } = first;
        const texts = ['deploy one', 'two', 'deploy three'];
        for (const text of texts) world.say(A, text);
        await first.pass(MINUTE);
        assert.equal(first.shown().length, 3);
        world.chats.a = world.names('a').filter((_, at) => !deleted.includes(at));
        if (isRestarted) first.watcher.dispose();
        const { shown, pass, focus, watcher, read, activity, store } = isRestarted
          ? windowOf(world, ['deploy'])
          : first;
        await (isRestarted ? focus() : pass(MINUTE));
        const left = texts.filter((_, at) => !deleted.includes(at)).toReversed();
        const all = left.map((text) => (text.startsWith('deploy') ? `${text}, unread, deploy` : `${text}, unread`));
        assert.deepEqual(
          [shown(), watcher.total().unread, store.get('activity').length],
          [all, left.length, left.length],
        );
        assert.equal(
          activity.matchOf(A) !== undefined,
          left.some((text) => text.startsWith('deploy')),
        );
        const [newest] = world.page('a');
        if (newest?.readable) await read(A, newest.message.msgId);
        const kept = left.filter((text) => text.startsWith('deploy')).map((text) => `${text}, deploy`);
        assert.deepEqual([shown(), watcher.total().unread], [kept, 0]);
      }
    }
  });

  it('keeps what is older than the newest page, which may still be there', async () => {
    const { world, pass, shown } = await watching(['deploy']);
    world.say(A, 'deploy');
    await pass(MINUTE);
    for (let count = 0; count < 60; count++) world.say(A, 'hello');
    await pass(MINUTE);
    assert.deepEqual(shown().at(-1), 'deploy, unread, deploy');
  });

  it('keeps what another window has found when a check fails', async () => {
    const { world, pass, shown, focus } = await watching(['deploy']);
    const other = windowOf(world, ['deploy']);
    await other.focus();
    world.say(A, 'deploy');
    await other.pass(MINUTE);
    world.failures.a = new Error('unreachable');
    await pass(MINUTE);
    await focus();
    assert.deepEqual([shown(), other.shown()], [['deploy, unread, deploy'], ['deploy, unread, deploy']]);
  });

  it('has nothing that this outbox has sent as another bot, in no window, but what replies to it', async () => {
    const { world, pass, watcher, shown, announced, store } = await watching(['deploy']);
    const early = world.say(A, 'deploy', { senderId: 'bot-8' });
    const service = SERVICE.address;
    await watcher.markSent({ service, messages: [{ ...A, msgId: early }] });
    await pass(MINUTE);
    assert.deepEqual([shown(), watcher.total().unread, announced()], [[], 0, []]);
    // The check was faster than the answer to the call.
    const late = world.say(A, 'deploy, too', { senderId: 'bot-8' });
    await pass(MINUTE);
    assert.deepEqual([shown().length, watcher.total().unread], [1, 1]);
    await watcher.markSent({ service: 'https://other.example', messages: [{ ...A, msgId: late }] });
    assert.equal(watcher.total().unread, 1);
    await watcher.markSent({ service, messages: [{ ...A, msgId: late }] });
    assert.deepEqual([shown(), watcher.total().unread], [[], 0]);
    world.say(A, 'Yes', { parentId: late });
    await pass(MINUTE);
    assert.deepEqual([shown(), store.get('activity').length], [['Yes, unread, reply'], 1]);
    const other = windowOf(world, ['deploy']);
    await other.focus();
    assert.deepEqual([other.shown(), other.watcher.total().unread], [['Yes, unread, reply'], 1]);
  });

  it('of another service is kept, but not shown', async () => {
    const { world, pass, shown, store } = await watching();
    const place = { service: 'https://other.example', ...A, botId: BOT };
    const other = { ...place, msgId: 'x', sendTime: 0, sender: '', senderId: '', text: 'x', isReply: true, words: [] };
    await store.set('activity', [other]);
    world.say(A, 'hello');
    await pass(MINUTE);
    assert.deepEqual([shown(), store.get('activity').length], [['hello, unread'], 2]);
  });
});
