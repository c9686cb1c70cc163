import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Habits } from '../modelChat.ts';
import { gapsOf } from './chat.ts';
import { Checked } from './timeline-model.ts';

type Step =
  | { do: 'older' | 'newer' | 'turn' }
  | { do: 'gap'; which: number; from: 'older' | 'newer' }
  | { do: 'goTo' | 'delete'; which: number }
  | { do: 'arrive'; count: number; broken: (string | undefined)[] }
  | { do: 'fail'; calls: number }
  | { do: 'lose'; lost: 'rejects' | 'empty' | 'without' };

const which = fc.nat();
const label = fc.constantFrom(undefined, undefined, undefined, undefined, 'x', 'y');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('older' as const, 'newer', 'turn') }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('gap' as const), which, from: fc.constantFrom('older' as const, 'newer') }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('goTo' as const, 'delete'), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      count: fc.constantFrom(1, 2, 24, 49, 50, 51, 130, 300),
      broken: fc.array(label, { minLength: 1, maxLength: 7 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), calls: fc.constantFrom(1, 2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      lost: fc.constantFrom('rejects' as const, 'empty', 'without'),
    }),
  },
) satisfies fc.Arbitrary<Step>;

const all: Record<string, Habits> = {
  'with a time for each message': { time: (index) => index, limit: Infinity },
  'with messages of one time, and some of none': {
    time: (index) => (index % 7 < 3 ? undefined : Math.floor(index / 5)),
    limit: Infinity,
  },
  'that lists fewer than asked for': { time: (index) => index, limit: 20 },
  'without any times': { time: () => undefined, limit: Infinity },
  'of one time': { time: () => 5, limit: Infinity },
};

async function take(checked: Checked, step: Step): Promise<void> {
  const { chat, timeline } = checked;
  const pick = (which: number) => chat.sent.at(-1 - (which % Math.max(1, chat.sent.length)));
  switch (step.do) {
    case 'older':
      return timeline.loadOlder();
    case 'newer': {
      await timeline.loadNewer();
      const newest = chat.sent.findLast(({ isDeleted }) => !isDeleted)?.entry;
      const last = timeline.items.findLast((item) => item.type === 'entry');
      if (timeline.newer.at === 'end')
        assert.ok(
          !newest || timeline.items.some((item) => item.type === 'entry' && item.entry === newest),
          `${last?.key}`,
        );
      return;
    }
    case 'turn':
      chat.isReversed = !chat.isReversed;
      return;
    case 'gap': {
      const gaps = gapsOf(timeline);
      const gap = gaps[step.which % gaps.length];
      if (gap) await timeline.loadGap(gap.id, step.from);
      return;
    }
    case 'goTo': {
      const sent = pick(step.which);
      if (sent?.msgId === undefined) return;
      const before = [...timeline.items];
      const found = await timeline.goTo(sent.msgId).catch(() => undefined);
      assert.equal(timeline.has(sent.msgId), found ?? false);
      if (!found) assert.deepEqual(timeline.items, before);
      return;
    }
    case 'delete': {
      const sent = pick(step.which);
      const segment = checked.segments().find((indexes) => sent && indexes.includes(sent.index)) ?? [];
      const left = segment.filter((index) => chat.sent[index]?.msgId !== undefined && !chat.sent[index]?.isDeleted);
      // Keep one readable message per segment and per page: without it, their order is unknown.
      const isSafe = left.length > 1 || !left.includes(sent?.index ?? -1);
      const latest = chat.sent.filter(({ isDeleted }) => !isDeleted).slice(-40);
      const isOne = latest.some((one) => one.msgId !== undefined && one !== sent);
      if (sent?.msgId !== undefined && isSafe && isOne) sent.isDeleted = true;
      return;
    }
    case 'arrive':
      // Never a full page of unreadable messages: its position in the chat would be unknown.
      for (let count = 0; count < step.count; count++)
        chat.send([undefined, ...step.broken][count % (step.broken.length + 1)]);
      return;
    case 'fail':
      chat.failures = step.calls;
      return;
    case 'lose':
      chat.lost = step.lost;
  }
}

/** Loads everything missing, and checks that this is the whole chat. */
async function complete(checked: Checked): Promise<void> {
  const { chat, timeline } = checked;
  chat.failures = 0;
  await timeline.loadNewer();
  if (timeline.items.length === 0) return;
  await timeline.loadOlder();
  for (let loads = 0; timeline.older.at !== 'end' || gapsOf(timeline).length > 0; loads++) {
    assert.ok(loads < 200, 'no end');
    const [gap] = gapsOf(timeline);
    if (gap) await timeline.loadGap(gap.id, loads % 2 === 0 ? 'older' : 'newer');
    else await timeline.loadOlder();
    checked.check();
    // All possible anchors are deleted.
    if (timeline.older.at === 'failed' || gapsOf(timeline).some(({ edge }) => edge.at === 'failed')) return;
  }
  await timeline.loadNewer();
  if (timeline.newer.at === 'failed') return;
  checked.check();
  const loaded = new Set(checked.segments().flat());
  for (const { index, isDeleted } of chat.sent) assert.ok(isDeleted || loaded.has(index), `${index} is missing`);
}

describe('A timeline, after any sequence of events,', () => {
  for (const [where, habits] of Object.entries(all)) {
    it(`contains adjacent messages once each and in order, in a chat ${where}`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
          const checked = new Checked(habits);
          for (const one of steps) {
            await take(checked, one);
            checked.check();
          }
          await complete(checked);
        }),
      ));
  }
});
