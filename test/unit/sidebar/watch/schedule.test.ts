import assert from 'node:assert/strict';
import { settled } from '../../deferred.ts';
import { BOT } from './messages.ts';
import { group, MINUTE, watchingWindow, windowOf } from './watchingWindow.ts';

const chats = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, [1]]));

describe('Polls', () => {
  it('run once a minute', async () => {
    const { pass, requests, sleeping } = await watchingWindow(chats('a', 'b'));
    await pass(MINUTE - 1);
    assert.deepEqual([requests, sleeping()], [[], 1]);
    await pass(1);
    assert.deepEqual(requests, ['1 a', '1 b']);
    await pass(2 * MINUTE);
    assert.deepEqual(requests, ['1 a', '1 b', '2 a', '2 b', '3 a', '3 b']);
  });

  it('start with the first wake-up', async () => {
    const { world } = await watchingWindow(chats('a'));
    const { watcher, pass, requests, sleeping } = windowOf(world);
    await pass(5 * MINUTE);
    assert.deepEqual([requests, sleeping()], [[], 0]);
    watcher.wake();
    await settled();
    assert.deepEqual(requests, ['5 a']);
  });

  it('that are due run at once when the focus returns', async () => {
    const { watcher, world, pass, focus, requests } = await watchingWindow(chats('a'));
    await pass(0.5 * MINUTE);
    world.chats.b = [1];
    await watcher.watch(group('b'), BOT);
    requests.splice(0);
    await focus(false);
    await focus(true);
    assert.deepEqual(requests, []);
    await focus(false);
    await pass(0.75 * MINUTE);
    await focus(true);
    assert.deepEqual(requests, ['1.25 a']);
    await pass(0.25 * MINUTE);
    assert.deepEqual(requests, ['1.25 a', '1.5 b']);
  });

  it('that are queued wait for the focus to return', async () => {
    const { world, state, pass, focus, reads, requests, take } = await watchingWindow(chats('a', 'b', 'c', 'd'));
    state.isHeld = true;
    await pass(MINUTE);
    take(requests);
    await focus(false);
    for (const read of [...reads]) read.resolve(world.page(read.id));
    await settled();
    assert.deepEqual([requests, reads], [[], []]);
    await focus(true);
    assert.deepEqual(requests, ['1 c', '1 d']);
  });

  it('that are requested run before queued ones, and only once', async () => {
    const { watcher, world, state, pass, reads, requests } = await watchingWindow(chats('a', 'b', 'c', 'd'));
    state.isHeld = true;
    await pass(MINUTE);
    const asked = watcher.poll(group('d'));
    reads[0]?.resolve(world.page('a'));
    await settled();
    assert.deepEqual(requests, ['1 a', '1 b', '1 d']);
    state.isHeld = false;
    for (const read of [...reads]) read.resolve(world.page(read.id));
    await asked;
    await settled();
    assert.deepEqual(requests, ['1 a', '1 b', '1 d', '1 c']);
  });

  it('that are requested run without the focus', async () => {
    const { watcher, focus, requests, sleeping } = await watchingWindow(chats('a'));
    await focus(false);
    await watcher.poll(group('a'));
    assert.deepEqual([requests, sleeping()], [['0 a'], 0]);
  });

  it('are next due a minute after a requested one', async () => {
    const { watcher, pass, requests } = await watchingWindow(chats('a'));
    await pass(0.5 * MINUTE);
    await watcher.poll(group('a'));
    await pass(2 * MINUTE);
    assert.deepEqual(requests, ['0.5 a', '1.5 a', '2.5 a']);
  });

  it('that start together are due together again, however long they take', async () => {
    const { world, state, pass, reads, requests } = await watchingWindow(chats('a', 'b'));
    state.isHeld = true;
    await pass(MINUTE);
    for (const read of [...reads]) {
      await pass(0.25 * MINUTE);
      read.resolve(world.page(read.id));
    }
    await pass(0.5 * MINUTE - 1);
    assert.deepEqual(requests, ['1 a', '1 b']);
    await pass(1);
    assert.deepEqual(requests, ['1 a', '1 b', '2 a', '2 b']);
  });

  it('that fail run again after 1, 2, 4 and 8 minutes, then every 15', async () => {
    const { world, pass, requests } = await watchingWindow(chats('a', 'b'));
    world.failures.a = new Error('no network');
    await pass(62 * MINUTE);
    const times = requests.filter((request) => request.endsWith('a')).map((request) => Number.parseInt(request, 10));
    assert.deepEqual(times, [1, 2, 4, 8, 16, 31, 46, 61]);
    assert.equal(requests.length - times.length, 62);
  });

  it('that fail are next due a minute after the failure', async () => {
    const { state, pass, reads, requests } = await watchingWindow(chats('a'));
    state.isHeld = true;
    await pass(1.5 * MINUTE);
    reads[0]?.reject(new Error('timed out'));
    await pass(MINUTE - 1);
    assert.deepEqual(requests, ['1 a']);
    await pass(1);
    assert.deepEqual(requests, ['1 a', '2.5 a']);
  });

  it("don't wait for a slow poll of another chat", async () => {
    const { watcher, world, state, pass, requests, take } = await watchingWindow(chats('a'));
    await pass(0.5 * MINUTE);
    world.chats.b = [1];
    await watcher.watch(group('b'), BOT);
    take(requests);
    state.isHeld = true;
    await pass(0.5 * MINUTE);
    state.isHeld = false;
    await pass(2 * MINUTE);
    assert.deepEqual(requests, ['1 a', '1.5 b', '2.5 b']);
  });

  it('run once a minute again after one has succeeded', async () => {
    const { world, pass, requests, take } = await watchingWindow(chats('a'));
    world.failures.a = new Error('no network');
    await pass(15 * MINUTE);
    take(requests);
    delete world.failures.a;
    await pass(3 * MINUTE);
    world.failures.a = new Error('again');
    await pass(3 * MINUTE);
    assert.deepEqual(requests, ['16 a', '17 a', '18 a', '19 a', '20 a']);
  });

  it('that failed wait until they are due when the focus returns, but not on a retry', async () => {
    const { watcher, world, pass, focus, requests, take } = await watchingWindow(chats('a', 'b'));
    world.failures.a = new Error('no token');
    await pass(8.5 * MINUTE);
    take(requests);
    await focus(false);
    await focus(true);
    assert.deepEqual(requests, []);
    delete world.failures.a;
    watcher.wake({ retry: true });
    await settled();
    assert.deepEqual(requests, ['8.5 a']);
    assert.equal(watcher.state(group('a'))?.error, undefined);
    await pass(MINUTE);
    assert.deepEqual(requests, ['8.5 a', '9 b', '9.5 a']);
  });

  it("don't run after disposal, and pending ones report nothing", async () => {
    const window = await watchingWindow(chats('a', 'b', 'c'));
    const { watcher, world, state, pass, focus, reads, requests, changes, announced, stores, sleeping } = window;
    world.chats.a = [1, 2];
    state.isHeld = true;
    await pass(MINUTE);
    const asked = watcher.poll(group('c'));
    const [first, second] = reads;
    watcher.dispose();
    assert.deepEqual([first?.signal.aborted, second?.signal.aborted], [true, true]);
    first?.resolve(world.page('a'));
    second?.reject(new Error('aborted'));
    await asked;
    await focus(true);
    await watcher.watch(group('d'), BOT);
    await watcher.unwatch(group('a'));
    await pass(5 * MINUTE);
    assert.deepEqual([requests, changes, announced, stores], [['1 a', '1 b'], [], [], []]);
    assert.deepEqual([sleeping(), watcher.total()], [0, { unread: 0, more: false }]);
  });

  it('need no timer after disposal', async () => {
    const { watcher, pass, requests, sleeping } = await watchingWindow(chats('a'));
    watcher.dispose();
    assert.equal(sleeping(), 0);
    await pass(5 * MINUTE);
    assert.deepEqual(requests, []);
  });

  it("don't run for chats that were removed from the sidebar, which don't count either, until they are back", async () => {
    const { world, watcher, state, pass, requests } = await watchingWindow(chats('a', 'b'));
    world.chats.a = [1, 2];
    world.chats.b = [1, 2];
    await pass(MINUTE);
    assert.equal(watcher.total().unread, 2);
    state.unlisted.add('a');
    requests.splice(0);
    await pass(2 * MINUTE);
    assert.deepEqual([requests, watcher.total().unread], [['2 b', '3 b'], 1]);
    state.unlisted.clear();
    watcher.wake();
    await settled();
    assert.deepEqual([requests, watcher.total().unread], [['2 b', '3 b', '3 a'], 2]);
  });
});
