import assert from 'node:assert/strict';
import { settled } from '../../deferred.ts';
import { group, MINUTE, watchingWindow, windowOf } from './watchingWindow.ts';
import { BOT, markOf, upTo } from './messages.ts';

describe('News', () => {
  it('are told once for all chats that were looked at together', async () => {
    const { world, pass, focus, news } = await watchingWindow({ a: [1], b: [1], c: [1] });
    await focus(false);
    await pass(5 * MINUTE);
    Object.assign(world.chats, { a: [1, 2], c: [1, 2, 3] });
    await focus(true);
    assert.deepEqual(news, [{ a: 1, c: 2 }]);
    Object.assign(world.chats, { b: [1, -2, 3], c: [1, 2, 3, 4] });
    await pass(MINUTE);
    assert.deepEqual(news, [
      { a: 1, c: 2 },
      { b: 1, c: 1 },
    ]);
    await pass(5 * MINUTE);
    assert.equal(news.length, 2);
  });

  it('are not what the bot says itself', async () => {
    const { world, pass, news } = await watchingWindow({ a: [1] });
    world.chats.a = [1, -2];
    await pass(MINUTE);
    assert.deepEqual(news, []);
  });

  it('are told where the count stays as it was', async () => {
    const { world, pass, unread, news, take } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await pass(MINUTE);
    assert.deepEqual(take(news), [{ a: 1 }]);
    world.chats.a = [1, 3];
    await pass(MINUTE);
    assert.deepEqual([unread('a'), take(news)], ['1', [{ a: 1 }]]);
    world.chats.a = upTo(200);
    await pass(MINUTE);
    world.chats.a = upTo(210);
    await pass(MINUTE);
    assert.deepEqual([unread('a'), take(news)], ['50+', [{ a: 50 }, { a: 10 }]]);
  });

  it('are not told of what is seen before the round ends', async () => {
    const { watching, world, state, reads, pass, news } = await watchingWindow({ a: [1], b: [1] });
    Object.assign(world.chats, { a: [1, 2, 3], b: [1, 2] });
    state.isHeld = true;
    await pass(MINUTE);
    for (const id of ['a', 'b']) {
      reads.find((read) => read.id === id)?.resolve(world.page(id));
      await settled();
      if (id === 'a') await watching.seen(group('a'), markOf(2));
    }
    assert.deepEqual(news, [{ a: 1, b: 1 }]);
  });

  it('are told of one look that was asked for', async () => {
    const { watching, world, news, pass } = await watchingWindow({ a: [1], b: [1] });
    world.chats.a = [1, 2];
    await watching.look(group('a'));
    assert.deepEqual(news, [{ a: 1 }]);
    await pass(MINUTE);
    assert.deepEqual(news, [{ a: 1 }]);
  });

  it('are told in full where another look comes before they could be', async () => {
    const { watching, world, state, reads, pass, news } = await watchingWindow({ a: [1], b: [1] });
    world.chats.a = [1, 2];
    state.isHeld = true;
    await pass(MINUTE);
    reads[0]?.resolve(world.page('a'));
    await settled();
    assert.deepEqual(news, []);
    world.chats.a = [1, 2, 3];
    state.isHeld = false;
    await watching.look(group('a'));
    reads[0]?.resolve(world.page('b'));
    await settled();
    assert.deepEqual(news, [{ a: 2 }]);
  });

  it('are what came after the message that was seen, before any look succeeded', async () => {
    const { watching, world, pass, news } = windowOf();
    world.failures.a = new Error('no network');
    await watching.watch(group('a'), BOT);
    await watching.seen(group('a'), markOf(1));
    delete world.failures.a;
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    assert.deepEqual(news, [{ a: 2 }]);
  });

  it('are told once over restarts and by all windows together', async () => {
    const first = await watchingWindow({ a: [1] });
    first.world.chats.a = [1, 2];
    await first.pass(MINUTE);
    const second = windowOf(first.world);
    second.watching.wake();
    await settled();
    assert.deepEqual([second.unread('a'), first.news, second.news], ['1', [{ a: 1 }], []]);
    first.world.chats.a.push(3);
    await second.pass(MINUTE);
    await first.pass(MINUTE);
    assert.deepEqual([first.unread('a'), second.news, first.news], ['2', [{ a: 1 }], [{ a: 1 }]]);
  });

  it('are told of what came while no window was open', async () => {
    const { world } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    const { watching, news, unread } = windowOf(world);
    assert.equal(unread('a'), '0');
    watching.wake();
    await settled();
    assert.deepEqual([unread('a'), news], ['2', [{ a: 2 }]]);
  });
});
