import assert from 'node:assert/strict';
import * as v from 'valibot';
import { LoadedSegments } from '../../../../src/chats/history/loadedSegments.ts';
import { Log } from '../../../../src/chats/log/log.ts';
import { Listed } from '../../../../src/service/message.ts';
import { range } from '../history/chat.ts';
import { TwinLogs } from './logs.ts';

/** `7` is a message with this ID and time, `a@7` one with another ID, `a@` one without a time, and `x` an unreadable entry. */
function entryOf(name: string): Listed {
  const [msgId, time] = name.split('@');
  if (time === undefined && Number.isNaN(Number(name))) return v.parse(Listed, { broken: name });
  return v.parse(Listed, { msgId, sendTime: time === '' ? undefined : Number(time ?? msgId) });
}

/** A page of these entries, oldest first. */
const page = (names: string) => names.split(' ').map(entryOf);

/** A log to which these pages were added. */
function logOf(...pages: string[]) {
  const logs = new TwinLogs();
  for (const names of pages) logs.add(page(names));
  return logs;
}

/** Adds a page, and checks that just the marked entries are new, such as `+x`. Returns how many more there are than before. */
function add(logs: TwinLogs, marked: string, how: 'add' | 'addLatest' = 'add'): number {
  const { isNew, grownBy } = logs[how](page(marked.replaceAll('+', '')));
  const names = marked.split(' ').map((name, at) => `${isNew[at] ? '+' : ''}${name.replace('+', '')}`);
  assert.equal(names.join(' '), marked);
  return grownBy;
}

/** The segments, the oldest first: what is beyond each, and its entries. */
const shown = ({ segments }: TwinLogs) => segments.map((segment) => segment.map(nameOf).join(' '));
const nameOf = (key: string) => (key.startsWith('{') ? (JSON.parse(key) as { broken: string }).broken : key);

/** The first entry of each segment. */
const firsts = ({ segments }: TwinLogs) => segments.map(([, first]) => first).join(' ');

/** The next task, such as `older than 9`. */
function next(logs: TwinLogs): string | undefined {
  const [task] = logs.nextTasks() ?? [];
  return task && `${task.side} than ${task.anchors[0]?.msgId}`;
}

/** Reads a page for the next task. */
const extendNext = (logs: TwinLogs, names: string) => logs.extend(logs.nextTasks() ?? assert.fail(), page(names), 0);
const loseNext = (logs: TwinLogs) => logs.lose(logs.nextTasks() ?? assert.fail());

/** Reads a page with nothing beyond a segment. Returns whether that's its end. */
const extend = (logs: TwinLogs, side: 'older' | 'newer', names: string, segment = 0) =>
  logs.extend(logs.tasks(segment, side), page(names), 0).isEnd;

describe('A page', () => {
  it('becomes a segment, which later pages extend at both sides', () => {
    const logs = logOf('3 4');
    assert.equal(add(logs, '+1 +2 3'), 2);
    assert.equal(add(logs, '4 +5'), 1);
    assert.deepEqual(shown(logs), ['open 1 2 3 4 5 open']);
  });

  for (const [what, known, listed, expected] of [
    [
      'joins the segments that it connects, and leaves the others',
      ['1 2', '9 10', '20 21', '5 6'],
      ['2 3 5 6 8 9'],
      ['open 1 2 3 5 6 8 9 10 open', 'open 20 21 open'],
    ],
    ['joins segments without times in its own order', ['a@', 'b@', 'c@'], ['b@ c@ a@'], ['open b c a open']],
    [
      'goes beyond what was deleted, which stays where it was',
      ['1 2 3 4 5 6'],
      ['3 9', '0@7 2'],
      ['open 0 1 2 3 4 5 6 9 open'],
    ],
    [
      'goes between the segments that it connects, whatever was deleted beside them',
      ['1 2 3', '8 9 10'],
      ['2 late@9 10'],
      ['open 1 2 3 late 8 9 10 open'],
    ],
    ['goes between the ends of two segments', ['1 2', '8 9'], ['2 late@9 9'], ['open 1 2 late 8 9 open']],
    [
      'goes beyond all that was read before where its order contradicts that',
      ['1 2 3 4'],
      ['3 new@3 1'],
      ['open 1 2 3 4 new open'],
    ],
    [
      'goes by its times up to the end of a segment that it connects',
      ['1 2 3', '8 9'],
      ['2 new@2 3 8'],
      ['open 1 2 new 3 8 9 open'],
    ],
    [
      'goes by its times where it contradicts what was read before',
      ['1 3 5 7 9'],
      ['1 5b@5 6 x 9'],
      ['open 1 3 5 5b 6 x 7 9 open'],
    ],
  ] as const)
    it(what, () => {
      const logs = logOf(...known);
      for (const names of listed) logs.add(page(names));
      assert.deepEqual(shown(logs), expected);
    });

  it('opens an end that it goes beyond, and no other', () => {
    const logs = logOf('5 6');
    extend(logs, 'older', '5');
    extend(logs, 'newer', '6');
    logs.add(page('5 6'));
    assert.deepEqual(shown(logs), ['end 5 6 end']);
    logs.add(page('4 5'));
    assert.deepEqual(shown(logs), ['open 4 5 6 end']);
    extend(logs, 'older', '4');
    logs.add(page('6 7'));
    assert.deepEqual(shown(logs), ['end 4 5 6 7 open']);
  });

  it('finds room between two messages, however often', () => {
    const logs = logOf('1 99');
    const between: string[] = [];
    for (let at = 40; at > 0; at--) {
      logs.add(page(`1 m${at}@${1 + at} 99`));
      between.unshift(`m${at}`);
    }
    assert.deepEqual(shown(logs), [`open 1 ${between.join(' ')} 99 open`]);
  });

  it('finds its place among a thousand messages', () => {
    const logs = logOf(range(1, 1000).join(' '));
    for (const names of ['500 501 502', '1 2', '1000 1001']) logs.add(page(names));
    assert.deepEqual(shown(logs), [`open ${range(1, 1001).join(' ')} open`]);
  });
});

