import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bucketsOf } from '../../../src/pages/statistics/buckets.ts';

const dayOf = (text: string) => Date.parse(text) / 86_400_000;
const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** A message on each of these days. */
const on = (...days: string[]) => days.map((day) => ({ day: dayOf(day), count: 1 }));

/** The unit, the first day of each bar with its number of messages, and the day after the last one. */
const shown = (days: { day: number; count: number }[], max: number) => {
  const { unit, buckets } = bucketsOf(days, max);
  const bars = buckets.map(({ start, count }) => `${dayText(start)} ${count}`);
  return `${unit}: ${bars.join(', ')}, until ${dayText(buckets.at(-1)?.end ?? 0)}`;
};

describe('The bars of a chart of days', () => {
  it('are days if these fit, also those without messages', () => {
    const days = 'day: 2024-02-28 1, 2024-02-29 0, 2024-03-01 1, until 2024-03-02';
    assert.equal(shown(on('2024-02-28', '2024-03-01'), 3), days);
  });

  it('are longer if there are more days than fit', () => {
    const weeks = 'week: 2024-02-26 1, 2024-03-04 2, until 2024-03-11';
    assert.equal(shown(on('2024-03-03', '2024-03-04', '2024-03-10'), 3), weeks);
    const months = 'month: 2024-01-01 1, 2024-02-01 1, until 2024-03-01';
    assert.equal(shown(on('2024-01-31', '2024-02-29'), 3), months);
    const quarters = 'quarter: 2023-10-01 1, 2024-01-01 1, until 2024-04-01';
    assert.equal(shown(on('2023-11-30', '2024-03-31'), 3), quarters);
    const years = 'year: 2022-01-01 1, 2023-01-01 1, 2024-01-01 1, until 2025-01-01';
    assert.equal(shown(on('2022-11-30', '2023-03-31', '2024-12-31'), 3), years);
  });

  it('leave out a few messages that are years away from all others', () => {
    const usual = Array.from({ length: 400 }, (_, index) => ({ day: dayOf('2024-01-01') + index, count: 1 }));
    const { unit, buckets, left } = bucketsOf([...on('1970-01-02'), ...usual, ...on('2038-01-19', '2106-01-01')], 400);
    assert.equal(unit, 'day');
    assert.equal(buckets.length, 400);
    assert.equal(left, 3);
    assert.equal(bucketsOf(on('1970-01-02', '2024-01-01', '2024-01-02'), 400).left, 0);
  });

  it('contain every message once', () => {
    const day = fc.integer({ min: -1, max: 40_000 });
    const days = fc
      .uniqueArray(day, { minLength: 1, maxLength: 60 })
      .map((all) => all.sort((one, other) => one - other).map((day) => ({ day, count: (day % 5) + 2 })));
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 300 }), (days, max) => {
        const { unit, buckets, left } = bucketsOf(days, max);
        const total = days.reduce((sum, { count }) => sum + count, 0);
        assert.equal(
          buckets.reduce((sum, { count }) => sum + count, left),
          total,
        );
        assert.ok(unit === 'year' || buckets.length <= max + 2);
        for (const [index, { start, end, count }] of buckets.entries()) {
          assert.equal(start, buckets[index - 1]?.end ?? start);
          const inside = days.filter(({ day }) => day >= start && day < end);
          assert.equal(
            inside.reduce((sum, { count }) => sum + count, 0),
            count,
          );
        }
      }),
    );
  });
});
