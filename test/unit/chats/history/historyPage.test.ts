import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PageFeed, PostQueue, portionsOf } from '../../../../src/chats/history/historyPage.ts';
import type { Splice, TimelineItem } from '../../../../src/chats/history/timelineItems.ts';
import type { PageItem, ToPage } from '../../../../src/protocol/history.ts';
import { deferred, settled } from '../../deferred.ts';

const itemOf = (id: number): TimelineItem => ({ type: 'gap', id, edge: { at: 'open' } });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => itemOf(from + index));
const ids = (items: readonly TimelineItem[]) => items.map((item) => (item.type === 'gap' ? item.id : -1));

/** A page that is fed these items; it receives a portion with each `take`. */
function feedPage(items: TimelineItem[]) {
  const page: TimelineItem[] = [];
  const portions: Splice[] = [];
  const taken: (() => void)[] = [];
  const feed = new PageFeed(items, (splice) => {
    portions.push(splice);
    assert.ok(splice.at + splice.removed <= page.length, 'the page has these items');
    page.splice(splice.at, splice.removed, ...splice.inserted);
    return new Promise<void>((resolve) => taken.push(resolve));
  });
  const take = async () => {
    for (const resolve of taken.splice(0)) resolve();
    await settled();
  };
  const change = (splice: Splice) => {
    items.splice(splice.at, splice.removed, ...splice.inserted);
    feed.change(splice);
  };
  return { feed, page, portions, take, change };
}

describe('The page feed', () => {
  it('posts the newest items first, then the older ones in small portions', async () => {
    const { feed, page, portions, take } = feedPage(range(0, 450));
    const running = feed.run(450);
    assert.deepEqual(ids(page), ids(range(250, 450)));
    assert.equal(feed.hasOldest, false);
    for (let times = 0; times < 3; times++) await take();
    await running;
    assert.deepEqual(ids(page), ids(range(0, 450)));
    assert.deepEqual(
      portions.map(({ at, inserted }) => [at, inserted.length]),
      [
        [0, 200],
        [0, 200],
        [0, 50],
      ],
    );
    assert.equal(feed.hasOldest, true);
  });

  it('posts the items around the reading position, then the newer ones, then the older ones', async () => {
    const { feed, page, take } = feedPage(range(0, 1000));
    void feed.run(500);
    assert.deepEqual(ids(page), ids(range(400, 600)));
    await take();
    assert.deepEqual(ids(page), ids(range(400, 800)));
    for (let times = 0; times < 4; times++) await take();
    assert.deepEqual(ids(page), ids(range(0, 1000)));
  });

  it('posts nothing after it is stopped', async () => {
    const { feed, page, take } = feedPage(range(0, 1000));
    const running = feed.run(1000);
    feed.stop();
    await take();
    await running;
    assert.equal(page.length, 200);
  });

  it('posts items added to an empty timeline', async () => {
    const { feed, page, take, change } = feedPage([]);
    const running = feed.run(0);
    await take();
    await running;
    change({ at: 0, removed: 0, inserted: range(0, 50) });
    change({ at: 50, removed: 0, inserted: range(50, 60) });
    assert.deepEqual(ids(page), ids(range(0, 60)));
  });

  it('posts the whole timeline in the end, whatever changes meanwhile', async () => {
    const splice = fc.record({
      position: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(3),
      added: fc.nat(150),
    });
    const steps = fc.array(fc.oneof(fc.constant('take' as const), splice), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.nat(900), fc.double({ min: 0, max: 1, noNaN: true }), steps, async (length, reading, all) => {
        const items = range(0, length);
        let next = length;
        const { feed, page, take, change } = feedPage(items);
        const running = feed.run(Math.floor(reading * length));
        for (const step of all) {
          if (step === 'take') {
            await take();
            continue;
          }
          const at = Math.floor(step.position * items.length);
          const removed = Math.min(step.removed, items.length - at);
          change({ at, removed, inserted: range(next, next + step.added) });
          next += step.added;
          const first = page[0];
          const from = first ? items.indexOf(first) : 0;
          assert.deepEqual(ids(page), ids(items.slice(from, from + page.length)), 'a part of it without gaps');
        }
        for (let times = 0; times < 30; times++) await take();
        await running;
        assert.deepEqual(ids(page), ids(items));
      }),
    );
  });
});

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
    assert.deepEqual(portions([item('a', 300_000)]), [[7, 2, 'a']]);
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

  it('sends a message immediately once those before it are received', async () => {
    const { posts, sent } = posting();
    await posts.post([{ type: 'find' }]);
    void posts.post([{ type: 'lost' }]);
    assert.deepEqual(sent.map(shown), ['find', 'lost']);
  });

  it('stops sending messages that are no longer wanted', async () => {
    const { posts, sent } = posting();
    await posts.post(portionsOf({ at: 0, removed: 0, inserted: long }, same), () => sent.length < 2);
    await posts.post([{ type: 'lost' }]);
    assert.deepEqual(sent.map(shown), [[0, 0, 'a'], [1, 0, 'b'], 'lost']);
  });
});