describe('The first page of a chat', () => {
  for (const [known, listed, expected] of [
    ['1 2', '1 2', 'end 1 2 open'],
    ['x 1', 'y 1', 'end x 1 open'],
    ['w x 1', 'y 1', 'open w x 1 open'],
  ] as const)
    it(`is the beginning, unless more is known before it: of ${known}, read as ${listed}`, () => {
      const logs = logOf(known);
      logs.addFirst(page(listed));
      assert.deepEqual(shown(logs), [expected]);
    });
});

describe('Unreadable entries of a page', () => {
  /** What is known, and a page in which the new entries are marked. */
  const cases: Record<string, [known: string, listed: string][]> = {
    'are known beside the same message, as often as they occur': [
      ['1 x x 2 x', '1 x x +x 2 x +x'],
      ['1 x x 2 x', 'x 2 x'],
      ['1 x x 2 x', '+x +x 1'],
    ],
    "aren't known beyond a message that the page lists, or that isn't known": [
      ['1 2 x', '1 +x 2'],
      ['1 x 4', '1 +2 +x'],
    ],
    'are the same in the same place, even if they look different each time': [
      ['1 x', '1 y'],
      ['x 1', 'y 1'],
      ['1 x 2', '1 y 2'],
      ['1 x', '1 y +z +2'],
      ['x 1', '+0 +z y 1'],
      // Those that look the same are known first.
      ['1 x y 2', '1 +z x y 2'],
      ['1 x y z 2', '1 a y b 2'],
      ['1 x y', '1 y +z'],
      // One that was deleted lies between.
      ['1 2 x', '1 y'],
      ['1 x 2', '1 2 +y'],
    ],
    'are known beyond a message that was deleted': [
      ['1 2 x', '1 x'],
      ['x 2 1', 'x 1'],
    ],
  };
  for (const [what, rows] of Object.entries(cases))
    it(what, () => {
      for (const [known, listed] of rows) add(logOf(known), listed);
    });

  it('are added where the page has them', () => {
    const logs = logOf('1 x x 2 x');
    for (const names of ['1 x x x 2 x x', 'x 2 x', 'x x 1']) logs.add(page(names));
    assert.deepEqual(shown(logs), ['open x x 1 x x x 2 x x open']);
  });

  it('are there once if both of the segments that a page connects had them', () => {
    for (const [older, newer, listed] of [
      ['1 x', 'x 3', '1 x 3'],
      ['1 x', 'y 3', '1 z 3'],
    ] as const) {
      const logs = logOf(older, newer);
      assert.equal(add(logs, listed), -1);
      assert.deepEqual(shown(logs), ['open 1 x 3 open']);
    }
  });

  it("aren't taken for equal ones of another segment", () => {
    const logs = logOf('1 2', 'x 9');
    logs.add(page('2 x 4 x 9'));
    assert.deepEqual(shown(logs), ['open 1 2 x 4 x 9 open']);
  });

  it('may be all of the newest page, which goes on as the log begins', () => {
    const logs = new TwinLogs();
    logs.addLatest(page('x y'));
    add(logs, 'y +z', 'addLatest');
    add(logs, 'y z +1', 'addLatest');
    assert.deepEqual(shown(logs), ['open x y z 1 end']);
  });

  it('may be all of the newest page, even if they look different each time', () => {
    const logs = new TwinLogs();
    logs.addLatest(page('x'));
    add(logs, 'y +z', 'addLatest');
    assert.deepEqual(shown(logs), ['open x z end']);
  });

  it("aren't consecutive with others of which none is known", () => {
    const logs = new TwinLogs();
    logs.addLatest(page('1'));
    logs.addLatest(page('y'));
    assert.equal(logs.segments.length, 2);
  });
});

