import assert from 'node:assert/strict';
import { BOT, markOf, upTo } from './messages.ts';
import { group, MINUTE, watchingWindow, windowOf } from './watchingWindow.ts';

describe('Watching a chat', () => {
  it('polls at once and treats the messages as seen', async () => {
    const { watcher, world, unread, requests, announced } = windowOf();
    world.chats.a = upTo(80);
    assert.equal(watcher.state(group('a')), undefined);
    await watcher.watch(group('a'), BOT);
    assert.deepEqual(watcher.state(group('a')), { unread: 0, more: false, botId: BOT, error: undefined });
    assert.deepEqual([unread('a'), requests, announced], ['0', ['0 a'], []]);
  });

  it("finds others' messages before very many of the bot's own, which it reads once", async () => {
    const { watcher, world, pass, unread, announced, requests } = await watchingWindow({ a: [1] });
    const own = (from: number, to: number) => upTo(to, from).map((name) => -name);
    world.chats.a = [1, 2, ...own(3, 80)];
    await pass(MINUTE);
    assert.deepEqual([unread('a'), announced, requests.length], ['1', [{ a: 1 }], 2]);
    world.chats.a.push(...own(81, 90));
    await pass(MINUTE);
    assert.deepEqual([unread('a'), announced.length, requests.length], ['1+', 1, 3]);
    await watcher.markSeen(group('a'), markOf(90));
    for (let poll = 0; poll < 3; poll++) {
      world.chats.a.push(...own(91 + 30 * poll, 120 + 30 * poll));
      await pass(MINUTE);
    }
    assert.deepEqual([unread('a'), requests.length], ['0', 6]);
  });

  it('reads further messages no more than once if the service lists no more', async () => {
    const { world, pass, state, unread, requests } = await watchingWindow({ a: [1] });
    state.mostListed = 50;
    world.chats.a = [1, 2, ...upTo(80, 3).map((name) => -name)];
    await pass(3 * MINUTE);
    assert.deepEqual([unread('a'), requests.length], ['0+', 4]);
  });

  it("reads no further messages again while the bot's own go on after those that were read", async () => {
    const { world, pass, unread, requests } = await watchingWindow({ a: [] });
    const own = (from: number, to: number) => upTo(to, from).map((name) => -name);
    world.chats.a = own(1, 60);
    await pass(MINUTE);
    assert.equal(requests.length, 2);
    for (let poll = 0; poll < 3; poll++) {
      world.chats.a.push(...own(61 + 20 * poll, 80 + 20 * poll));
      await pass(MINUTE);
    }
    assert.deepEqual([unread('a'), requests.length], ['0+', 5]);
    world.chats.a.push(121, ...own(122, 180));
    await pass(MINUTE);
    assert.deepEqual([unread('a'), requests.length], ['1+', 7]);
  });

  it("doesn't count messages that were unreadable at first", async () => {
    const { world, pass, unread, announced } = await watchingWindow({ a: ['x', 'y'] });
    await pass(MINUTE);
    assert.deepEqual([unread('a'), announced], ['0', []]);
    world.chats.a = ['x', 'y', 1];
    await pass(MINUTE);
    assert.deepEqual([unread('a'), announced], ['1', [{ a: 1 }]]);
  });

  it('starts over if another bot reads the chat', async () => {
    const { watcher, world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await watcher.watch(group('a'), 'another');
    assert.deepEqual(watcher.state(group('a')), { unread: 0, more: false, botId: 'another', error: undefined });
    world.chats.a = [1, 2, -3];
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
  });

  it('reports each change once, and nothing if nothing changed', async () => {
    const { watcher, world, pass, changes, take } = await watchingWindow({ a: [1], b: [1] });
    await pass(5 * MINUTE);
    assert.deepEqual(take(changes), []);
    world.chats.a = [1, 2];
    await pass(5 * MINUTE);
    assert.deepEqual(take(changes), ['a']);
    await watcher.markSeen(group('a'), markOf(2));
    assert.deepEqual(take(changes), ['a']);
    await watcher.unwatch(group('b'));
    assert.deepEqual(take(changes), ['b']);
    assert.equal(watcher.state(group('b')), undefined);
  });

  it('distinguishes chats with the same ID by their types', async () => {
    const { watcher, world, unread } = await watchingWindow({ a: [1] });
    await watcher.watch({ kind: 'user', id: 'a' }, BOT);
    world.chats.a = [1, 2];
    await watcher.poll({ kind: 'user', id: 'a' });
    assert.deepEqual([unread('a'), watcher.state({ kind: 'user', id: 'a' })?.unread], ['0', 1]);
  });
});

describe('A seen chat', () => {
  it('stays seen when an older message is seen', async () => {
    const { watcher, world, pass, unread, stores, take } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    await watcher.markSeen(group('a'), markOf(3));
    take(stores);
    await watcher.markSeen(group('a'), markOf(2));
    await watcher.markSeen(group('a'), markOf(3));
    assert.deepEqual([unread('a'), stores], ['0', []]);
  });

  it("is ignored if it isn't watched", async () => {
    const { watcher, stores, changes, requests } = windowOf();
    await watcher.markSeen(group('a'), markOf(1));
    await watcher.unwatch(group('a'));
    await watcher.poll(group('a'));
    assert.deepEqual([stores, changes, requests], [[], [], []]);
  });
});
