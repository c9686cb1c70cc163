import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  EMPTY_MARK,
  isLater,
  lastMark,
  NEWEST_PAGE_SIZE,
  newestMark,
  unreadOf,
} from '../../../../src/sidebar/watch/unread.ts';
import { BOT, listed, markOf, message, type Name, pageOf, upTo } from './messages.ts';

const unread = (page: ReturnType<typeof pageOf>, seen: number) => unreadOf(page, markOf(seen), BOT);
const exactly = (count: number) => ({ unread: count, more: false });

describe('What came after a mark', () => {
  it('is what stands on the newer side of the message that was seen', () => {
    assert.deepEqual(unread(pageOf(1, 2, 3, 4, 5), 3), exactly(2));
    assert.deepEqual(unread(pageOf(1, 2, 3), 3), exactly(0));
    assert.deepEqual(unread(pageOf(3), 3), exactly(0));
  });

  it('is the same where the service lists the oldest first', () => {
    assert.deepEqual(unread(pageOf(1, 2, 3, 4, 5).toReversed(), 3), exactly(2));
    assert.deepEqual(newestMark(pageOf(1, 2, 3).toReversed()), markOf(3));
  });

  it('is not what the bot itself said', () => {
    assert.deepEqual(unread(pageOf(1, -2, 3, -4), 1), exactly(1));
    assert.deepEqual(unread(pageOf(1, -2), 1), exactly(0));
  });

  it('is told by the place of the message that was seen, whatever the times say', () => {
    const at = (msgId: string, sendTime: number) => message({ msgId, sendTime });
    const oneTime = [at('c', 5), at('b', 5), at('a', 5)];
    assert.deepEqual(unreadOf(oneTime, { msgId: 'a', sendTime: 5 }, BOT), exactly(2));
    assert.deepEqual(unreadOf(oneTime, { msgId: 'c', sendTime: 5 }, BOT), exactly(0));
    const twoClocks = [at('c', 9), at('b', 3), at('a', 6)];
    assert.deepEqual(unreadOf(twoClocks, { msgId: 'a', sendTime: 6 }, BOT), exactly(2));
  });

  it('is told by the times where the message that was seen is there no more', () => {
    assert.deepEqual(unread(pageOf(1, 2, 4, 5), 3), exactly(2));
    assert.deepEqual(unread(pageOf(1, 2), 3), exactly(0));
    // Of the same time as the one that was seen: not after it.
    assert.deepEqual(unreadOf(pageOf(2, 3), { msgId: 'gone', sendTime: 2 }, BOT), exactly(1));
  });

  it('may be more where the page does not reach back to the message that was seen', () => {
    assert.deepEqual(unread(pageOf(...upTo(60, 11)), 5), { unread: 50, more: true });
    assert.deepEqual(unread(pageOf(...upTo(60, 11)), 10), { unread: 50, more: true });
    assert.deepEqual(unread(pageOf(...upTo(60, 11)), 11), exactly(49));
    assert.deepEqual(unread(pageOf(-11, -12), 5), { unread: 0, more: true });
  });

  it('is no more where the page reaches back beyond a message that is there no more', () => {
    assert.deepEqual(unread(pageOf(4, 6, 7), 5), exactly(2));
  });

  it('is everything in a chat that was empty, and may be more where that fills a page', () => {
    assert.deepEqual(unreadOf([], EMPTY_MARK, BOT), exactly(0));
    assert.deepEqual(unreadOf(pageOf(1, -2, 'x', 3), EMPTY_MARK, BOT), exactly(3));
    assert.deepEqual(unreadOf(pageOf(...upTo(NEWEST_PAGE_SIZE - 1)), EMPTY_MARK, BOT), exactly(NEWEST_PAGE_SIZE - 1));
    assert.deepEqual(unreadOf(pageOf(...upTo(NEWEST_PAGE_SIZE)), EMPTY_MARK, BOT), {
      unread: NEWEST_PAGE_SIZE,
      more: true,
    });
    const untimed = message({ msgId: 'a' });
    assert.deepEqual(unreadOf([untimed], EMPTY_MARK, BOT), exactly(1));
  });

  it('is nothing in a chat that was emptied', () => {
    assert.deepEqual(unread([], 3), exactly(0));
  });

  it('counts what is listed twice once', () => {
    assert.deepEqual(unread(pageOf(1, 2, 2, 3, 3), 1), exactly(2));
    assert.deepEqual(unread(pageOf(1, 2, 1, 3), 1), exactly(2));
    assert.deepEqual(unread(pageOf(1, 'x', 'x'), 1), exactly(1));
  });

  it('counts what cannot be read where it clearly came after', () => {
    assert.deepEqual(unread(pageOf(1, 'x', 2, 'y'), 1), exactly(3));
    assert.deepEqual(unread(pageOf(1, 'x', 2, 'y'), 2), exactly(1));
    // The message that was seen is not there: only what follows a newer one.
    assert.deepEqual(unread(pageOf('x', 2, 'y', 4, 'z'), 3), exactly(2));
    assert.deepEqual(unread(pageOf('x', 4, 'z'), 3), { unread: 2, more: true });
    assert.deepEqual(unread(pageOf('x', 'y'), 3), { unread: 0, more: true });
  });

  it('counts a message without a time as one that is as new as the one before it', () => {
    const untimed = message({ msgId: 'a', senderId: 'user-1' });
    assert.deepEqual(unreadOf([untimed, listed(2), listed(1)], markOf(1), BOT), exactly(2));
    assert.deepEqual(unreadOf([untimed, listed(5)], markOf(3), BOT), { unread: 2, more: true });
    assert.deepEqual(unreadOf([untimed, listed(2)], markOf(3), BOT), exactly(0));
    assert.deepEqual(unreadOf([untimed], { msgId: 'a', sendTime: 0 }, BOT), exactly(0));
  });

  it('is as many as came, whatever the order, the doubles and what was deleted', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.integer({ min: 1, max: 60 }).chain((time) => fc.constantFrom(time, -time)),
          { selector: Math.abs, minLength: 1 },
        ),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        fc.nat(),
        (names, seen, isReversed, double) => {
          const inTime = names.toSorted((one, other) => Math.abs(one) - Math.abs(other));
          const at = double % inTime.length;
          const doubled = inTime.toSpliced(at, 0, inTime[at] ?? assert.fail());
          // One message alone, or twice, has no order.
          const page = isReversed && inTime.length > 1 ? pageOf(...doubled).toReversed() : pageOf(...doubled);
          const expected = names.filter((name) => name > seen).length;
          const isReached = names.some((name) => Math.abs(name) <= seen);
          assert.deepEqual(unread(page, seen), { unread: expected, more: !isReached });
          assert.deepEqual(newestMark(page), markOf(inTime.at(-1) ?? assert.fail()));
        },
      ),
    ));
});