describe('Segments', () => {
  it('are in order of time, even if some of the clocks were wrong', () => {
    const late = range(101, 120).join(' ');
    const logs = logOf(late, `${range(1, 8).join(' ')} late@900`, `early@2 ${range(201, 208).join(' ')}`);
    assert.equal(firsts(logs), '1 101 early');
  });

  it('of one time are in order of their other times', () => {
    assert.equal(firsts(logOf('b@5 c@5 d@6', 'a@4 e@5 f@5')), 'a b');
  });

  it('are in order of the middle of their first times, then of their last ones', () => {
    const times = (...runs: [count: number, time: number][]) =>
      runs.flatMap(([count, time]) => Array(count).fill(time));
    const pairs: [older: number[], newer: number[]][] = [
      [times([10, 1], [9, 50]), times([10, 2], [9, 50])],
      [times([9, 5], [10, 7]), times([9, 5], [10, 8])],
      [times([9, 1], [20, 100]), times([9, 2])],
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
      const [older = '', newer = ''] = pair.map((sent, which) =>
        sent.map((time, at) => `${'ab'[which]}${at}@${time}`).join(' '),
      );
      assert.equal(firsts(logOf(older, newer)), 'a0 b0');
      assert.equal(firsts(logOf(newer, older)), 'a0 b0');
    }
  });

  it('without times are in the order of the ends of the chat, or else the one that was read later is first', () => {
    const logs = logOf('a@', 'b@', 'c@');
    assert.equal(firsts(logs), 'c b a');
    extend(logs, 'older', 'b@', 1);
    assert.equal(firsts(logs), 'b c a');
    extend(logs, 'newer', 'c@', 1);
    assert.equal(firsts(logs), 'b a c');
  });

  it('are in the order of the ends of the chat against their times if both ends say so', () => {
    const logs = logOf('1', '9');
    extend(logs, 'older', '9', 1);
    assert.equal(firsts(logs), '1 9');
    extend(logs, 'newer', '1');
    assert.deepEqual(shown(logs), ['end 9 open', 'open 1 end']);
  });

  it('end with the newest page, until there is a newer one', () => {
    const logs = new TwinLogs();
    logs.addLatest(page('1 2'));
    logs.addLatest(page('8 9'));
    assert.deepEqual(shown(logs), ['open 1 2 open', 'open 8 9 end']);
  });

  it('end with the newest page until newer messages are known to exist', () => {
    const logs = logOf('1');
    extend(logs, 'older', '1');
    logs.addLatest(page('8 9'));
    logs.forgetNewest();
    assert.deepEqual(shown(logs), ['end 1 open', 'open 8 9 open']);
  });
});

describe('What to read next', () => {
  it('is at the five outermost messages, with the entries beyond each', () => {
    const logs = logOf('x 1 2 x x 3 4 5 6');
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
    const logs = logOf('1', '5', '9');
    assert.equal(next(logs), 'older than 9');
    extendNext(logs, '9');
    assert.equal(next(logs), 'newer than 5');
    extendNext(logs, '5');
    // Both segments said that there's nothing between them, and so they are in the opposite order.
    assert.equal(firsts(logs), '1 9 5');
  });

  it('closes a gap of which one side is the end, and the other is lost', () => {
    const logs = logOf('1', '9');
    extendNext(logs, '9');
    loseNext(logs);
    assert.deepEqual(logs.lostGaps, [false, false]);
    assert.equal(next(logs), 'older than 1');
    assert.deepEqual(shown(logs), ['open 1 9 open']);
  });

  it("isn't a gap whose both sides are lost, until it's tried again", () => {
    const logs = logOf('1', '9');
    loseNext(logs);
    loseNext(logs);
    assert.deepEqual(logs.lostGaps, [false, true]);
    loseNext(logs);
    assert.deepEqual(logs.lostGaps, [true, true]);
    assert.equal(next(logs), undefined);
    logs.reopen();
    assert.equal(next(logs), 'older than 9');
    assert.deepEqual(shown(logs), ['open 1 open', 'open 9 open']);
  });

  it('of a gap is at the side that is asked for, or else at the other one', () => {
    const logs = logOf('1', '9');
    const side = (from: 'older' | 'newer') => logs.gapTasks(1, from)?.[0]?.side;
    assert.equal(side('older'), 'newer');
    assert.equal(side('newer'), 'older');
    logs.lose(logs.gapTasks(1, 'newer') ?? assert.fail());
    assert.equal(side('newer'), 'newer');
  });

  it('is nothing more once the chat is known from its beginning', () => {
    const logs = logOf('1');
    extendNext(logs, '1');
    assert.deepEqual(logs.lostGaps, []);
    assert.equal(next(logs), undefined);
    // Older messages than the first don't appear later.
    logs.reopen();
    assert.deepEqual(shown(logs), ['end 1 open']);
  });
});

