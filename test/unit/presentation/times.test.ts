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

  it('is a date with a time, in any spacing and with Chinese colons', () => {
    assert.equal(read('2026-11-25 09:00'), '2026-11-25 09:00');
    assert.equal(read('  2026-11-24   14:41 '), '2026-11-24 14:41');
    assert.equal(read('2026-11-25 9：05'), '2026-11-25 09:05');
  });

  it('may be written in other ways that put the year first', () => {
    for (const typed of [
      '2026/12/01 09:00',
      '2026-12-1 9:00',
      '2026.12.1 9:00',
      '2026年12月1日 9:00',
      '2026 年 12 月 1 日 9:00',
      '2026年12月1日9点',
      '2026-12-01T09:00',
      '2026-12-01, 09:00:00',
      '2026-12-01T09:00:00.000',
      '２０２６－１２－０１　０９：００',
      '2026／12／1 9：00',
      '2026-12-01\u00A009:00',
      '\u200E2026/\u200E12/\u200E01 9:00\u202FAM',
      '2026–12–01 9 am',
      '2026/12/1 上午9:00',
      '2026/12/1 AM 9:00',
      '2026年12月1日早上9点整',
      '2026年12月1日 星期二 9點鐘',
      '2026/12/1 周二 9:00',
      '2026年12月1日（星期二）9時',
      '2026年12月1號 9:00',
      '2026. 12. 1. 9:00',
      '20261201 9:00',
      '2026-12-01T09:00:00,000',
      '2026-12-01 09.00',
      '2026.12.1 9.00',
      '2026-12-01 9h00',
      '2026-12-01 0900',
      '20261201T0900',
      '20261201T090000',
    ])
      assert.equal(read(typed), '2026-12-01 09:00', typed);
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
    for (const typed of ['5.1.2027 9:00', '05-01-2027 9:00', '27-01-05 9:00', '2026-12/01 9:00'])
      assert.equal(read(typed), 'format', typed);
  });

  it('may use twelve hours, or Chinese words', () => {
    for (const [typed, time] of [
      ['9 pm', '2026-11-24 21:00'],
      ['3:05 p.m.', '2026-11-24 15:05'],
      ['12 am', '2026-11-25 00:00'],
      ['12:30 PM', '2026-11-25 12:30'],
      ['下午3:05', '2026-11-24 15:05'],
      ['下午 3点', '2026-11-24 15:00'],
      ['9点5分', '2026-11-25 09:05'],
      ['15时30', '2026-11-24 15:30'],
      ['9点半', '2026-11-25 09:30'],
      ['晚上9点', '2026-11-24 21:00'],
      ['傍晚 6:30', '2026-11-24 18:30'],
      ['凌晨12点半', '2026-11-25 00:30'],
      ['中午12点', '2026-11-25 12:00'],
      ['中午1点', '2026-11-25 13:00'],
      ['中午11:30', '2026-11-25 11:30'],
      ['凌晨0点', '2026-11-25 00:00'],
      ['凌晨 00:30', '2026-11-25 00:30'],
      ['下午15:30', '2026-11-24 15:30'],
      ['2026年12月1日下午15点30分', '2026-12-01 15:30'],
      ['晚上20:00', '2026-11-24 20:00'],
      ['中午13点', '2026-11-25 13:00'],
      ['晚8点', '2026-11-24 20:00'],
      ['12月1日早9点', '2026-12-01 09:00'],
      ['下午3 pm', '2026-11-24 15:00'],
    ] as const)
      assert.equal(read(typed), time, typed);
  });

  it('may be said as people do, from now or on a day that has a name', () => {
    for (const [typed, time] of [
      // Now is Tuesday.
      ['in 2 minutes', '2026-11-24 14:42'],
      ['in 1 minute', '2026-11-24 14:41'],
      ['2m', '2026-11-24 14:42'],
      ['90 min', '2026-11-24 16:10'],
      ['+1h', '2026-11-24 15:40'],
      ['+ 1 hr 30 min', '2026-11-24 16:10'],
      ['1h30m', '2026-11-24 16:10'],
      ['1.5 hours', '2026-11-24 16:10'],
      ['in an hour', '2026-11-24 15:40'],
      ['in half an hour', '2026-11-24 15:10'],
      ['2 hours from now', '2026-11-24 16:40'],
      ['in 3 days', '2026-11-27 14:40'],
      ['1 week', '2026-12-01 14:40'],
      ['10分钟后', '2026-11-24 14:50'],
      ['１０ 分鐘後', '2026-11-24 14:50'],
      ['十分钟后', '2026-11-24 14:50'],
      ['两小时以后', '2026-11-24 16:40'],
      ['2个小时', '2026-11-24 16:40'],
      ['1小时30分钟后', '2026-11-24 16:10'],
      ['半小时后', '2026-11-24 15:10'],
      ['三天后', '2026-11-27 14:40'],
      ['一周后', '2026-12-01 14:40'],
      ['tomorrow 9', '2026-11-25 09:00'],
      ['Tomorrow at 9:30 pm', '2026-11-25 21:30'],
      ['9am tomorrow', '2026-11-25 09:00'],
      ['today 18:00', '2026-11-24 18:00'],
      ['Friday 10', '2026-11-27 10:00'],
      ['Tue 15:00', '2026-11-24 15:00'],
      ['tuesday 9:00', '2026-12-01 09:00'],
      ['Jan 15 9:00', '2027-01-15 09:00'],
      ['January 15th, 2027, 9 am', '2027-01-15 09:00'],
      ['15 Jan at 9:00', '2027-01-15 09:00'],
      ['9:00 Jan 15 2027', '2027-01-15 09:00'],
      ['tonight 8', '2026-11-24 20:00'],
      ['Tonight at 8:30', '2026-11-24 20:30'],
      ['tonight at 8 pm', '2026-11-24 20:00'],
      ['tonight 20:00', '2026-11-24 20:00'],
      ['8pm tonight', '2026-11-24 20:00'],
      ['8 tonight', '2026-11-24 20:00'],
      ['tomorrow morning 9', '2026-11-25 09:00'],
      ['Tomorrow morning at 9:30 am', '2026-11-25 09:30'],
      ['tomorrow afternoon 3', '2026-11-25 15:00'],
      ['Friday evening at 8', '2026-11-27 20:00'],
      ['明天9点', '2026-11-25 09:00'],
      ['明天 9', '2026-11-25 09:00'],
      ['明天上午九点半', '2026-11-25 09:30'],
      ['后天 18:00', '2026-11-26 18:00'],
      ['今天下午５点', '2026-11-24 17:00'],
      ['周五 10:00', '2026-11-27 10:00'],
      ['下周一上午9点', '2026-11-30 09:00'],
      ['星期天9点', '2026-11-29 09:00'],
      ['1月15日 9:00', '2027-01-15 09:00'],
      ['11月24号晚上8点', '2026-11-24 20:00'],
      ['今晚八点', '2026-11-24 20:00'],
      ['今晚8点半', '2026-11-24 20:30'],
      ['明早9点', '2026-11-25 09:00'],
      ['明晚 8', '2026-11-25 20:00'],
      ['明晚上8点', '2026-11-25 20:00'],
      ['后天上午10点', '2026-11-26 10:00'],
      ['明年1月15日 9:00', '2027-01-15 09:00'],
    ] as const)
      assert.equal(read(typed), time, typed);
  });

  it("isn't guessed from words that leave it open, or that name the past", () => {
    for (const [typed, problem] of [
      ['next Monday 9:00', 'format'],
      ['tomorrow', 'format'],
      ['明天', 'format'],
      ['Jan 15', 'format'],
      ['Jan 15 20', 'format'],
      ['Jan 159:00', 'format'],
      ['Jan 15 20279:00', 'format'],
      ['May be 9:00', 'format'],
      ['in 5', 'format'],
      ['m', 'format'],
      ['am', 'format'],
      ['2 minutes ago', 'past'],
      ['10分钟前', 'past'],
      ['today 9:00', 'past'],
      ['Nov 24 9:00', 'past'],
      ['yesterday 9:00', 'past'],
      ['今早7点', 'past'],
      ['last Monday 9:00', 'past'],
      ['0m', 'past'],
      ['tomorrow 25', 'missing'],
      ['Feb 30 9:00', 'missing'],
      ['9999 days', 'far'],
    ] as const)
      assert.equal(read(typed), problem, typed);
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

  it('without a date is the next one, today or tomorrow', () => {
    assert.equal(read('15:40'), '2026-11-24 15:40');
    assert.equal(read('9:00'), '2026-11-25 09:00');
    assert.equal(read('14:40'), '2026-11-25 14:40');
    assert.equal(read('0:00'), '2026-11-25 00:00');
  });

  it('can be neither past nor more than a year and a day away', () => {
    assert.equal(read('2026-11-24 14:40'), 'past');
    assert.equal(read('2025-11-24 14:41'), 'past');
    assert.equal(read('2027-11-25 14:40'), '2027-11-25 14:40');
    assert.equal(read('2027-11-25 14:41'), 'far');
  });

  it('must exist', () => {
    for (const typed of [
      '2026-02-30 10:00',
      '2026/2/30 10:00',
      '2026-11-25 24:00',
      '25:00',
      '9:60',
      '9:00:60',
      '13 pm',
      '0:30 am',
      '下午3 am',
      'tomorrow morning 9 pm',
      'tonight 12',
      '晚上12点',
      '晚上1点',
      '中午5点',
      '上午13点',
      '晚上13点',
      '下午0点',
      '2026-12-01 2460',
    ])
      assert.equal(read(typed), 'missing', typed);
  });

  it('is nothing else', () => {
    for (const typed of [
      '',
      '9',
      '2026-11-25',
      '9:00 2026-11-25',
      '9:00-10:00',
      '9:00 – 10:00',
      '9:5',
      '0900',
      '9.30',
      '2026-12.01',
    ])
      assert.equal(read(typed), 'format', typed);
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
