import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PageFeed } from '../../../../src/chats/history/pageFeed.ts';
import type { Splice, TimelineItem } from '../../../../src/chats/history/timelineItems.ts';
import { settled } from '../../deferred.ts';

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
