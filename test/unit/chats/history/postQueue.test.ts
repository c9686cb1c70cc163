import assert from 'node:assert/strict';
import { PostQueue, portionsOf } from '../../../../src/chats/history/postQueue.ts';
import type { PageItem, ToPage } from '../../../../src/protocol/history.ts';
import { deferred, settled } from '../../deferred.ts';

const item = (key: string, length = 10): PageItem => ({ type: 'unreadable', key, raw: 'x'.repeat(length) });
const shown = (message: ToPage) =>
  message.type === 'splice' ? [message.at, message.removed, ...message.items.map(({ key }) => key)] : message.type;
const long = ['a', 'b', 'c'].map((key) => item(key, 200_000));
const same = (one: PageItem) => one;

/** Posts to a page that receives messages only when the test says so. */
function posting(got: PromiseLike<unknown> = Promise.resolve()) {
  const sent: ToPage[] = [];
  const posts = new PostQueue((message) => {
    sent.push(message);
    return got;
  });
  return { posts, sent };
}

describe('The post queue', () => {
  it('sends a short list as one splice and a long one as several', () => {
    const portions = (inserted: PageItem[]) => [...portionsOf({ at: 7, removed: 2, inserted }, same)].map(shown);
    assert.deepEqual(portions([]), [[7, 2]]);
    assert.deepEqual(portions([item('a'), item('b')]), [[7, 2, 'a', 'b']]);
    assert.deepEqual(portions([item('x'), ...long, item('y')]), [
      [7, 2, 'x', 'a'],
      [9, 0, 'b'],
      [10, 0, 'c', 'y'],
    ]);
  });

  it('splits splices of any size without changing their result', () => {
    const inserted = Array.from({ length: 50 }, (_, at) => item(`${at}`, (at * 7919) % 150_000));
    const before = ['p', 'q', 'r'];
    let list = before;
    for (const { at, removed, items } of portionsOf({ at: 1, removed: 1, inserted }, same)) {
      list = list.toSpliced(at, removed, ...items.map(({ key }) => key));
    }
    assert.deepEqual(list, ['p', ...inserted.map(({ key }) => key), 'r']);
  });

  it('sends messages immediately and in order, even if the page does not receive them', async () => {
    const { posts, sent } = posting(new Promise(() => {}));
    void posts.post([{ type: 'find' }]);
    assert.deepEqual(sent.map(shown), ['find']);
    void posts.post(portionsOf({ at: 0, removed: 0, inserted: long }, same));
    void posts.post([{ type: 'lost' }]);
    // On a slow machine, the queue pauses between portions.
    while (sent.length < 5) await settled();
    assert.deepEqual(sent.map(shown), ['find', [0, 0, 'a'], [1, 0, 'b'], [2, 0, 'c'], 'lost']);
  });

  it('resolves when the page has received the message', async () => {
    const got = deferred<boolean>();
    const { posts } = posting(got.promise);
    let isDone = false;
    const done = posts.post([{ type: 'find' }]).then(() => {
      isDone = true;
    });
    await settled();
    assert.equal(isDone, false);
    got.resolve(true);
    await done;
  });

  it('stops sending messages that are no longer wanted', async () => {
    const { posts, sent } = posting();
    await posts.post(portionsOf({ at: 0, removed: 0, inserted: long }, same), () => sent.length < 2);
    await posts.post([{ type: 'lost' }]);
    assert.deepEqual(sent.map(shown), [[0, 0, 'a'], [1, 0, 'b'], 'lost']);
  });
});
