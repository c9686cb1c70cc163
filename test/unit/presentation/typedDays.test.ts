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
    for (const [text, day] of [
      ['Jan 15', '2026-01-15'],
      ['15 January', '2026-01-15'],
      ['Dec. 3rd', '2025-12-03'],
      ['Nov 28', '2026-11-28'],
      ['Jan 15, 2025', '2025-01-15'],
      ['feb 29', '2024-02-29'],
      ['1/15', '2026-01-15'],
      ['12/3', '2025-12-03'],
      ['１１／２８', '2026-11-28'],
      ['3/1/2025', '2025-03-01'],
      ['1月15日', '2026-01-15'],
      ['１２月３号', '2025-12-03'],
      ['十二月三日', '2025-12-03'],
      ['today', '2026-11-28'],
      ['yesterday', '2026-11-27'],
      ['昨天', '2026-11-27'],
      ['前天', '2026-11-26'],
      ['3 days ago', '2026-11-25'],
      ['2 weeks ago', '2026-11-14'],
      ['三天前', '2026-11-25'],
      ['Monday', '2026-11-23'],
      ['周一', '2026-11-23'],
      ['上周一', '2026-11-16'],
      ['Saturday', '2026-11-28'],
      ['last monday', '2026-11-23'],
      ['Last Saturday', '2026-11-21'],
      ['去年12月25号', '2025-12-25'],
      ['前年 1 月 15 日', '2024-01-15'],
      ['今年十一月三日', '2026-11-03'],
      // Said to be in the future.
      ['tomorrow', '2026-11-29'],
    ] as const)
      assert.equal(parseDay(text, today), day, text);
    const others = ['15/1', 'January', 'next Monday', '去年2月29日', 'Jan 32', 'Feb 30', '2 hours ago', '15', 'Mon 15'];
    for (const text of others) assert.equal(parseDay(text, today), undefined, text);
  });

  it('begins with the month or the day, as the language has it', () => {
    assert.equal(parseDay('3/5', '2026-11-28', true), '2026-05-03');
    assert.equal(parseDay('25/12/2025', '2026-11-28', true), '2025-12-25');
    assert.equal(readDate('03/01/2026'), undefined, 'for programs, nothing tells');
  });

  it("isn't read from anything else", () => {
    const others = [
      '',
      '2026',
      '202603011',
      '2026030',
      '2026-03-01T00',
      '26-03-01',
      '0050-01-01',
      '3/1/26',
      '1.3.2026',
    ];
    const missing = ['2026-3/1', '2026/02/29', '2026-02-30', '2026-13-01', '2026-00-10', '2026年3月1日 星期一'];
    for (const text of [...others, ...missing]) assert.equal(parseDay(text, '2026-11-28'), undefined, text);
  });
});
