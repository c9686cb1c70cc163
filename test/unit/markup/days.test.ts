import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  DAY,
  Days,
  dayAfter,
  dayFromNumber,
  isDay,
  isTime,
  localDays,
  localHours,
  QUARTER,
  weekdayOf,
} from '../../../src/markup/days.ts';
import { inTimeZone } from '../presentation/timeZone.ts';

const HOUR = 3_600_000;

describe('A day', () => {
  it('exists or not', () => {
    for (const day of ['2026-02-28', '2024-02-29', '0020-02-03', '9999-12-31']) assert.ok(isDay(day), day);
    const others = ['', '2026', '2026-02', '2026-02-30', '2026-13-01', '2026-2-3', '999999-01-01', '2026-02-28T00:00'];
    for (const text of others) assert.ok(!isDay(text), text);
  });

  it('has others before and after it', () => {
    assert.equal(dayAfter('2024-02-28'), '2024-02-29');
    assert.equal(dayAfter('2024-02-28', -1), '2024-02-27');
    assert.equal(dayAfter(dayAfter('9999-12-31'), -1), '9999-12-31');
  });

  it('has a number and a day of the week', () => {
    assert.deepEqual([-1, 0, 20_000].map(dayFromNumber), ['1969-12-31', '1970-01-01', '2024-10-04']);
    assert.deepEqual([-4, -3, 0, 4, 20_000].map(weekdayOf), [6, 0, 3, 0, 4]);
  });

  it('is as far from another one as their numbers are', () => {
    const number = fc.integer({ min: -700_000, max: 2_900_000 });
    fc.assert(
      fc.property(number, number, (one, other) => {
        const day = dayFromNumber(one);
        assert.ok(isDay(day), day);
        assert.equal(dayAfter(day, other - one), dayFromNumber(other));
        assert.equal(weekdayOf(one), (new Date(day).getUTCDay() + 6) % 7);
      }),
    );
  });
});

describe('A time', () => {
  it('is what a Date can show', () => {
    for (const time of [0, 8.64e15, -8.64e15]) assert.ok(isTime(time), `${time}`);
    for (const time of [undefined, Number.NaN, 8.64e15 + 1, -1e300]) assert.ok(!isTime(time), `${time}`);
  });
});

describe('The days of a time zone', () => {
  /** When days begin in a time zone that is named, and on a computer in that time zone (UTC). */
  const assertStarts = (timeZone: string, starts: Record<string, string>) => {
    using _ = inTimeZone(timeZone);
    for (const [day, start] of Object.entries(starts))
      for (const days of [new Days(timeZone), localDays])
        assert.equal(new Date(days.startOf(day)).toISOString(), `${start}:00.000Z`, `${day} in ${timeZone}`);
  };

  it('start at midnight', () => {
    assertStarts('Asia/Shanghai', { '2026-03-09': '2026-03-08T16:00' });
    assertStarts('America/Los_Angeles', { '2026-03-08': '2026-03-08T08:00', '2026-03-09': '2026-03-09T07:00' });
    assertStarts('UTC', { '9999-12-31': '9999-12-31T00:00' });
  });

  it('start later if clocks skip midnight', () => {
    assertStarts('Africa/Cairo', { '2026-04-24': '2026-04-23T22:00' });
    // From 23:30 to 0:30.
    assertStarts('America/Toronto', { '1919-03-31': '1919-03-31T04:30' });
  });

  it('start at the first of two midnights', () => {
    assertStarts('America/Havana', { '2026-11-01': '2026-11-01T04:00' });
    // Until 2011, clocks were set back from 0:01 to 23:01.
    assertStarts('America/St_Johns', { '2010-11-07': '2010-11-07T02:30' });
  });

  it('may be skipped as a whole', () => {
    assertStarts('Pacific/Apia', { '2011-12-30': '2011-12-30T10:00', '2011-12-31': '2011-12-30T10:00' });
  });

  it('are those of a time', () => {
    const time = Date.UTC(2026, 2, 9, 20, 5);
    assert.equal(new Days('UTC').timeOf(time), '2026-03-09 20:05');
    assert.equal(new Days('Asia/Shanghai').timeOf(time), '2026-03-10 04:05');
    assert.equal(localDays.dayOf(localDays.startOf('0020-02-03')), '0020-02-03');
    for (const days of [localDays, new Days('Asia/Shanghai')])
      for (const time of [Number.NaN, 1e300, -1e300]) assert.deepEqual([days.dayOf(time), days.timeOf(time)], ['', '']);
  });

  it('say when clocks show a time: once, twice or never', () => {
    const days = new Days('Europe/Berlin');
    for (const [shown, ...times] of [
      ['2026-10-24T02:30', '2026-10-24T00:30'],
      ['2026-10-25T02:30', '2026-10-25T00:30', '2026-10-25T01:30'],
      ['2026-03-29T02:30'],
    ])
      assert.deepEqual(
        days.timesShowing(Date.parse(`${shown}Z`)).map((time) => new Date(time).toISOString()),
        times.map((time) => `${time}:00.000Z`),
      );
  });

  /** In each of these, clocks change in their own way. */
  const east = ['Asia/Shanghai', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Apia', 'Australia/Lord_Howe'];
  const west = ['America/Los_Angeles', 'America/St_Johns', 'America/Havana'];
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Africa/Cairo', 'Antarctica/Troll', ...east, ...west);
  const time = fc.integer({ min: Date.UTC(1972, 0), max: Date.UTC(2037, 0) });

  it('begin with their first moment, and follow each other', () => {
    fc.assert(
      fc.property(zones, time, (timeZone, at) => {
        const days = new Days(timeZone);
        const day = days.dayOf(at);
        const [start, end] = [days.startOf(day), days.startOf(dayAfter(day))];
        assert.equal(days.dayOf(start), day);
        assert.ok(days.dayOf(start - 1) < day);
        // Where midnight comes twice, the last hour of a day may be after the start of the next one.
        assert.ok(start <= at && at < end + HOUR && end - start <= DAY + HOUR);
      }),
    );
  });

  it('are the same by name and on a computer there', () => {
    fc.assert(
      fc.property(zones, time, (timeZone, at) => {
        using _ = inTimeZone(timeZone);
        const named = new Days(timeZone);
        assert.equal(named.shownAt(at), localDays.shownAt(at));
        const day = named.dayOf(at);
        assert.equal(named.startOf(day), localDays.startOf(day));
      }),
    );
  });

  it('have all times at which clocks show what they show at one of them', () => {
    fc.assert(
      fc.property(zones, time, (timeZone, at) => {
        const days = new Days(timeZone);
        const shown = days.shownAt(at);
        const times = days.timesShowing(shown);
        assert.ok(times.includes(at));
        for (const [index, one] of times.entries()) {
          assert.equal(days.shownAt(one), shown);
          assert.ok(index === 0 || one > (times[index - 1] ?? 0));
        }
      }),
    );
  });

  it('have the hours that clocks show', () => {
    fc.assert(
      fc.property(zones, time, (timeZone, at) => {
        const hourOf = localHours(timeZone);
        const quarter = Math.floor(at / QUARTER);
        for (const one of [quarter, quarter + 1, quarter + 97])
          assert.equal(hourOf(one), Math.floor(new Days(timeZone).shownAt(one * QUARTER) / HOUR));
      }),
    );
  });
});
