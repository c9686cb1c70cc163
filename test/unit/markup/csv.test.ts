import assert from 'node:assert/strict';
import { cellText, csvLine, readCsv } from '../../../src/markup/csv.ts';

const cellsOf = (text: string, separator = ',') => Array.from(readCsv(text, separator), ({ cells }) => cells);

describe('CSV', () => {
  it('has one line for each row, and no formula', () => {
    assert.equal(csvLine(['a "b"', 'c\r\n d', '=1+1', '＝x', '-5']), `"a ""b""","c d","'=1+1","'＝x","'-5"\r\n`);
    const odd = ['+1', '@a', '＋1', '－1', '＠a', '\t=1', ' \n=1', 'a\r\n=1\tb\u2028c'];
    assert.equal(csvLine(odd), `"'+1","'@a","'＋1","'－1","'＠a","'=1","'=1","a =1 b c"\r\n`);
  });

  it('is read with quotes, line breaks in cells, and any separator', () => {
    const rows = [
      ['a', 'b "c"', 'd\ne'],
      ['', ' f ', ''],
    ];
    for (const separator of [',', ';', '\t']) {
      const text = ['a', '"b ""c"""', '"d\ne"'].join(separator);
      for (const end of ['\n', '\r\n', '\r'])
        assert.deepEqual(cellsOf(`${text}${end}${['', ' f ', ''].join(separator)}`, separator), rows);
    }
    assert.deepEqual(cellsOf('a,b\n'), [['a', 'b']]);
    assert.deepEqual(cellsOf(''), []);
  });

  it('is read even if a quote is never closed, or stands in the middle', () => {
    assert.deepEqual(cellsOf('a,"b,c\nd'), [['a', 'b,c\nd']]);
    assert.deepEqual(cellsOf('a"b", "c" d,e'), [['a"b"', 'c d', 'e']]);
  });

  it('tells the line of each row, and whether its quotes are broken', () => {
    const text = 'a,b\n"c\r\nd",e\n\nf,"g" h\r"i';
    const rows = Array.from(readCsv(text, ','), ({ line, isBroken }) => `${line} ${isBroken}`);
    assert.deepEqual(rows, ['1 false', '2 false', '4 false', '5 true', '6 true']);
  });

  it('may come in pieces, cut anywhere', () => {
    const text = 'id,"a ""b"" c"\r\n7,"x\r\ny",\n\n8;,"z"\r9,';
    const whole = [...readCsv(text, ',')];
    assert.equal(whole.length, 5);
    for (let at = 0; at <= text.length; at++)
      for (let to = at; to <= text.length; to++)
        assert.deepEqual([...readCsv([text.slice(0, at), text.slice(at, to), text.slice(to)], ',')], whole);
  });

  it('is read in pieces if a row or a cell has no end', () => {
    assert.deepEqual(
      cellsOf('x,'.repeat(2_500)).map(({ length }) => length),
      [1_000, 1_000, 501],
    );
    for (const text of [
      `"${'""'.repeat(100_000)}`,
      `a,"${'x'.repeat(300_000)}`,
      'x'.repeat(200_001),
      ' '.repeat(200_001),
    ]) {
      const rows = [...readCsv(text, ',')];
      assert.ok(
        rows[0]?.isBroken && rows.every(({ line, cells }) => line === 1 && cells.length <= 2),
        text.slice(0, 9),
      );
    }
  });

  it('is read as it was written', () => {
    const cells = ['-5', '@x', "'=1", 'plain', '"q"', ''];
    const [row] = cellsOf(csvLine(cells));
    // An apostrophe before an operator may be ours.
    assert.deepEqual(row?.map(cellText), ['-5', '@x', '=1', 'plain', '"q"', '']);
  });

  it('is read without what tells a spreadsheet that a number is text', () => {
    const cells = ['="007"', '"=""1 """"x"""""""', "'0612345678", "'007", "'90", "'tis", '="a"&"b"', '=1', '\'="7"'];
    assert.deepEqual(cellsOf(cells.join(';'), ';')[0]?.map(cellText), [
      '007',
      '1 "x"',
      '0612345678',
      '007',
      "'90",
      "'tis",
      '="a"&"b"',
      '=1',
      '="7"',
    ]);
  });
});
