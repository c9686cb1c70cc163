import assert from 'node:assert/strict';
import { settled } from '../../deferred.ts';
import { group, MINUTE, watchingWindow, windowOf } from './watchingWindow.ts';
import { BOT, markOf, upTo } from './messages.ts';

describe('Watching a chat', () => {
  it('begins with a look at once, and takes what is there for seen', async () => {
    const { watching, world, unread, requests, news } = windowOf();
    world.chats.a = upTo(80);
    assert.equal(watching.state(group('a')), undefined);
    await watching.watch(group('a'), BOT);
    assert.deepEqual(watching.state(group('a')), { unread: 0, more: false, botId: BOT, error: undefined });
    assert.deepEqual([unread('a'), requests, news], ['0', ['0 a'], []]);
  });

  it('counts what comes, but for what the bot says itself', async () => {
    const { world, pass, unread } = await watchingWindow({ a: [1, 2] });
    world.chats.a = [1, 2, 3, -4, 5];
    await pass(MINUTE);
    assert.equal(unread('a'), '2');
    world.chats.a.push(6);
    await pass(MINUTE);
    assert.equal(unread('a'), '3');
  });

  it('counts everything in a chat that was empty', async () => {
    const { world, pass, unread } = await watchingWindow({ a: [] });
    world.chats.a = ['x', 1, 2];
    await pass(MINUTE);
    assert.equal(unread('a'), '3');
  });

  it('does not take messages for new that it could not read at first', async () => {
    const { world, pass, unread, news } = await watchingWindow({ a: ['x', 'y'] });
    await pass(MINUTE);
    assert.deepEqual([unread('a'), news], ['0', []]);
    world.chats.a = ['x', 'y', 1];
    await pass(MINUTE);
    world.chats.a.push(2);
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
  });

  it('says that there may be more, and never fewer than it knew of', async () => {
    const { world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = upTo(80);
    await pass(MINUTE);
    assert.equal(unread('a'), '50+');
    world.chats.a = upTo(130).map((name) => (name > 80 ? -name : name));
    await pass(MINUTE);
    assert.equal(unread('a'), '50+');
  });

  it('goes on where the message that was seen is deleted', async () => {
    const { world, pass, unread } = await watchingWindow({ a: [1, 2, 3] });
    world.chats.a = [1, 2, 4];
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
  });

  it('sets the mark at the first look that succeeds', async () => {
    const { watching, world, pass, unread } = windowOf();
    const failure = new Error('no token');
    world.failures.a = failure;
    world.chats.a = [1];
    await watching.watch(group('a'), BOT);
    assert.equal(watching.state(group('a'))?.error, failure);
    delete world.failures.a;
    world.chats.a = [1, 2];
    await pass(MINUTE);
    assert.deepEqual(watching.state(group('a')), { unread: 0, more: false, botId: BOT, error: undefined });
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
  });

  it('does not begin again where it is watched already', async () => {
    const { watching, world, unread, requests } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await watching.watch(group('a'), BOT);
    assert.deepEqual([unread('a'), requests], ['1', ['0 a']]);
  });

  it('begins again where another bot is to read it', async () => {
    const { watching, world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await watching.watch(group('a'), 'another');
    assert.deepEqual(watching.state(group('a')), { unread: 0, more: false, botId: 'another', error: undefined });
    world.chats.a = [1, 2, -3];
    await pass(MINUTE);
    assert.equal(unread('a'), '1');
  });

  it('keeps what was counted when a look fails', async () => {
    const { watching, world, pass } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    await pass(MINUTE);
    const failure = new Error('no network');
    world.failures.a = failure;
    await pass(MINUTE);
    assert.deepEqual(watching.state(group('a')), { unread: 1, more: false, botId: BOT, error: failure });
  });

  it('adds up all chats', async () => {
    const { watching, world, pass } = await watchingWindow({ a: [1], b: [1], c: [1] });
    assert.deepEqual(watching.total(), { unread: 0, more: false });
    Object.assign(world.chats, { a: [1, 2], b: [1, 2, 3] });
    await pass(MINUTE);
    assert.deepEqual(watching.total(), { unread: 3, more: false });
    world.chats.c = upTo(70);
    await pass(MINUTE);
    assert.deepEqual(watching.total(), { unread: 53, more: true });
  });

  it('tells each change of a state once, and nothing where nothing changed', async () => {
    const { watching, world, pass, changes, take } = await watchingWindow({ a: [1], b: [1] });
    await pass(5 * MINUTE);
    assert.deepEqual(take(changes), []);
    world.chats.a = [1, 2];
    await pass(5 * MINUTE);
    assert.deepEqual(take(changes), ['a']);
    await watching.seen(group('a'), markOf(2));
    assert.deepEqual(take(changes), ['a']);
    await watching.unwatch(group('b'));
    assert.deepEqual(take(changes), ['b']);
    assert.equal(watching.state(group('b')), undefined);
  });

  it('tells chats of one ID apart by their types', async () => {
    const { watching, world, unread } = await watchingWindow({ a: [1] });
    await watching.watch({ type: 'user', id: 'a' }, BOT);
    world.chats.a = [1, 2];
    await watching.look({ type: 'user', id: 'a' });
    assert.deepEqual([unread('a'), watching.state({ type: 'user', id: 'a' })?.unread], ['0', 1]);
  });
});

describe('A chat that was seen', () => {
  it('has nothing unread', async () => {
    const { watching, world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    await watching.seen(group('a'), markOf(3));
    assert.equal(unread('a'), '0');
    await pass(MINUTE);
    assert.equal(unread('a'), '0');
  });

  it('has unread what came after the message that was seen', async () => {
    const { watching, world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3, 4];
    await pass(MINUTE);
    await watching.seen(group('a'), markOf(2));
    assert.equal(unread('a'), '2');
  });

  it('has nothing unread of messages that no look has found yet', async () => {
    const { watching, world, pass, unread, news } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    await watching.seen(group('a'), markOf(3));
    await pass(MINUTE);
    assert.deepEqual([unread('a'), news], ['0', []]);
  });

  it('is counted anew where more was unread than a page holds', async () => {
    const { watching, world, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = upTo(80);
    await pass(MINUTE);
    await watching.seen(group('a'), markOf(20));
    assert.equal(unread('a'), '50+');
    await watching.seen(group('a'), markOf(60));
    assert.equal(unread('a'), '20');
  });

  it('stays so when an older message is seen', async () => {
    const { watching, world, pass, unread, stores, take } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    await watching.seen(group('a'), markOf(3));
    take(stores);
    await watching.seen(group('a'), markOf(2));
    await watching.seen(group('a'), markOf(3));
    assert.deepEqual([unread('a'), stores], ['0', []]);
  });

  it('stays so though a look answers later that began before', async () => {
    const { watching, world, state, reads, pass, unread, news } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2, 3];
    state.isHeld = true;
    await pass(MINUTE);
    await watching.seen(group('a'), markOf(3));
    reads[0]?.resolve(world.page('a'));
    await settled();
    assert.deepEqual([unread('a'), news], ['0', []]);
  });

  it('stays so though a page is older than that', async () => {
    const { watching, world, state, reads, pass, unread } = await watchingWindow({ a: [1] });
    world.chats.a = [1, 2];
    const page = world.page('a');
    state.isHeld = true;
    await pass(MINUTE);
    await watching.seen(group('a'), markOf(3));
    reads[0]?.resolve(page);
    await settled();
    assert.equal(unread('a'), '0');
  });

  it('is no concern where it is not watched', async () => {
    const { watching, stores, changes, requests } = windowOf();
    await watching.seen(group('a'), markOf(1));
    await watching.unwatch(group('a'));
    await watching.look(group('a'));
    assert.deepEqual([stores, changes, requests], [[], [], []]);
  });
});

describe('A chat that is not watched any more', () => {
  it('has no state and is looked at no more', async () => {
    const { watching, pass, sleeping, requests, stores } = await watchingWindow({ a: [1] });
    await watching.unwatch(group('a'));
    await pass(5 * MINUTE);
    assert.deepEqual([watching.state(group('a')), requests, sleeping()], [undefined, [], 0]);
    assert.deepEqual([stores.at(-1), watching.total()], [[], { unread: 0, more: false }]);
  });

  it('stays so though a look answers later', async () => {
    const { watching, world, state, reads, pass, changes, take, news } = await watchingWindow({ a: [1], b: [1] });
    world.chats.a = [1, 2];
    state.isHeld = true;
    await pass(MINUTE);
    const read = reads[0];
    await watching.unwatch(group('a'));
    assert.equal(read?.signal.aborted, true);
    assert.deepEqual(take(changes), ['a']);
    read.resolve(world.page('a'));
    await settled();
    assert.deepEqual([watching.state(group('a')), changes, news], [undefined, [], []]);
    assert.equal(JSON.stringify(world.stored).includes('"a"'), false);
  });

  it('begins afresh when it is watched again, whatever its former look answers', async () => {
    const { watching, world, state, reads, pass, unread, news } = await watchingWindow({ a: [1] });
    state.isHeld = true;
    world.chats.a = [1, 2, 3];
    await pass(MINUTE);
    const [former] = reads;
    await watching.unwatch(group('a'));
    const watched = watching.watch(group('a'), BOT);
    await settled();
    const fresh = reads.find((read) => read !== former);
    fresh?.resolve(world.page('a'));
    await watched;
    former?.reject(new Error('aborted'));
    await settled();
    assert.deepEqual([unread('a'), watching.state(group('a'))?.error, news], ['0', undefined, []]);
  });
});
