import assert from 'node:assert/strict';
import { parseDay, readDate } from '../../../src/presentation/times.ts';

describe('A typed day', () => {
  it('may be written in other ways that put the year first', () => {
    const assertRead = (...texts: string[]) => {
      for (const text of texts)
        assert.deepEqual([readDate(text), parseDay(text, '2026-11-28')], ['2026-03-01', '2026-03-01'], text);
    };
    assertRead('2026-3-1', '2026/03/01', '2026/3/1', '2026.3.1', '20260301', '2026. 3. 1.', '2026–03–01');
    assertRead('2026年3月1日', ' 2026 年 3 月 1 日 ', '2026年3月1日 星期日', '2026/3/1 周天', '2026-03-01（週日）');
    assertRead('２０２６－３－１', '\u200E2026/\u200E3/\u200E1');
  });

  it('may be said without its year, or by a name, and is then the last one', () => {
    // A Saturday.
    const today = '2026-11-28';
    const assertMeans = (day: string, ...texts: string[]) => {
      for (const text of texts) assert.equal(parseDay(text, today), day, text);
    };
    assertMeans('2024-01-15', '前年 1 月 15 日');
    assertMeans('2024-02-29', 'feb 29');
    assertMeans('2025-01-15', 'Jan 15, 2025');
    assertMeans('2025-03-01', '3/1/2025');
    assertMeans('2025-12-03', 'Dec. 3rd', '12/3', '１２月３号', '十二月三日');
    assertMeans('2025-12-25', '去年12月25号');
    assertMeans('2026-01-15', 'Jan 15', '15 January', '1/15', '1月15日');
    assertMeans('2026-11-03', '今年十一月三日');
    assertMeans('2026-11-14', '2 weeks ago');
    assertMeans('2026-11-16', '上周一');
    assertMeans('2026-11-21', 'Last Saturday');
    assertMeans('2026-11-23', 'Monday', '周一', 'last monday');
    assertMeans('2026-11-25', '3 days ago', '三天前');
    assertMeans('2026-11-26', '前天');
    assertMeans('2026-11-27', 'yesterday', '昨天');
    assertMeans('2026-11-28', 'Nov 28', '１１／２８', 'today', 'Saturday');
    // Said to be in the future.
    assertMeans('2026-11-29', 'tomorrow');
    const others = ['15/1', 'January', 'next Monday', '去年2月29日', 'Jan 32', 'Feb 30', '2 hours ago', '15', 'Mon 15'];
    for (const text of others) assert.equal(parseDay(text, today), undefined, text);
  });

  it('begins with the month or the day, as the language has it', () => {
    assert.equal(parseDay('3/5', '2026-11-28', true), '2026-05-03');
    assert.equal(parseDay('25/12/2025', '2026-11-28', true), '2025-12-25');
    assert.equal(readDate('03/01/2026'), undefined, 'for programs, nothing tells');
  });

  it("isn't read from anything else", () => {
    const others = ['', '2026', '202603011', '2026030', '2026-03-01T00', '26-03-01', '0050-01-01', '3/1/26'];
    const missing = ['1.3.2026', '2026-3/1', '2026/02/29', '2026-02-30', '2026-13-01', '2026-00-10'];
    for (const text of [...others, ...missing, '2026年3月1日 星期一'])
      assert.equal(parseDay(text, '2026-11-28'), undefined, text);
  });
});
