import assert from 'node:assert/strict';
import { env } from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import {
  Calendar,
  entriesText,
  firstTexts,
  formatDate,
  formatDateTime,
  formatDay,
  formatOffset,
  formatRoughDuration,
  formatShortTime,
  formatTime,
  formatTimestamp,
  formatWeekdayTime,
  joinNames,
  joinSentences,
} from '../../../src/presentation/formats.ts';
import { MARCH, MARCH_SHOWN, NOW, seconds, spaced } from './resources.ts';
import { inTimeZone } from './timeZone.ts';

describe('A rough duration', () => {
  it('has tens of seconds, or minutes', () => {
    const of = (...seconds: number[]) => seconds.map((one) => formatRoughDuration(one * 1000));
    assert.deepEqual(of(1, 10, 11, 50), ['10 seconds', '10 seconds', '20 seconds', '50 seconds']);
    assert.deepEqual(of(51, 89, 91, 7200), ['1 minute', '1 minute', '2 minutes', '120 minutes']);
  });
});

describe('A time', () => {
  const shown = (time: number) => spaced(formatTimestamp(time, NOW, shownText`unknown`));

  it('is local, with its age in the largest unit that has passed', () => {
    assert.equal(shown(MARCH), MARCH_SHOWN);
    assert.equal(shown(seconds(2025, 4, 2, 12)), 'May 2, 2025, 12:00 PM (1 year ago)');
    assert.equal(shown(seconds(2025, 4, 20, 12)), 'May 20, 2025, 12:00 PM (11 months ago)');
    assert.equal(shown(seconds(2026, 3, 4, 12)), 'Apr 4, 2026, 12:00 PM (28 days ago)');
    assert.equal(shown(seconds(2026, 4, 1, 12)), 'May 1, 2026, 12:00 PM (1 day ago)');
    assert.equal(shown(seconds(2026, 4, 2, 11, 1)), 'May 2, 2026, 11:01 AM (59 minutes ago)');
    assert.equal(shown(NOW / 1000 - 59), 'May 2, 2026, 11:59 AM (just now)');
  });

  it('has an offset where clocks show the same twice', () => {
    using _ = inTimeZone('America/New_York');
    const [first, second, next] = [5, 6, 7].map((hour) => Date.UTC(2026, 10, 1, hour, 30)) as [number, number, number];
    // What formats times is kept for one language.
    Object.assign(env, { language: 'en-US' });
    for (const format of [formatDateTime, formatTime]) {
      assert.match(format(first), / \(UTC-04:00\)$/);
      assert.match(format(second), / \(UTC-05:00\)$/);
      assert.doesNotMatch(format(next), /UTC/);
    }
    Object.assign(env, { language: 'en' });
  });

  it('has the offset of the clocks, of any number of minutes', () => {
    for (const [timeZone, offset] of [
      ['UTC', 'UTC+00:00'],
      ['Asia/Kolkata', 'UTC+05:30'],
      ['America/St_Johns', 'UTC-03:30'],
    ] as const) {
      using _ = inTimeZone(timeZone);
      assert.equal(formatOffset(Date.UTC(2026, 0, 1)), offset);
    }
  });

  it('is without its day today, and without its year this year', () => {
    const format = (...time: [number, number, number]) => spaced(formatShortTime(seconds(...time, 9, 5) * 1000, NOW));
    assert.equal(format(2026, 4, 2), '9:05 AM');
    assert.equal(format(2026, 3, 2), 'Apr 2, 9:05 AM');
    assert.equal(format(2025, 4, 2), 'May 2, 2025, 9:05 AM');
    assert.equal(spaced(formatWeekdayTime(NOW)), 'Sat, May 2, 12:00 PM');
    assert.equal(formatDate(NOW), 'May 2, 2026');
    assert.equal(formatDay('2026-02-28'), 'Saturday, February 28, 2026');
  });

  it('may be in the future', () => {
    assert.equal(shown(seconds(2026, 4, 5, 13)), 'May 5, 2026, 1:00 PM (in 3 days)');
  });

  it("is unknown if it's 0, and a number if it's out of range", () => {
    assert.equal(shown(0), 'unknown');
    assert.equal(shown(8_640_000_000_001), '8640000000001');
    assert.equal(shown(-1e15), '-1000000000000000');
  });
});

describe('The first texts of a list', () => {
  it('are followed by how many more there are, unless that takes the line of the only one', () => {
    const texts = ['a', 'b', 'c', 'd'];
    assert.deepEqual(firstTexts(texts.slice(0, 2), 2), ['a', 'b']);
    assert.deepEqual(firstTexts(texts.slice(0, 3), 2), ['a', 'b', 'c']);
    assert.deepEqual(firstTexts(texts, 2), ['a', 'b', '… and 2 more']);
    assert.deepEqual(firstTexts(texts, 3, 1_203), ['a', 'b', 'c', '… and 1,200 more']);
  });
});

describe('Names', () => {
  it('are listed with commas', () => {
    assert.deepEqual(
      [joinNames([]), joinNames(['Ana']), joinNames(['Ana', 'Bo', '阿橙'])],
      ['', 'Ana', 'Ana, Bo, 阿橙'],
    );
  });
});

describe('Sentences', () => {
  it('have a space between them, unless a full-width mark ends the first', () => {
    assert.equal(joinSentences('It failed.', false, 'Try again.'), 'It failed. Try again.');
    assert.equal(joinSentences('失败了。', undefined, '', '请重试。'), '失败了。请重试。');
    assert.equal(joinSentences('继续？', 'Bad gateway', '请重试。'), '继续？Bad gateway 请重试。');
  });
});

describe('Entries of a setting that cannot be used', () => {
  it('are the first ones as they are there, without tokens', () => {
    assert.equal(entriesText(['a b', { id: 7 }, null, true]), '"a b", {"id":7}, null, true');
    assert.equal(entriesText([1, 2, 3, 4, 5]), '1, 2, 3, … and 2 more');
    assert.equal(entriesText(['token=0a1b2c', 'x'.repeat(200)]), `a token, "${'x'.repeat(99)}…`);
  });
});

describe('The calendar of a history', () => {
  it('knows the day of a time in the time zone of the page', () => {
    const time = Date.UTC(2026, 2, 9, 20);
    assert.equal(new Calendar('en', 'UTC').dayOf(time), '2026-03-09');
    assert.equal(new Calendar('en', 'Asia/Shanghai').dayOf(time), '2026-03-10');
  });

  it('formats dates in the language of the user', () => {
    const time = Date.UTC(2026, 2, 9, 20);
    assert.equal(new Calendar('en', 'UTC').format(time), 'March 9, 2026');
    assert.equal(new Calendar('zh-cn', 'Asia/Shanghai').format(time), '2026年3月10日');
  });

  it('says that a time that is no date is unknown', () => {
    assert.equal(new Calendar('en', 'UTC').format(-1e300), 'time unknown');
  });
});
