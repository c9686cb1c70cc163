import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Mark } from '../../../../src/platform/store.ts';
import { EMPTY_MARK, isLater, NEWEST_PAGE_SIZE, newestMark, unreadOf } from '../../../../src/sidebar/watch/unread.ts';
import { BOT, listed, markOf, message, type Name, pageOf, upTo } from './messages.ts';

const unread = (page: ReturnType<typeof pageOf>, seen: number) => unreadOf(page, markOf(seen), BOT);
const exactly = (count: number) => ({ unread: count, more: false });

describe('The count of messages after a mark', () => {
  it('includes those of a person with the ID of the bot', () => {
    const from = (senderType: string) => message({ msgId: 'm2', sendTime: 2, senderId: BOT, senderType });
    assert.deepEqual(unreadOf([from('bot'), listed(1)], markOf(1), BOT), exactly(0));
    assert.deepEqual(unreadOf([from('user'), listed(1)], markOf(1), BOT), exactly(1));
  });

  it('depends on the position of the last seen message, not on times', () => {
    const at = (msgId: string, sendTime: number) => message({ msgId, sendTime });
    const oneTime = [at('c', 5), at('b', 5), at('a', 5)];
    assert.deepEqual(unreadOf(oneTime, { msgId: 'a', sendTime: 5 }, BOT), exactly(2));
    assert.deepEqual(unreadOf(oneTime, { msgId: 'c', sendTime: 5 }, BOT), exactly(0));
    const twoClocks = [at('c', 9), at('b', 3), at('a', 6)];
    assert.deepEqual(unreadOf(twoClocks, { msgId: 'a', sendTime: 6 }, BOT), exactly(2));
  });

  it('depends on times if the last seen message was deleted', () => {
    assert.deepEqual(unread(pageOf(1, 2, 4, 5), 3), exactly(2));
    assert.deepEqual(unread(pageOf(1, 2), 3), exactly(0));
    // At equal times, it isn't newer.
    assert.deepEqual(unreadOf(pageOf(2, 3), { msgId: 'gone', sendTime: 2 }, BOT), exactly(1));
  });

  it('includes all messages in a chat that was empty, and may be higher if they fill a page', () => {
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

  it('is zero in a chat that was emptied', () => {
    assert.deepEqual(unread([], 3), exactly(0));
  });

  it('includes unreadable entries that are certainly newer', () => {
    assert.deepEqual(unread(pageOf(1, 'x', 2, 'y'), 1), exactly(3));
    // Equal ones may be several, as in a history.
    assert.deepEqual(unread(pageOf(1, 'x', 'x'), 1), exactly(2));
    assert.deepEqual(unread(pageOf(1, 'x', 2, 'y'), 2), exactly(1));
    // Without the last seen message, only entries that follow a newer one count.
    assert.deepEqual(unread(pageOf('x', 2, 'y', 4, 'z'), 3), exactly(2));
    assert.deepEqual(unread(pageOf('x', 4, 'z'), 3), { unread: 2, more: true });
    assert.deepEqual(unread(pageOf('x', 'y'), 3), { unread: 0, more: true });
  });

  it('leaves out the unreadable entries that belong to the mark', () => {
    const countAfter = (page: ReturnType<typeof pageOf>, unreadable: number) =>
      unreadOf(page, { ...markOf(1), unreadable }, BOT);
    assert.deepEqual(countAfter(pageOf(1, 'x', 'y'), 2), exactly(0));
    assert.deepEqual(countAfter(pageOf(1, 'x', 'y', 'z'), 2), exactly(1));
    assert.deepEqual(countAfter(pageOf(1, 'x', 'y', 2), 2), exactly(1));
    // One was deleted, or can be read by now.
    assert.deepEqual(countAfter(pageOf(1, 'x', 2, 3), 2), exactly(2));
    assert.deepEqual(unreadOf(pageOf('x', 'y', 1), { ...EMPTY_MARK, unreadable: 2 }, BOT), exactly(1));
  });

  it('treats a message without a time as being as new as the one before it', () => {
    const untimed = message({ msgId: 'a', senderId: 'user-1' });
    assert.deepEqual(unreadOf([untimed, listed(2), listed(1)], markOf(1), BOT), exactly(2));
    assert.deepEqual(unreadOf([untimed, listed(5)], markOf(3), BOT), { unread: 2, more: true });
    assert.deepEqual(unreadOf([untimed, listed(2)], markOf(3), BOT), exactly(0));
    assert.deepEqual(unreadOf([untimed], { msgId: 'a', sendTime: 0 }, BOT), exactly(0));
  });

  it('is correct for any order, duplicates and deletions', () =>
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
          const sorted = names.toSorted((one, other) => Math.abs(one) - Math.abs(other));
          const at = double % sorted.length;
          const duplicated = sorted.toSpliced(at, 0, sorted[at] ?? assert.fail());
          // A single message has no order.
          const page = isReversed && sorted.length > 1 ? pageOf(...duplicated).toReversed() : pageOf(...duplicated);
          const expected = names.filter((name) => name > seen).length;
          const isReached = names.some((name) => Math.abs(name) <= seen);
          assert.deepEqual(unread(page, seen), { unread: expected, more: !isReached });
          assert.deepEqual(newestMark(page), markOf(sorted.at(-1) ?? assert.fail()));
        },
      ),
    ));
});

