import assert from 'node:assert/strict';
import { settled } from '../../deferred.ts';
import { BOT, listed, markOf, upTo } from './messages.ts';
import { group, MINUTE, SERVICE, watchingWindow, windowOf } from './watchingWindow.ts';

describe('New messages', () => {
  it('are announced once for all chats that were polled together', async () => {
    const { world, pass, focus, announced } = await watchingWindow({ a: [1], b: [1], c: [1] });
    await focus(false);
    await pass(5 * MINUTE);
    Object.assign(world.chats, { a: [1, 2], c: [1, 2, 3] });
    await focus(true);
    assert.deepEqual(announced, [{ a: 1, c: 2 }]);
    Object.assign(world.chats, { b: [1, -2, 3], c: [1, 2, 3, 4] });
    await pass(MINUTE);
    assert.deepEqual(announced, [
      { a: 1, c: 2 },
      { b: 1, c: 1 },
    ]);
    await pass(5 * MINUTE);
    assert.equal(announced.length, 2);
  });

  it('come with the bot that read them, oldest first and without its own', async () => {
    const { world, pass, arrived, take } = await watchingWindow({ a: [1], b: [1] });
    Object.assign(world.chats, { a: [1, 2, -3, 4] });
    await pass(MINUTE);
    assert.deepEqual(take(arrived), [{ chat: group('a'), botId: BOT, messages: [listed(2), listed(4)] }]);
    world.chats.a?.push(5);
    await pass(MINUTE);
    assert.deepEqual(take(arrived), [{ chat: group('a'), botId: BOT, messages: [listed(5)] }]);
  });

  it("are announced even if the unread count doesn't change", async () => {
    const { world, pass, unread, announced, take } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await pass(MINUTE);
    assert.deepEqual(take(announced), [{ a: 1 }]);
    world.chats.a = [1, 3];
    await pass(MINUTE);
    assert.deepEqual([unread('a'), take(announced)], ['1', [{ a: 1 }]]);
    world.chats.a = upTo(200);
    await pass(MINUTE);
    world.chats.a = upTo(210);
    await pass(MINUTE);
    assert.deepEqual([unread('a'), take(announced)], ['50+', [{ a: 50 }, { a: 10 }]]);
  });

  it("are announced once if they can't be read, and not again after they are seen", async () => {
    const { watcher, world, pass, announced, take, unread } = await watchingWindow({ a: [1], b: [] });
    Object.assign(world.chats, { a: [1, 'x'], b: ['y'] });
    await pass(MINUTE);
    assert.deepEqual([unread('a'), unread('b'), take(announced)], ['1', '1', [{ a: 1, b: 1 }]]);
    await pass(2 * MINUTE);
    assert.deepEqual(announced, []);
    await watcher.markSeen(group('a'), { ...markOf(1), unreadable: 1 });
    await watcher.markSeen(group('b'), { msgId: '', sendTime: 0, unreadable: 1 });
    await pass(MINUTE);
    const later = windowOf(world);
    await later.focus(true);
    assert.deepEqual([unread('a'), unread('b'), later.unread('a'), later.unread('b')], ['0', '0', '0', '0']);
    Object.assign(world.chats, { a: [1, 'x', 'z'], b: ['y', 2] });
    await pass(MINUTE);
    assert.deepEqual([unread('a'), unread('b'), announced], ['1', '1', [{ a: 1, b: 1 }]]);
  });

  it("aren't announced if they are seen before the polling ends", async () => {
    const { watcher, world, state, reads, pass, announced } = await watchingWindow({ a: [1], b: [1] });
    Object.assign(world.chats, { a: [1, 2, 3], b: [1, 2] });
    state.isHeld = true;
    await pass(MINUTE);
    for (const id of ['a', 'b']) {
      reads.find((read) => read.id === id)?.resolve(world.page(id));
      await settled();
      if (id === 'a') await watcher.markSeen(group('a'), markOf(2));
    }
    assert.deepEqual(announced, [{ a: 1, b: 1 }]);
  });

  it('are announced together if another poll comes first', async () => {
    const { watcher, world, state, reads, pass, announced } = await watchingWindow({ a: [1], b: [1] });
    world.chats.a = [1, 2];
    state.isHeld = true;
    await pass(MINUTE);
    reads[0]?.resolve(world.page('a'));
    await settled();
    assert.deepEqual(announced, []);
    world.chats.a = [1, 2, 3];
    state.isHeld = false;
    await watcher.poll(group('a'));
    reads[0]?.resolve(world.page('b'));
    await settled();
    assert.deepEqual(announced, [{ a: 2 }]);
  });

  it('are those after the last seen message if no poll has succeeded before, except what the outbox sent', async () => {
    const { watcher, inService, world, pass, announced } = windowOf();
    world.failures.a = new Error('no network');
    await watcher.watch(group('a'), BOT);
    await inService.markSent({ service: SERVICE.address, messages: [{ ...group('a'), msgId: markOf(4).msgId }] });
    await watcher.markSeen(group('a'), markOf(1));
    delete world.failures.a;
    world.chats.a = [1, 2, 3, 4];
    await pass(MINUTE);
    assert.deepEqual(announced, [{ a: 2 }]);
  });

  it('are announced once across restarts and windows', async () => {
    const first = await watchingWindow({ a: [1] });
    first.world.chats.a = [1, 2];
    await first.pass(MINUTE);
    const second = windowOf(first.world);
    second.watcher.wake();
    await settled();
    assert.deepEqual([second.unread('a'), first.announced, second.announced], ['1', [{ a: 1 }], []]);
    first.world.chats.a.push(3);
    await second.pass(MINUTE);
    await first.pass(MINUTE);
    assert.deepEqual([first.unread('a'), second.announced, first.announced], ['2', [{ a: 1 }], [{ a: 1 }]]);
  });

  it('are announced if they arrived while no window was open', async () => {
    const { world } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    const { watcher, announced, unread } = windowOf(world);
    assert.equal(unread('a'), '0');
    watcher.wake();
    await settled();
    assert.deepEqual([unread('a'), announced], ['2', [{ a: 2 }]]);
  });
});
