import assert from 'node:assert/strict';
import { dayAfter, formatDay, parseDay, readDate } from '../../../src/presentation/days.ts';

describe('A day', () => {
  it('starts at local midnight', () => {
    assert.deepEqual(parseDay('2026-03-01'), new Date(2026, 2, 1));
    assert.deepEqual(parseDay('2024-02-29'), new Date(2024, 1, 29));
    assert.equal(formatDay(new Date(2026, 2, 1, 23, 59)), '2026-03-01');
  });

  it('may be written in other ways that put the year first', () => {
    for (const text of [
      '2026-3-1',
      '2026/03/01',
      '2026/3/1',
      '2026.3.1',
      '2026年3月1日',
      ' 2026 年 3 月 1 日 ',
      '２０２６－３－１',
      '20260301',
      '2026年3月1日 星期日',
      '2026/3/1 周天',
      '2026-03-01（週日）',
      '2026. 3. 1.',
      '2026–03–01',
      '\u200E2026/\u200E3/\u200E1',
    ])
      assert.deepEqual([readDate(text), parseDay(text)], ['2026-03-01', new Date(2026, 2, 1)], text);
  });

  it("isn't read from anything else", () => {
    for (const text of [
      '',
      '2026',
      '03/01/2026',
      '1.3.2026',
      '2026-3/1',
      '26-03-01',
      '2026/02/29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '0050-01-01',
      '2026-03-01T00',
      '202603011',
      '2026030',
      '2026年3月1日 星期一',
    ]) {
      assert.equal(parseDay(text), undefined, text);
    }
  });

  it('ends where the next one starts, however long it is', () => {
    for (const text of ['2026-03-29', '2026-10-25', '2026-12-31', '2024-02-28']) {
      const day = parseDay(text) ?? assert.fail(text);
      const next = dayAfter(day);
      assert.deepEqual([next.getHours(), formatDay(new Date(next.getTime() - 1))], [0, text]);
    }
  });
});