describe('A mark', () => {
  const page = pageOf(1, 2, 3);
  const later = (one: Name, other: Name) => isLater(markOf(Number(one)), markOf(Number(other)), page);

  it('is later than the mark of an older message', () => {
    assert.deepEqual([later(3, 2), later(2, 3), later(2, 2)], [true, false, false]);
    assert.deepEqual([later(9, 2), later(2, 9), later(9, 8), later(8, 9)], [true, false, true, false]);
  });

  it('is later by its position in the page even if times differ', () => {
    const [old, fresh] = [
      { msgId: 'old', sendTime: 9 },
      { msgId: 'new', sendTime: 5 },
    ];
    const clocks = [message(fresh), message({ msgId: 'mid', sendTime: 4 }), message(old)];
    assert.deepEqual([isLater(fresh, old, clocks), isLater(old, fresh, clocks)], [true, false]);
  });

  it('is later than one of equal time if only that one is in the page', () => {
    // It may be the oldest of the page.
    const [known, unknown] = [markOf(1), { msgId: 'u', sendTime: 1 }];
    assert.deepEqual([isLater(unknown, known, page), isLater(known, unknown, page)], [true, false]);
  });

  it("isn't later than itself, even if its time differs", () => {
    const mark = { msgId: 'u', sendTime: 3 };
    assert.equal(isLater(mark, mark, []), false);
    assert.equal(isLater({ ...mark, sendTime: 4 }, mark, []), false);
  });

  it('is later than one of the same message with fewer unreadable entries after it', () => {
    const [one, two] = [1, 2].map((unreadable) => ({ ...markOf(3), unreadable })) as [Mark, Mark];
    assert.deepEqual([isLater(two, one, page), isLater(one, two, page)], [true, false]);
    assert.deepEqual([isLater(one, markOf(3), page), isLater(markOf(3), one, page)], [true, false]);
    assert.deepEqual([isLater(markOf(4), two, page), isLater(two, markOf(4), page)], [true, false]);
  });

  it('of any message is later than the mark of an empty chat', () => {
    const untimed = { msgId: 'u', sendTime: 0 };
    assert.deepEqual([isLater(untimed, EMPTY_MARK, []), isLater(EMPTY_MARK, untimed, [])], [true, false]);
    assert.deepEqual([isLater(EMPTY_MARK, EMPTY_MARK, []), isLater(EMPTY_MARK, markOf(1), page)], [false, false]);
  });
});
