import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatTyped, parseTime } from '../../../src/presentation/times.ts';
import { inTimeZone } from './timeZone.ts';

describe('A typed time', () => {
  const now = new Date(2026, 10, 24, 14, 40, 30).getTime();
  /** What is understood, or the problem. */
  const read = (typed: string, preferredDay?: string, isDayFirst?: boolean) => {
    const parsed = parseTime(typed, now, preferredDay, isDayFirst);
    return 'time' in parsed ? formatTyped(parsed.time) : parsed.problem;
  };

  const assertRead = (expected: string, ...typed: string[]) => {
    for (const one of typed) assert.equal(read(one), expected, one);
  };

  it('is a date with a time, in any spacing and with Chinese colons', () => {
    assertRead('2026-11-25 09:05', '2026-11-25 09:05', '  2026-11-25   9:05 ', '2026-11-25 9：05');
  });

  it('may be written in other ways that put the year first', () => {
    const assertMorning = (...typed: string[]) => assertRead('2026-12-01 09:00', ...typed);
    assertMorning('2026/12/01 09:00', '2026-12-1 9:00', '2026.12.1 9:00', '2026. 12. 1. 9:00', '20261201 9:00');
    assertMorning('2026年12月1日 9:00', '2026 年 12 月 1 日 9:00', '2026年12月1號 9:00');
    assertMorning('2026年12月1日9点', '2026年12月1日早上9点整');
    assertMorning('2026年12月1日 星期二 9點鐘', '2026年12月1日（星期二）9時');
    assertMorning('2026-12-01T09:00', '2026-12-01, 09:00:00', '2026-12-01T09:00:00.000', '2026-12-01T09:00:00,000');
    assertMorning('２０２６－１２－０１　０９：００', '2026／12／1 9：00', '2026-12-01\u00A009:00');
    assertMorning('\u200E2026/\u200E12/\u200E01 9:00\u202FAM', '2026–12–01 9 am', '2026/12/1 AM 9:00');
    assertMorning('2026/12/1 上午9:00', '2026/12/1 周二 9:00', '2026-12-01 09.00', '2026.12.1 9.00', '2026-12-01 9h00');
    assertMorning('2026-12-01 0900', '20261201T0900', '20261201T090000');
  });

  it('alone is on the preferred day, or else the next time that it is', () => {
    assert.equal(read('16:00', '2026-11-26'), '2026-11-26 16:00');
    assert.equal(read('14:00', '2026-11-24'), '2026-11-25 14:00');
    assert.equal(read('16:00', '2026-11-20'), '2026-11-24 16:00');
    assert.equal(read('2026-11-25 16:00', '2026-11-26'), '2026-11-25 16:00');
  });

  it('is on the month and the day in the order of the language, next year if they have passed', () => {
    for (const [typed, monthFirst, dayFirst] of [
      ['12/1 9:00', '2026-12-01 09:00', '2027-01-12 09:00'],
      ['05/01/2027 9:00', '2027-05-01 09:00', '2027-01-05 09:00'],
      ['3/5 at 9 am', '2027-03-05 09:00', '2027-05-03 09:00'],
      ['9:00 on 3/5', '2027-03-05 09:00', '2027-05-03 09:00'],
      ['１２／１下午3点', '2026-12-01 15:00', '2027-01-12 15:00'],
      ['12/24 9:00', '2026-12-24 09:00', 'missing'],
      ['11/24 15:00', '2026-11-24 15:00', 'missing'],
      ['12/1', 'format', 'format'],
      ['12/1/27 9:00', 'format', 'format'],
    ] as const) {
      assert.equal(read(typed), monthFirst, typed);
      assert.equal(read(typed, undefined, true), dayFirst, typed);
    }
  });

  it('is refused where nothing tells the month from the day', () => {
    assertRead('format', '5.1.2027 9:00', '05-01-2027 9:00', '27-01-05 9:00', '2026-12/01 9:00');
  });

  it('may use twelve hours, or Chinese words', () => {
    assertRead('2026-11-24 15:00', '下午 3点', '下午3 pm');
    assertRead('2026-11-24 15:05', '3:05 p.m.', '下午3:05');
    assertRead('2026-11-24 15:30', '15时30', '下午15:30');
    assertRead('2026-11-24 18:30', '傍晚 6:30');
    assertRead('2026-11-24 20:00', '晚上20:00', '晚8点');
    assertRead('2026-11-24 21:00', '9 pm', '晚上9点');
    assertRead('2026-11-25 00:00', '12 am', '凌晨0点');
    assertRead('2026-11-25 00:30', '凌晨12点半', '凌晨 00:30');
    assertRead('2026-11-25 09:05', '9点5分');
    assertRead('2026-11-25 09:30', '9点半');
    assertRead('2026-11-25 11:30', '中午11:30');
    assertRead('2026-11-25 12:00', '中午12点');
    assertRead('2026-11-25 12:30', '12:30 PM');
    assertRead('2026-11-25 13:00', '中午1点', '中午13点');
    assertRead('2026-12-01 09:00', '12月1日早9点');
    assertRead('2026-12-01 15:30', '2026年12月1日下午15点30分');
  });

  it('may be said as people do, from now or on a day that has a name', () => {
    // Now is Tuesday.
    assertRead('2026-11-24 14:41', 'in 1 minute');
    assertRead('2026-11-24 14:42', 'in 2 minutes', '2m');
    assertRead('2026-11-24 14:50', '10分钟后', '１０ 分鐘後', '十分钟后');
    assertRead('2026-11-24 15:00', 'Tue 15:00');
    assertRead('2026-11-24 15:10', 'in half an hour', '半小时后');
    assertRead('2026-11-24 15:40', '+1h', 'in an hour');
    assertRead('2026-11-24 16:10', '90 min', '+ 1 hr 30 min', '1h30m', '1.5 hours', '1小时30分钟后');
    assertRead('2026-11-24 16:40', '2 hours from now', '两小时以后', '2个小时');
    assertRead('2026-11-24 17:00', '今天下午５点');
    assertRead('2026-11-24 18:00', 'today 18:00');
    assertRead('2026-11-24 20:00', 'tonight 8', 'tonight at 8 pm', 'tonight 20:00', '8pm tonight', '8 tonight');
    assertRead('2026-11-24 20:00', '11月24号晚上8点', '今晚八点');
    assertRead('2026-11-24 20:30', 'Tonight at 8:30', '今晚8点半');
    assertRead('2026-11-25 09:00', 'tomorrow 9', '9am tomorrow', 'tomorrow morning 9', '明天9点', '明天 9');
    assertRead('2026-11-25 09:00', '明早9点');
    assertRead('2026-11-25 09:30', 'Tomorrow morning at 9:30 am', '明天上午九点半');
    assertRead('2026-11-25 15:00', 'tomorrow afternoon 3');
    assertRead('2026-11-25 20:00', '明晚 8', '明晚上8点');
    assertRead('2026-11-25 21:30', 'Tomorrow at 9:30 pm');
    assertRead('2026-11-26 10:00', '后天上午10点');
    assertRead('2026-11-26 18:00', '后天 18:00');
    assertRead('2026-11-27 10:00', 'Friday 10', '周五 10:00');
    assertRead('2026-11-27 14:40', 'in 3 days', '三天后');
    assertRead('2026-11-27 20:00', 'Friday evening at 8');
    assertRead('2026-11-29 09:00', '星期天9点');
    assertRead('2026-11-30 09:00', '下周一上午9点');
    assertRead('2026-12-01 09:00', 'tuesday 9:00');
    assertRead('2026-12-01 14:40', '1 week', '一周后');
    assertRead('2027-01-15 09:00', 'Jan 15 9:00', 'January 15th, 2027, 9 am', '15 Jan at 9:00', '9:00 Jan 15 2027');
    assertRead('2027-01-15 09:00', '1月15日 9:00', '明年1月15日 9:00');
  });

  it("isn't guessed from words that leave it open, or that name the past", () => {
    assertRead('format', 'next Monday 9:00', 'tomorrow', '明天', 'Jan 15');
    assertRead('format', 'Jan 15 20', 'Jan 159:00', 'Jan 15 20279:00');
    assertRead('format', 'May be 9:00', 'in 5', 'm', 'am');
    assertRead('past', '2 minutes ago', '10分钟前', 'today 9:00', 'Nov 24 9:00', 'yesterday 9:00', '今早7点', '0m');
    assertRead('past', 'last Monday 9:00');
    assertRead('missing', 'tomorrow 25', 'Feb 30 9:00');
    assertRead('far', '9999 days');
  });

  it('in days is at the same time of day, also where clocks change', () => {
    using _ = inTimeZone('Europe/Berlin');
    const eve = new Date(2027, 2, 27, 12).getTime();
    assert.deepEqual(parseTime('in 1 day', eve), { time: new Date(2027, 2, 28, 12) });
    assert.deepEqual(parseTime('24h', eve), { time: new Date(2027, 2, 28, 13) });
  });

  it('may have an offset', () => {
    for (const [typed, time] of [
      ['2026-11-25T09:00Z', '2026-11-25T09:00'],
      ['2026-11-25T09:00+08:00', '2026-11-25T01:00'],
      ['2026-11-25T09:00-0530', '2026-11-25T14:30'],
      ['20261125T090000Z', '2026-11-25T09:00'],
      ['20261125T0900+0800', '2026-11-25T01:00'],
      ['2026-11-25 09:00 +1', '2026-11-25T08:00'],
      ['2026-11-25 9:00 AM (UTC-05:00)', '2026-11-25T14:00'],
    ] as const)
      assert.deepEqual(parseTime(typed, now), { time: new Date(`${time}:00Z`) }, typed);
    assert.equal(read('2026-11-25 09:00 +15:00'), 'format');
  });

  it('can be neither past nor more than a year and a day away', () => {
    assert.equal(read('2026-11-24 14:40'), 'past');
    assert.equal(read('2025-11-24 14:41'), 'past');
    assert.equal(read('2027-11-25 14:40'), '2027-11-25 14:40');
    assert.equal(read('2027-11-25 14:41'), 'far');
  });

  it('must exist', () => {
    assertRead('missing', '2026-02-30 10:00', '2026/2/30 10:00', '2026-11-25 24:00', '2026-12-01 2460');
    assertRead('missing', '25:00', '9:60', '9:00:60', '13 pm', '0:30 am', 'tomorrow morning 9 pm', 'tonight 12');
    assertRead('missing', '下午3 am', '晚上12点', '晚上1点', '中午5点', '上午13点', '晚上13点', '下午0点');
  });

  it('is nothing else', () => {
    assertRead('format', '', '9', '9:5', '0900', '9.30', '9:00-10:00', '9:00 – 10:00');
    assertRead('format', '2026-11-25', '9:00 2026-11-25', '2026-12.01');
  });

  describe('where the clocks change', () => {
    const utc = (time: string) => new Date(`${time}Z`);

    it("doesn't exist in the hour that is skipped", () => {
      using _ = inTimeZone('Europe/Berlin');
      const eve = new Date(2027, 2, 27, 12).getTime();
      assert.deepEqual(parseTime('2027-03-28 02:30', eve), { problem: 'missing' });
      assert.deepEqual(parseTime('2:30', eve), { problem: 'missing' });
      const noon = new Date(2027, 2, 28, 12).getTime();
      assert.deepEqual(parseTime('2:30', noon), { time: new Date(2027, 2, 29, 2, 30) });
    });

    it('is the first one in the hour that is repeated, and there is a later one', () => {
      using _ = inTimeZone('Europe/Brussels');
      const [time, later] = [utc('2026-10-25T00:30'), utc('2026-10-25T01:30')];
      assert.deepEqual(parseTime('2026-10-25 02:30', Date.UTC(2026, 9, 24)), { time, later });
      assert.deepEqual(parseTime('2026-10-25 02:30 +02:00', Date.UTC(2026, 9, 24)), { time });
      assert.deepEqual(parseTime('2026-10-25 02:30 UTC+1', Date.UTC(2026, 9, 24)), { time: later });
    });

    it('is the second one as soon as the first has passed', () => {
      using _ = inTimeZone('Europe/Brussels');
      const now = utc('2026-10-25T00:55').getTime();
      for (const typed of ['2026-10-25 02:30', '2:30', '02:30 +01:00', '2:30 AM (UTC+01:00)'])
        assert.deepEqual(parseTime(typed, now), { time: utc('2026-10-25T01:30') }, typed);
      assert.deepEqual(parseTime('2026-10-25 02:30', utc('2026-10-25T01:30').getTime()), { problem: 'past' });
      assert.deepEqual(parseTime('2:30', utc('2026-10-25T01:30').getTime()), { time: utc('2026-10-26T01:30') });
    });

    it('may come again yesterday', () => {
      using _ = inTimeZone('America/St_Johns');
      // Until 2011, clocks were set back from 0:01 to 23:01.
      const now = utc('2010-11-07T02:30:30').getTime();
      assert.deepEqual(parseTime('23:30', now), { time: utc('2010-11-07T03:00') });
    });

    it('is the earliest future time that clocks show so', () => {
      const west = ['Europe/Brussels', 'America/New_York', 'America/St_Johns', 'America/Nuuk', 'Africa/Casablanca'];
      const east = ['Asia/Beirut', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Chatham'];
      const zones = fc.constantFrom(...west, ...east, 'Antarctica/Troll', 'UTC');
      // Days around which clocks change somewhere.
      const in2026 = ['2026-02-15', '2026-03-08', '2026-03-29', '2026-04-05', '2026-10-25', '2026-11-01'];
      const changes = fc.constantFrom('2010-11-07', '2011-12-30', ...in2026);
      const minutes = fc.integer({ min: -2 * 24 * 60, max: 2 * 24 * 60 });
      const form = fc.constantFrom(
        (date: string, time: string) => `${date} ${time}`,
        (date: string, time: string) => `${date.replaceAll('-', '/')}  ${time}:00`,
        (date: string, time: string) => `${date}T${time}`,
        (date: string, time: string) => `${date.replace('-', '年').replace('-', '月')}日${time.replace(':', '：')}`,
        (_: string, time: string) => time,
      );
      fc.assert(
        fc.property(
          zones,
          changes,
          minutes,
          fc.integer({ min: 1, max: 24 * 60 }),
          form,
          (zone, day, start, ahead, form) => {
            using _ = inTimeZone(zone);
            const now = Date.parse(day) + start * 60_000;
            const [date = '', time = ''] = formatTyped(new Date(now + ahead * 60_000)).split(' ');
            const typed = form(date, time);
            const hasDate = typed !== time;
            const shows = (at: number) => formatTyped(new Date(at)).endsWith(hasDate ? `${date} ${time}` : time);
            let expected = now + 60_000;
            while (!shows(expected)) expected += 60_000;
            const parsed = parseTime(typed, now);
            // Alone, a time of day may be skipped on the day that it's meant for.
            if (!hasDate && 'problem' in parsed && parsed.problem === 'missing') {
              assert.ok(expected - now > 23 * 60 * 60_000, `${typed} in ${zone}`);
              return;
            }
            assert.deepEqual('time' in parsed ? parsed.time : parsed, new Date(expected), `${typed} in ${zone}`);
          },
        ),
      );
    });
  });
});
