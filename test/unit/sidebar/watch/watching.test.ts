import assert from 'node:assert/strict';
import { settled } from '../../deferred.ts';
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

  it("counts messages that arrive, except the bot's own", async () => {
    const { world, pass, unread } = await watchingWindow({ a: [1, 2] });
    world.chats.a = [1, 2, 3, -4, 5];
    await pass(MINUTE);
    assert.equal(unread('a'), '2');
    world.chats.a.push(6);
    await pass(MINUTE);
    assert.equal(unread('a'), '3');
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

  it('reports that there may be more, and never reduces the count by that', async () => {
    const { world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = upTo(80);
    await pass(MINUTE);
    assert.equal(unread('a'), '50+');
    world.chats.a = upTo(130).map((name) => (name > 80 ? -name : name));
    await pass(MINUTE);
    assert.equal(unread('a'), '50+');
  });

  it('sets the mark at the first successful poll', async () => {
    const { watcher, world, pass, unread } = windowOf();
    const failure = new Error('no token');
    world.failures.a = failure;
    world.chats.a = [1];
    await watcher.watch(group('a'), BOT);
    assert.equal(watcher.state(group('a'))?.error, failure);
    delete world.failures.a;
    world.chats.a = [1, 2];
    await pass(MINUTE);
    assert.deepEqual(watcher.state(group('a')), { unread: 0, more: false, botId: BOT, error: undefined });
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
  });

  it("doesn't start over if the chat is already watched", async () => {
    const { watcher, world, unread, requests } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await watcher.watch(group('a'), BOT);
    assert.deepEqual([unread('a'), requests], ['1', ['0 a']]);
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

  it('keeps the count when a poll fails', async () => {
    const { watcher, world, pass } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await pass(MINUTE);
    const failure = new Error('no network');
    world.failures.a = failure;
    await pass(MINUTE);
    assert.deepEqual(watcher.state(group('a')), { unread: 1, more: false, botId: BOT, error: failure });
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

describe('A chat that is no longer watched', () => {
  it("has no state and isn't polled", async () => {
    const { watcher, pass, sleeping, requests, stores } = await watchingWindow({ a: [1] });
    await watcher.unwatch(group('a'));
    await pass(5 * MINUTE);
    assert.deepEqual([watcher.state(group('a')), requests, sleeping()], [undefined, [], 0]);
    assert.deepEqual([stores.at(-1), watcher.total()], [[], { unread: 0, more: false }]);
  });

  it('stays unwatched if a poll ends later', async () => {
    const { watcher, world, state, reads, pass, changes, take, announced } = await watchingWindow({ a: [1], b: [1] });
    world.chats.a = [1, 2];
    state.isHeld = true;
    await pass(MINUTE);
    const read = reads[0];
    await watcher.unwatch(group('a'));
    assert.equal(read?.signal.aborted, true);
    assert.deepEqual(take(changes), ['a']);
    read.resolve(world.page('a'));
    await settled();
    assert.deepEqual([watcher.state(group('a')), changes, announced], [undefined, [], []]);
    assert.equal(JSON.stringify(world.stored).includes('"a"'), false);
  });

  it('starts over when it is watched again, whatever its earlier poll returns', async () => {
    const { watcher, world, state, reads, pass, unread, announced } = await watchingWindow({ a: [1] });
    state.isHeld = true;
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    const [former] = reads;
    await watcher.unwatch(group('a'));
    const watched = watcher.watch(group('a'), BOT);
    await settled();
    const latest = reads.find((read) => read !== former);
    latest?.resolve(world.page('a'));
    await watched;
    former?.reject(new Error('aborted'));
    await settled();
    assert.deepEqual([unread('a'), watcher.state(group('a'))?.error, announced], ['0', undefined, []]);
  });
});
