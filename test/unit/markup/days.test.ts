import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DAY, Days, dayAfter, dayFromNumber, isDay, localDays, weekdayOf } from '../../../src/markup/days.ts';
import { inTimeZone } from '../presentation/timeZone.ts';

const HOUR = 3_600_000;

/** In each of these, clocks change in their own way. */
const ZONES = [
  ...['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin'],
  ...['Africa/Cairo', 'America/St_Johns', 'America/Havana', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Pacific/Apia'],
];

describe('A day', () => {
  it('exists or not', () => {
    for (const day of ['2026-02-28', '2024-02-29', '0020-02-03', '9999-12-31']) assert.ok(isDay(day), day);
    const others = ['', '2026', '2026-02', '2026-02-30', '2026-13-01', '2026-2-3', '999999-01-01', '2026-02-28T00:00'];
    for (const text of others) assert.ok(!isDay(text), text);
  });

  it('has others before and after it', () => {
    assert.deepEqual(
      [-1, 0, 1, 2].map((days) => dayAfter('2024-02-28', days)),
      ['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01'],
    );
    assert.equal(dayAfter('2026-12-31'), '2027-01-01');
    assert.equal(dayAfter(dayAfter('9999-12-31'), -1), '9999-12-31');
  });

  it('has a number and a day of the week', () => {
    assert.deepEqual([-1, 0, 20_000].map(dayFromNumber), ['1969-12-31', '1970-01-01', '2024-10-04']);
    assert.deepEqual([-4, -3, 0, 4, 20_000].map(weekdayOf), [6, 0, 3, 0, 4]);
  });
});

/** In a time zone that is named, and on a computer in that time zone. */
function inBoth(timeZone: string, check: (days: Days) => void): void {
  check(new Days(timeZone));
  using _ = inTimeZone(timeZone);
  check(localDays);
}

describe('The days of a time zone', () => {
  const starts = (timeZone: string, expected: Record<string, string>) =>
    inBoth(timeZone, (days) => {
      for (const [day, start] of Object.entries(expected))
        assert.equal(new Date(days.startOf(day)).toISOString(), `${start}:00.000Z`, `${day} in ${timeZone}`);
    });

  it('start at midnight', () => {
    starts('UTC', { '2026-03-09': '2026-03-09T00:00' });
    starts('Asia/Shanghai', { '2026-03-09': '2026-03-08T16:00' });
    starts('Pacific/Kiritimati', { '2026-03-09': '2026-03-08T10:00' });
    starts('America/Los_Angeles', { '2026-03-08': '2026-03-08T08:00', '2026-03-09': '2026-03-09T07:00' });
    starts('UTC', { '9999-12-31': '9999-12-31T00:00' });
  });

  it('have 23 or 25 hours when clocks change', () => {
    inBoth('Europe/Berlin', (days) => {
      const hours = (day: string) => (days.startOf(dayAfter(day)) - days.startOf(day)) / HOUR;
      assert.deepEqual(['2026-03-28', '2026-03-29', '2026-10-25', '2026-10-26'].map(hours), [24, 23, 25, 24]);
    });
  });

  it('start later if clocks skip midnight', () => {
    starts('Africa/Cairo', { '2026-04-24': '2026-04-23T22:00' });
    // From 23:30 to 0:30.
    starts('America/Toronto', { '1919-03-31': '1919-03-31T04:30' });
  });

  it('start at the first of two midnights', () => {
    starts('America/Havana', { '2026-11-01': '2026-11-01T04:00' });
    // Until 2011, clocks were set back from 0:01 to 23:01.
    starts('America/St_Johns', { '2010-11-07': '2010-11-07T02:30' });
  });

  it('may be skipped as a whole', () => {
    starts('Pacific/Apia', { '2011-12-30': '2011-12-30T10:00', '2011-12-31': '2011-12-30T10:00' });
  });

  it('are those of a time', () => {
    const time = Date.UTC(2026, 2, 9, 20, 5);
    inBoth('UTC', (days) =>
      assert.deepEqual([days.dayOf(time), days.timeOf(time)], ['2026-03-09', '2026-03-09 20:05']),
    );
    inBoth('Asia/Shanghai', (days) => assert.equal(days.timeOf(time), '2026-03-10 04:05'));
    assert.equal(localDays.dayOf(localDays.startOf('0020-02-03')), '0020-02-03');
  });

  it('are none of an impossible time', () => {
    for (const days of [localDays, new Days('Asia/Shanghai')])
      for (const time of [Number.NaN, 1e300, -1e300]) assert.deepEqual([days.dayOf(time), days.timeOf(time)], ['', '']);
  });

  it('say when clocks show a time: once, twice or never', () => {
    inBoth('Europe/Berlin', (days) => {
      const times = (shown: string) => days.timesShowing(Date.parse(shown)).map((time) => new Date(time).toISOString());
      assert.deepEqual(times('2026-10-24T02:30Z'), ['2026-10-24T00:30:00.000Z']);
      assert.deepEqual(times('2026-10-25T02:30Z'), ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
      assert.deepEqual(times('2026-03-29T02:30Z'), []);
    });
  });

  it('are the same by name and on a computer there, and follow each other', () => {
    const time = fc.integer({ min: Date.UTC(1972, 0), max: Date.UTC(2037, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), time, (timeZone, at) => {
        using _ = inTimeZone(timeZone);
        const named = new Days(timeZone);
        assert.equal(named.shownAt(at), localDays.shownAt(at));
        const day = named.dayOf(at);
        const [start, end] = [named.startOf(day), named.startOf(dayAfter(day))];
        assert.deepEqual([localDays.startOf(day), named.dayOf(start)], [start, day]);
        // Where midnight comes twice, the last hour of a day may be after the start of the next one.
        assert.ok(start <= at && at < end + HOUR && end - start <= DAY + HOUR);
      }),
    );
  });
});