describe('A page that was read for a task', () => {
  it('is the end if it has nothing further', () => {
    const logs = logOf('2 3');
    const tasks = logs.tasks(0, 'older');
    assert.equal(logs.extend(tasks, page('1 2'), 1).isEnd, false);
    assert.equal(logs.extend(tasks, page('2'), 0).isEnd, false);
    assert.equal(extend(logs, 'older', '1'), true);
    assert.deepEqual(shown(logs), ['end 1 2 3 open']);
  });

  it("isn't the end if it has further unreadable entries, unless it has no more than are known", () => {
    const newer = logOf('1 x');
    const older = logOf('x 1');
    for (const [beyond, isEnd] of [
      ['x y', false],
      ['a b', true],
      ['c d e', false],
      ['e y x', true],
    ] as const) {
      assert.equal(extend(newer, 'newer', `1 ${beyond}`), isEnd, beyond);
      const reversed = page(`1 ${beyond}`).reverse();
      const last = reversed.length - 1;
      assert.equal(older.extend(older.tasks(0, 'older'), reversed, last).isEnd, isEnd, beyond);
    }
  });

  it("isn't the end if it joins segments, or another window has read on", () => {
    const logs = logOf('1 2', '3 4');
    assert.equal(extend(logs, 'newer', '2 3'), false);
    const tasks = logs.tasks(0, 'newer');
    logs.add(page('4 5'));
    assert.equal(logs.extend(tasks, page('4'), 0).isEnd, false);
    logs.lose(tasks);
    const later = logs.tasks(0, 'newer');
    logs.add(page('5 x'));
    assert.equal(logs.extend(later, page('5'), 0).isEnd, false);
    assert.deepEqual(shown(logs), ['open 1 2 3 4 5 x open']);
  });
});

describe('A log with a limit', () => {
  it('reads nothing older than its oldest messages if these reach back before it, until it changes', () => {
    const logs = new TwinLogs(4);
    logs.add(page('4 5 6'));
    assert.deepEqual(logs.lostGaps, [false]);
    logs.add(page('2 3 4'));
    assert.deepEqual(shown(logs), ['open 2 3 4 5 6 open']);
    logs.add(page('1 2 3'));
    assert.deepEqual(shown(logs), ['limit 1 2 3 4 5 6 open']);
    assert.deepEqual(logs.lostGaps, []);
    assert.equal(next(logs), undefined);
    logs.reopenLimit();
    assert.equal(next(logs), 'older than 1');
  });

  it('reads on if a page has only a message or two, whose clocks are wrong', () => {
    const logs = new TwinLogs(4);
    for (const names of ['2', '2 7 8', '1 2']) {
      logs.add(page(names));
      assert.equal(logs.segments[0]?.[0], 'open', names);
    }
  });

  it('knows its beginning even so', () => {
    const logs = new TwinLogs(3);
    logs.add(page('1 2'));
    extend(logs, 'older', '1');
    logs.add(page('1 2'));
    logs.reopenLimit();
    assert.deepEqual(shown(logs), ['end 1 2 open']);
  });

  it('stops only the segment that reaches it', () => {
    const logs = new TwinLogs(3);
    logs.add(page('8 9'));
    logs.add(page('1 2 2.5'));
    assert.deepEqual(shown(logs), ['limit 1 2 2.5 open', 'open 8 9 open']);
  });
});

describe('An entry without a time', () => {
  it('is stored with that of the one before it in its page, or else of the next one', () => {
    const store = new LoadedSegments();
    const times: (number | undefined)[] = [];
    store.insert = (_segment, _after, entries) => void times.push(...entries.map(({ time }) => time));
    new Log(store).add(page('x y 3 x 5'));
    new Log(store).add(page('x'));
    assert.deepEqual(times, [3, 3, 3, 3, 5, undefined]);
  });
});
