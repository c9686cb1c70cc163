import assert from 'node:assert/strict';
import { cellText, csvLine, readCsv } from '../../../src/markup/csv.ts';

describe('CSV', () => {
  it('has one line for each row, and no formula', () => {
    assert.equal(csvLine(['a "b"', 'c\r\n d', '=1+1', '＝x', '-5']), `"a ""b""","c d","'=1+1","'＝x","'-5"\r\n`);
  });

  it('is read with quotes, line breaks in cells, and any separator', () => {
    const rows = [
      ['a', 'b "c"', 'd\ne'],
      ['', ' f ', ''],
    ];
    for (const separator of [',', ';', '\t']) {
      const text = ['a', '"b ""c"""', '"d\ne"'].join(separator);
      for (const end of ['\n', '\r\n', '\r'])
        assert.deepEqual([...readCsv(`${text}${end}${['', ' f ', ''].join(separator)}`, separator)], rows);
    }
    assert.deepEqual([...readCsv('a,b\n', ',')], [['a', 'b']]);
    assert.deepEqual([...readCsv('', ',')], []);
  });

  it('is read even if a quote is never closed, or stands in the middle', () => {
    assert.deepEqual([...readCsv('a,"b,c\nd', ',')], [['a', 'b,c\nd']]);
    assert.deepEqual([...readCsv('a"b", "c" d,e', ',')], [['a"b"', 'c d', 'e']]);
  });

  it('is read in pieces if a row or a cell has no end', () => {
    assert.deepEqual(
      [...readCsv('x,'.repeat(2_500), ',')].map(({ length }) => length),
      [1_000, 1_000, 501],
    );
    assert.deepEqual(
      [...readCsv(`"${'""'.repeat(100_000)}`, ',')].map(({ length }) => length),
      [1],
    );
  });

  it('is read as it was written', () => {
    const cells = ['-5', '@x', "'=1", 'plain', '"q"', ''];
    const [row] = readCsv(csvLine(cells), ',');
    // An apostrophe before an operator may be ours.
    assert.deepEqual(row?.map(cellText), ['-5', '@x', '=1', 'plain', '"q"', '']);
  });
});
