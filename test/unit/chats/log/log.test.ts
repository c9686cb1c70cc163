import assert from 'node:assert/strict';
import * as v from 'valibot';
import { LoadedSegments } from '../../../../src/chats/history/loadedSegments.ts';
import { Log } from '../../../../src/chats/log/log.ts';
import { Listed } from '../../../../src/service/message.ts';
import { entryOf, range } from '../history/chat.ts';
import { TwinLogs } from './logs.ts';

/** Entries: messages by their number, which is also their time, and unreadable ones by their label. */
const page = (...names: (number | string)[]) => names.map(entryOf);

/** A message with another time, or none. */
const timed = (name: string, sendTime?: number) => v.parse(Listed, { msgId: name, sendTime });

const x = JSON.stringify({ broken: 'x' });
const keys = (...names: (number | string)[]) => names.map(String);

/** A log of these pages. */
function logOf(...pages: (number | string)[][]) {
  const logs = new TwinLogs();
  for (const names of pages) logs.add(page(...names));
  return logs;
}

describe('A page', () => {
  it('becomes a segment, which later pages extend at both sides', () => {
    const logs = logOf([3, 4]);
    assert.deepEqual(logs.add(page(1, 2, 3)), { isNew: [true, true, false], grownBy: 2 });
    assert.deepEqual(logs.add(page(4, 5)), { isNew: [false, true], grownBy: 1 });
    assert.deepEqual(logs.segments, [['open', ...keys(1, 2, 3, 4, 5), 'open']]);
  });

  it('joins the segments that it connects, in its own order, and leaves the others', () => {
    const logs = logOf([1, 2], [9, 10], [20, 21], [5, 6]);
    logs.add(page(2, 3, 5, 6, 8, 9));
    assert.deepEqual(logs.segments, [
      ['open', ...keys(1, 2, 3, 5, 6, 8, 9, 10), 'open'],
      ['open', '20', '21', 'open'],
    ]);
    const untimed = new TwinLogs();
    for (const name of ['a', 'b', 'c']) untimed.add([timed(name)]);
    untimed.add([timed('b'), timed('c'), timed('a')]);
    assert.deepEqual(untimed.segments, [['open', 'b', 'c', 'a', 'open']]);
  });

  it('goes beyond what was deleted, which stays where it was', () => {
    const logs = logOf([1, 2, 3, 4, 5, 6]);
    logs.add(page(3, 9));
    logs.add([timed('0', 7), entryOf(2)]);
    assert.deepEqual(logs.segments, [['open', ...keys(0, 1, 2, 3, 4, 5, 6, 9), 'open']]);
  });

  it('goes between the segments that it connects, whatever was deleted beside them', () => {
    const logs = logOf([1, 2, 3], [8, 9, 10]);
    logs.add([...page(2), timed('late', 9), ...page(10)]);
    assert.deepEqual(logs.segments, [['open', ...keys(1, 2, 3, 'late', 8, 9, 10), 'open']]);
    const ends = logOf([1, 2], [8, 9]);
    ends.add([...page(2), timed('late', 9), ...page(9)]);
    assert.deepEqual(ends.segments, [['open', ...keys(1, 2, 'late', 8, 9), 'open']]);
  });

  it('goes by its times where it contradicts what was read before', () => {
    const logs = logOf([1, 3, 5, 7, 9]);
    logs.add([...page(1), timed('5b', 5), ...page(6, 'x', 9)]);
    assert.deepEqual(logs.segments, [['open', '1', '3', '5', '5b', '6', x, '7', '9', 'open']]);
  });

  it('opens an end that it goes beyond, and no other', () => {
    const logs = logOf([5, 6]);
    for (const side of ['older', 'newer'] as const) logs.extend(logs.tasks(0, side), page(side === 'older' ? 5 : 6), 0);
    assert.deepEqual(logs.segments, [['end', '5', '6', 'end']]);
    logs.add(page(5, 6));
    assert.deepEqual(logs.segments, [['end', '5', '6', 'end']]);
    logs.add(page(4, 5));
    assert.deepEqual(logs.segments, [['open', '4', '5', '6', 'end']]);
    logs.extend(logs.tasks(0, 'older'), page(4), 0);
    logs.add(page(6, 7));
    assert.deepEqual(logs.segments, [['end', '4', '5', '6', '7', 'open']]);
  });

  it('finds its place among a thousand messages', () => {
    const logs = logOf(range(1, 1000));
    logs.add(page(500, 501, 502));
    logs.add(page(1, 2));
    logs.add(page(1000, 1001));
    assert.deepEqual(logs.segments, [['open', ...keys(...range(1, 1001)), 'open']]);
  });
});

