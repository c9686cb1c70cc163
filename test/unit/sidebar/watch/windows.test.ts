import assert from 'node:assert/strict';
import { settled } from '../../deferred.ts';
import { BOT, markOf } from './messages.ts';
import { group, MINUTE, watchingWindow, windowOf } from './watchingWindow.ts';

/** Two windows with the same chats. The second was just opened. */
async function twoWindows(names: number[]) {
  const first = await watchingWindow({ a: names, b: names });
  const second = windowOf(first.world);
  second.watcher.wake();
  await settled();
  return { world: first.world, first, second };
}

describe('The list of watched chats', () => {
  it('reports only changed chats after a restart', async () => {
    const { world } = await watchingWindow({ a: [1], b: [1] });
    world.chats.a = [1, 2];
    const { watcher, changes } = windowOf(world);
    watcher.wake();
    await settled();
    assert.deepEqual(changes, ['a']);
  });

  it('gets a new mark from a poll if the stored one is invalid', async () => {
    const { world } = await watchingWindow({ a: [1] });
    world.stored = [{ kind: 'group', id: 'a', botId: BOT, seen: undefined, heard: markOf(1) }];
    windowOf(world).watcher.wake();
    await settled();
    assert.deepEqual(world.stored, [{ kind: 'group', id: 'a', botId: BOT, seen: markOf(1), heard: markOf(1) }]);
  });

  it("isn't saved again if nothing changes", async () => {
    const { pass, stores } = await watchingWindow({ a: [1], b: [1] });
    await pass(10 * MINUTE);
    assert.deepEqual(stores, []);
  });

  it('knows what another window has just saved', async () => {
    const { world, first, second } = await twoWindows([1]);
    world.chats.c = [1];
    await second.watcher.watch(group('c'), BOT);
    world.chats.c = [1, 2, 3];
    await first.watcher.markSeen(group('c'), markOf(2));
    await second.watcher.unwatch(group('a'));
    first.requests.splice(0);
    await first.watcher.poll(group('a'));
    assert.deepEqual(first.requests, ['0 c']);
    await first.watcher.watch(group('c'), BOT);
    assert.equal(first.unread('c'), '1');
    world.chats.d = [1];
    await second.watcher.watch(group('d'), BOT);
    await first.watcher.unwatch(group('d'));
    assert.equal(JSON.stringify(world.stored).includes('"d"'), false);
    await second.watcher.watch(group('d'), BOT);
    world.chats.d = [1, 2];
    await first.watcher.watch(group('d'), BOT);
    assert.equal(first.unread('d'), '1');
  });

  it('follows another window that changes the bot of a chat', async () => {
    const { world, first } = await twoWindows([1]);
    const [a, b] = world.stored;
    assert.ok(a && b);
    world.stored = [a, { ...b, botId: 'other', seen: undefined }];
    first.state.isActive = false;
    first.watcher.wake();
    assert.equal(first.watcher.state(group('b'))?.botId, 'other');
    assert.deepEqual(first.changes, ['b']);
  });

  it('cancels a poll if another window stops watching the chat', async () => {
    const { world, first, second } = await twoWindows([1]);
    world.chats.a = [1, 2];
    first.state.isHeld = true;
    await first.pass(MINUTE);
    await second.watcher.unwatch(group('a'));
    first.reads[0]?.resolve(world.page('a'));
    await settled();
    assert.deepEqual([first.unread('a'), first.announced], [undefined, []]);
    assert.equal(JSON.stringify(world.stored).includes('"a"'), false);
  });
});