describe('The newest message', () => {
  it('is the newest that can be read', () => {
    assert.deepEqual(newestMark(pageOf(1, 2, 'x')), markOf(2));
    assert.deepEqual(newestMark(pageOf('x')), undefined);
    assert.deepEqual(newestMark([]), undefined);
  });

  it('may be the own one of the bot', () => {
    assert.deepEqual(newestMark(pageOf(1, -2)), markOf(2));
  });

  it('has the newest time before it where it has none', () => {
    const untimed = message({ msgId: 'a' });
    assert.deepEqual(newestMark([untimed, listed(2), listed(1)]), { msgId: 'a', sendTime: 2 });
    assert.deepEqual(newestMark([untimed]), { msgId: 'a', sendTime: 0 });
  });

  it('is the last of entries that are known to be in order', () => {
    const ofOneTime = ['a', 'b'].map((msgId) => message({ msgId, sendTime: 5 }));
    assert.deepEqual(lastMark(ofOneTime), { msgId: 'b', sendTime: 5 });
    assert.deepEqual(lastMark([listed(1), listed(2), listed('x')]), markOf(2));
    assert.deepEqual(lastMark([]), undefined);
  });
});

describe('A mark', () => {
  const page = pageOf(1, 2, 3);
  const later = (one: Name, other: Name) => isLater(markOf(Number(one)), markOf(Number(other)), page);

  it('is later than another of an older message', () => {
    assert.deepEqual([later(3, 2), later(2, 3), later(2, 2)], [true, false, false]);
    assert.deepEqual([later(9, 2), later(2, 9), later(9, 8), later(8, 9)], [true, false, true, false]);
  });

  it('is later by its place in the page, where times say otherwise', () => {
    const [old, fresh] = [
      { msgId: 'old', sendTime: 9 },
      { msgId: 'new', sendTime: 5 },
    ];
    const clocks = [message(fresh), message({ msgId: 'mid', sendTime: 4 }), message(old), message({ msgId: 'first' })];
    const listedSo = [...clocks, listed(1)];
    assert.deepEqual([isLater(fresh, old, listedSo), isLater(old, fresh, listedSo)], [true, false]);
  });

  it('is later of two of one time where only the other was there at the last look', () => {
    const [known, unknown] = [markOf(3), { msgId: 'u', sendTime: 3 }];
    assert.deepEqual([isLater(unknown, known, page), isLater(known, unknown, page)], [true, false]);
  });

  it('is not later than itself, though its time be not known', () => {
    const mark = { msgId: 'u', sendTime: 3 };
    assert.equal(isLater(mark, mark, []), false);
    assert.equal(isLater({ ...mark, sendTime: 4 }, mark, []), false);
  });

  it('of any message is later than that of an empty chat', () => {
    const untimed = { msgId: 'u', sendTime: 0 };
    assert.deepEqual([isLater(untimed, EMPTY_MARK, []), isLater(EMPTY_MARK, untimed, [])], [true, false]);
    assert.deepEqual([isLater(EMPTY_MARK, EMPTY_MARK, []), isLater(EMPTY_MARK, markOf(1), page)], [false, false]);
  });
});