describe('The first page of a chat', () => {
  it('is the beginning, unless more is known before it, even if its first entry looks different each time', () => {
    for (const [known, edge] of [
      [[1, 2], 'end'],
      [['x', 1], 'end'],
      [['w', 'x', 1], 'open'],
    ] as const) {
      const logs = logOf([...known]);
      logs.addFirst(known[0] === 1 ? page(1, 2) : page('y', 1));
      assert.equal(logs.segments[0]?.[0], edge, `${known}`);
    }
  });
});

describe('Unreadable entries of a page', () => {
  it('are known beside the same message, as often as they occur', () => {
    const logs = logOf([1, 'x', 'x', 2, 'x']);
    assert.deepEqual(logs.add(page(1, 'x', 'x', 'x', 2, 'x', 'x')).isNew, [
      false,
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
    assert.deepEqual(logs.add(page('x', 2, 'x')).isNew, [false, false, false]);
    assert.deepEqual(logs.add(page('x', 'x', 1)).isNew, [true, true, false]);
    assert.deepEqual(logs.segments, [['open', x, x, '1', x, x, x, '2', x, x, 'open']]);
  });

  it("aren't known beyond a message that the page lists, or that isn't known", () => {
    const logs = logOf([1, 2, 'x']);
    assert.deepEqual(logs.add(page(1, 'x', 2)).isNew, [false, true, false]);
    const other = logOf([1, 'x', 4]);
    assert.deepEqual(other.add(page(1, 2, 'x')).isNew, [false, true, true]);
  });

  it('are there once if both of the segments that a page connects had them', () => {
    const logs = logOf([1, 'x'], ['x', 3]);
    assert.deepEqual(logs.add(page(1, 'x', 3)), { isNew: [false, false, false], grownBy: -1 });
    assert.deepEqual(logs.segments, [['open', '1', x, '3', 'open']]);
  });

  it("aren't taken for equal ones of another segment", () => {
    const logs = logOf([1, 2], ['x', 9]);
    logs.add(page(2, 'x', 4, 'x', 9));
    assert.deepEqual(logs.segments, [['open', '1', '2', x, '4', x, '9', 'open']]);
  });

  it('may be all of the newest page, which goes on as the log begins', () => {
    const logs = new TwinLogs();
    logs.addLatest(page('x', 'y'));
    assert.deepEqual(logs.addLatest(page('y', 'z')).isNew, [false, true]);
    assert.equal(logs.segments[0]?.length, 5);
    assert.deepEqual(logs.addLatest(page('y', 'z', 1)).isNew, [false, false, true]);
    assert.equal(logs.segments.length, 1);
  });

  it("aren't consecutive with others of which none is known", () => {
    const logs = new TwinLogs();
    logs.addLatest(page(1));
    logs.addLatest(page('y'));
    assert.equal(logs.segments.length, 2);
  });

  it('are the same in the same place, even if they look different each time', () => {
    const sides: [known: (number | string)[], listed: (number | string)[], isNew: boolean[]][] = [
      [
        [1, 'x'],
        [1, 'y'],
        [false, false],
      ],
      [
        ['x', 1],
        ['y', 1],
        [false, false],
      ],
      [
        [1, 'x', 2],
        [1, 'y', 2],
        [false, false, false],
      ],
      [
        [1, 'x'],
        [1, 'y', 'z', 2],
        [false, false, true, true],
      ],
      [
        ['x', 1],
        [0, 'z', 'y', 1],
        [true, true, false, false],
      ],
      // Those that look the same are known first.
      [
        [1, 'x', 'y', 2],
        [1, 'z', 'x', 'y', 2],
        [false, true, false, false, false],
      ],
      [
        [1, 'x', 'y', 'z', 2],
        [1, 'a', 'y', 'b', 2],
        [false, false, false, false, false],
      ],
      [
        [1, 'x', 'y'],
        [1, 'y', 'z'],
        [false, false, true],
      ],
      // One that was deleted lies between.
      [
        [1, 2, 'x'],
        [1, 'y'],
        [false, false],
      ],
      [
        [1, 'x', 2],
        [1, 2, 'y'],
        [false, false, true],
      ],
    ];
    for (const [known, listed, isNew] of sides)
      assert.deepEqual(logOf(known).add(page(...listed)).isNew, isNew, `${known} / ${listed}`);
    const newest = new TwinLogs();
    newest.addLatest(page('x'));
    assert.deepEqual(newest.addLatest(page('y', 'z')).isNew, [false, true]);
    assert.equal(newest.segments.length, 1);
    const joined = logOf([1, 'x'], ['y', 3]);
    assert.deepEqual(joined.add(page(1, 'z', 3)), { isNew: [false, false, false], grownBy: -1 });
    assert.equal(joined.segments[0]?.length, 5);
  });

  it('are known beyond a message that was deleted', () => {
    const logs = logOf([1, 2, 'x']);
    assert.deepEqual(logs.add(page(1, 'x')).isNew, [false, false]);
  });
});

describe('Segments', () => {
  it('are in order of time, even if some of the clocks were wrong', () => {
    const late = range(101, 120).map(entryOf);
    const logs = new TwinLogs();
    logs.add(late);
    logs.add([...range(1, 8).map(entryOf), timed('late', 900)]);
    logs.add([timed('early', 2), ...range(201, 208).map(entryOf)]);
    assert.deepEqual(
      logs.segments.map((segment) => segment[1]),
      ['1', '101', 'early'],
    );
  });

  it('of one time are in order of their other times', () => {
    const logs = new TwinLogs();
    logs.add([timed('b', 5), timed('c', 5), timed('d', 6)]);
    logs.add([timed('a', 4), timed('e', 5), timed('f', 5)]);
    assert.deepEqual(
      logs.segments.map((segment) => segment[1]),
      ['a', 'b'],
    );
  });

  it('are in order of the middle of their first times, then of their last ones', () => {
    const times = (...runs: [count: number, time: number][]) =>
      runs.flatMap(([count, time]) => Array(count).fill(time));
    const pairs: [older: number[], newer: number[]][] = [
      [times([10, 1], [9, 50]), times([10, 2], [9, 50])],
      [times([9, 5], [10, 7]), times([9, 5], [10, 8])],
      [
        [1, 90],
        [2, 3],
      ],
      [
        [2, 3, 4],
        [5, 1, 9],
      ],
    ];
    for (const pair of pairs) {
      const logs = new TwinLogs();
      const segments = pair.map((sent, which) => sent.map((time, at) => timed(`${'ab'[which]}${at}`, time)));
      for (const segment of segments) logs.add(segment);
      assert.deepEqual(
        logs.segments.map((segment) => segment[1]),
        ['a0', 'b0'],
      );
    }
  });

  it('without times are in the order of the ends of the chat, or else the one that was read later is first', () => {
    const logs = new TwinLogs();
    for (const name of ['a', 'b', 'c']) logs.add([timed(name)]);
    const first = () => logs.segments.map((segment) => segment[1]);
    assert.deepEqual(first(), ['c', 'b', 'a']);
    logs.extend(logs.tasks(1, 'older'), [timed('b')], 0);
    assert.deepEqual(first(), ['b', 'c', 'a']);
    logs.extend(logs.tasks(1, 'newer'), [timed('c')], 0);
    assert.deepEqual(first(), ['b', 'a', 'c']);
  });

  it('are in the order of the ends of the chat against their times if both ends say so', () => {
    const logs = logOf([1], [9]);
    logs.extend(logs.tasks(1, 'older'), page(9), 0);
    assert.deepEqual(logs.segments[0]?.[1], '1');
    logs.extend(logs.tasks(0, 'newer'), page(1), 0);
    assert.deepEqual(logs.segments, [
      ['end', '9', 'open'],
      ['open', '1', 'end'],
    ]);
  });

  it('end with the newest page, until there is a newer one', () => {
    const logs = new TwinLogs();
    logs.addLatest(page(1, 2));
    logs.addLatest(page(8, 9));
    assert.deepEqual(logs.segments, [
      ['open', '1', '2', 'open'],
      ['open', '8', '9', 'end'],
    ]);
  });
});

describe('What to read next', () => {
  it('is at the five outermost messages, with the entries beyond each', () => {
    const logs = logOf(['x', 1, 2, 'x', 'x', 3, 4, 5, 6]);
    assert.deepEqual(logs.tasks(0, 'older')[0]?.anchors, [
      { msgId: '1', beyond: 1 },
      { msgId: '2', beyond: 2 },
      { msgId: '3', beyond: 5 },
      { msgId: '4', beyond: 6 },
      { msgId: '5', beyond: 7 },
    ]);
    assert.deepEqual(logs.tasks(0, 'newer')[0]?.anchors[0], { msgId: '6', beyond: 0 });
  });

  it('is the newest gap, from its newer side, then from its older one, then what is before the first', () => {
    const logs = logOf([1], [5], [9]);
    const next = () => logs.nextTasks()?.map(({ side, anchors }) => `${side} than ${anchors[0]?.msgId}`)[0];
    const nothing = (anchor: number) => logs.extend(logs.nextTasks() ?? assert.fail(), page(anchor), 0);
    assert.equal(next(), 'older than 9');
    nothing(9);
    assert.equal(next(), 'newer than 5');
    nothing(5);
    // Both segments said that there's nothing between them, and so they are in the opposite order.
    assert.deepEqual(
      logs.segments.map((segment) => segment[1]),
      ['1', '9', '5'],
    );
  });

  it('closes a gap of which one side is the end, and the other is lost', () => {
    const logs = logOf([1], [9]);
    logs.extend(logs.nextTasks() ?? assert.fail(), page(9), 0);
    logs.lose(logs.nextTasks() ?? assert.fail());
    assert.deepEqual(logs.lostGaps, [false, false]);
    assert.equal(logs.nextTasks()?.[0]?.anchors[0]?.msgId, '1');
    assert.deepEqual(logs.segments, [['open', '1', '9', 'open']]);
  });

  it("isn't a gap whose both sides are lost, until it's tried again", () => {
    const logs = logOf([1], [9]);
    for (let side = 0; side < 2; side++) logs.lose(logs.nextTasks() ?? assert.fail());
    assert.deepEqual(logs.lostGaps, [false, true]);
    logs.lose(logs.nextTasks() ?? assert.fail());
    assert.deepEqual([logs.lostGaps, logs.nextTasks()], [[true, true], undefined]);
    logs.reopen();
    assert.deepEqual(logs.nextTasks()?.[0]?.anchors[0]?.msgId, '9');
    assert.deepEqual(logs.segments, [
      ['open', '1', 'open'],
      ['open', '9', 'open'],
    ]);
  });

  it('of a gap is at the side that is asked for, or else at the other one', () => {
    const logs = logOf([1], [9]);
    assert.equal(logs.gapTasks(1, 'older')?.[0]?.side, 'newer');
    assert.equal(logs.gapTasks(1, 'newer')?.[0]?.side, 'older');
    logs.lose(logs.gapTasks(1, 'newer') ?? assert.fail());
    assert.equal(logs.gapTasks(1, 'newer')?.[0]?.side, 'newer');
  });
});

describe('A page that was read for a task', () => {
  it('is the end if it has nothing further', () => {
    const logs = logOf([2, 3]);
    const tasks = logs.tasks(0, 'older');
    assert.equal(logs.extend(tasks, page(1, 2), 1).isEnd, false);
    assert.equal(logs.extend(tasks, page(2), 0).isEnd, false);
    assert.equal(logs.extend(logs.tasks(0, 'older'), page(1), 0).isEnd, true);
    assert.deepEqual(logs.segments, [['end', '1', '2', '3', 'open']]);
  });

  it("isn't the end if it has further unreadable entries, unless it has no more than are known", () => {
    const logs = logOf([1, 'x']);
    assert.equal(logs.extend(logs.tasks(0, 'newer'), page(1, 'x', 'y'), 0).isEnd, false);
    assert.equal(logs.extend(logs.tasks(0, 'newer'), page(1, 'a', 'b'), 0).isEnd, true);
    assert.equal(logs.extend(logs.tasks(0, 'newer'), page(1, 'c', 'd', 'e'), 0).isEnd, false);
    const listed = page(1, 'e', 'y', 'x');
    assert.equal(logs.extend(logs.tasks(0, 'newer'), listed, 0).isEnd, true);
  });

  it("isn't the end if it joins segments, or another window has read on", () => {
    const logs = logOf([1, 2], [3, 4]);
    assert.equal(logs.extend(logs.tasks(0, 'newer'), page(2, 3), 0).isEnd, false);
    const tasks = logs.tasks(0, 'newer');
    logs.add(page(4, 5));
    assert.equal(logs.extend(tasks, page(4), 0).isEnd, false);
    logs.lose(tasks);
    const later = logs.tasks(0, 'newer');
    logs.add(page(5, 'x'));
    assert.equal(logs.extend(later, page(5), 0).isEnd, false);
    assert.deepEqual(logs.segments, [['open', ...keys(1, 2, 3, 4, 5), x, 'open']]);
  });
});

describe('A log with a limit', () => {
  it('reads nothing older than its oldest messages if these reach back before it, until it changes', () => {
    const logs = new TwinLogs(4);
    logs.add(page(4, 5, 6));
    assert.deepEqual(logs.lostGaps, [false]);
    logs.add(page(2, 3, 4));
    assert.deepEqual([logs.segments, logs.lostGaps], [[['open', ...keys(2, 3, 4, 5, 6), 'open']], [false]]);
    logs.add(page(1, 2, 3));
    assert.deepEqual([logs.segments[0]?.[0], logs.lostGaps, logs.nextTasks()], ['limit', [], undefined]);
    logs.reopenLimit();
    assert.equal(logs.segments[0]?.[0], 'open');
  });

  it('reads on if a page has only a message or two, whose clocks are wrong', () => {
    const logs = new TwinLogs(4);
    logs.add(page(2));
    assert.equal(logs.segments[0]?.[0], 'open');
    logs.add(page(2, 7, 8));
    logs.add(page(1, 2));
    assert.deepEqual(logs.segments, [['open', ...keys(1, 2, 7, 8), 'open']]);
  });

  it('knows its beginning even so', () => {
    const logs = new TwinLogs(3);
    logs.add(page(1, 2));
    logs.extend(logs.tasks(0, 'older'), page(1), 0);
    logs.add(page(1, 2));
    assert.equal(logs.segments[0]?.[0], 'end');
  });

  it('stops only the segment that reaches it', () => {
    const logs = new TwinLogs(3);
    logs.add(page(8, 9));
    logs.add(page(1, 2, 2.5));
    assert.deepEqual(logs.segments, [
      ['limit', '1', '2', '2.5', 'open'],
      ['open', '8', '9', 'open'],
    ]);
  });
});

describe('An entry without a time', () => {
  it('is stored with that of the one before it in its page, or else of the next one', () => {
    const store = new LoadedSegments();
    const times: (number | undefined)[] = [];
    store.insert = (_segment, _after, entries) => void times.push(...entries.map(({ time }) => time));
    new Log(store).add(page('x', 'y', 3, 'x', 5));
    new Log(store).add(page('x'));
    assert.deepEqual(times, [3, 3, 3, 3, 5, undefined]);
  });
});