describe('A window that is disposed during a change', () => {
  it('reports no other change, saves nothing and makes no request', async () => {
    const { world, second } = await twoWindows([1]);
    const third = windowOf(world);
    Object.assign(world.chats, { a: [1, 2], b: [1, 2] });
    third.watcher.wake();
    await settled();
    for (const record of [third.changes, third.requests, third.stores]) record.splice(0);
    third.onChange = () => third.watcher.dispose();
    for (const id of ['a', 'b']) await second.watcher.markSeen(group(id), markOf(2));
    await third.watcher.watch(group('c'), BOT);
    assert.deepEqual([third.changes, third.stores, third.requests], [['a'], [], []]);
    assert.deepEqual(third.watcher.total(), { unread: 0, more: false });
  });
});

describe('If saving fails', () => {
  const failure = new Error('disk full');

  it('a chat is still watched and shows the error', async () => {
    const { watcher, world, state, pass, unread, changes, stores } = await watchingWindow({ saved: [1] });
    state.storeFailure = failure;
    world.chats.a = [1];
    await watcher.watch(group('a'), BOT);
    assert.deepEqual(watcher.state(group('a')), { unread: 0, more: false, botId: BOT, error: failure });
    assert.equal(watcher.state(group('saved'))?.error, undefined);
    world.chats.a = [1, 2];
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
    await watcher.markSeen(group('a'), markOf(2));
    await pass(MINUTE);
    assert.deepEqual([unread('a'), watcher.state(group('a'))?.error], ['0', failure]);
    changes.splice(0);
    state.storeFailure = undefined;
    await pass(MINUTE);
    assert.equal(watcher.state(group('a'))?.error, undefined);
    assert.deepEqual(world.stored.at(-1), { kind: 'group', id: 'a', botId: BOT, seen: markOf(2), heard: markOf(2) });
    assert.deepEqual(changes, ['a']);
    stores.splice(0);
    await pass(MINUTE);
    assert.deepEqual(stores, []);
  });

  it('an earlier change that is being saved hides no error of a later one', async () => {
    const { watcher, state } = await watchingWindow({ a: [1] });
    const earlier = watcher.markSeen(group('a'), markOf(2));
    state.storeFailure = failure;
    const later = watcher.markSeen(group('a'), markOf(3));
    await Promise.all([earlier, later]);
    assert.equal(watcher.state(group('a'))?.error, failure);
  });

  it('changes of other windows still apply', async () => {
    const { world, first, second } = await twoWindows([1]);
    Object.assign(world.chats, { a: [1, 2], b: [1, 2] });
    first.state.storeFailure = failure;
    await first.watcher.markSeen(group('a'), markOf(2));
    await first.watcher.markSeen(group('b'), markOf(2));
    await second.watcher.unwatch(group('a'));
    first.watcher.wake();
    assert.deepEqual([first.unread('a'), first.unread('b')], [undefined, '0']);
  });

  it('nothing is saved after disposal either', async () => {
    const { watcher, world, state, reads, pass } = await watchingWindow({ a: [1] });
    state.storeFailure = failure;
    await watcher.markSeen(group('a'), markOf(2));
    state.isHeld = true;
    await pass(MINUTE);
    watcher.dispose();
    state.storeFailure = undefined;
    reads[0]?.reject(new Error('aborted'));
    await settled();
    assert.deepEqual(world.stored, [{ kind: 'group', id: 'a', botId: BOT, seen: markOf(1), heard: markOf(1) }]);
  });

  it('a chat is still no longer watched, and that is saved as soon as possible', async () => {
    const { watcher, world, state, pass, unread } = await watchingWindow({ a: [1], b: [1] });
    state.storeFailure = failure;
    await watcher.unwatch(group('a'));
    watcher.wake();
    await pass(MINUTE);
    // Another window saves what it has seen.
    await windowOf(world).watcher.markSeen(group('b'), markOf(2));
    watcher.wake();
    assert.equal(unread('a'), undefined);
    assert.equal(JSON.stringify(world.stored).includes('"a"'), true);
    state.storeFailure = undefined;
    await pass(MINUTE);
    assert.equal(JSON.stringify(world.stored).includes('"a"'), false);
    assert.deepEqual([unread('a'), unread('b')], [undefined, '0']);
  });
});
