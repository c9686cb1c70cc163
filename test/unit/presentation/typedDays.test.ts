import assert from 'node:assert/strict';
import { parseDay, readDate } from '../../../src/presentation/times.ts';

describe('A typed day', () => {
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
      assert.deepEqual([readDate(text), parseDay(text)], ['2026-03-01', '2026-03-01'], text);
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
});
