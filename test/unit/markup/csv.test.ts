import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cellText, csvLine, readCsv } from '../../../src/markup/csv.ts';

const cellsOf = (text: string, separator = ',') => Array.from(readCsv(text, separator), ({ cells }) => cells);

describe('CSV', () => {
  it('has one line for each row, and no formula', () => {
    assert.equal(csvLine(['a "b"', 'c\r\n d', '=1+1', '＝x', '-5']), `"a ""b""","c d","'=1+1","'＝x","'-5"\r\n`);
    const odd = ['+1', '@a', '＋1', '－1', '＠a', '\t=1', ' \n=1', 'a\r\n=1\tb\u2028c'];
    assert.equal(csvLine(odd), `"'+1","'@a","'＋1","'－1","'＠a","'=1","'=1","a =1 b c"\r\n`);
  });

  it('is read with quotes, line breaks in cells, and any separator', () => {
    for (const separator of [',', ';', '\t', '|']) {
      const text = ['a', '"b ""c"""', '"d\ne"'].join(separator);
      for (const end of ['\n', '\r\n', '\r']) {
        const rows = cellsOf(`${text}${end}${['', ' f ', ''].join(separator)}`, separator);
        assert.deepEqual(rows, [
          ['a', 'b "c"', 'd\ne'],
          ['', ' f ', ''],
        ]);
      }
    }
    assert.deepEqual(cellsOf('a,b\n'), [['a', 'b']]);
    assert.deepEqual(cellsOf(''), []);
  });

  it('is read even if a quote is never closed, or stands in the middle', () => {
    assert.deepEqual(cellsOf('a,"b,c\nd'), [['a', 'b,c\nd']]);
    assert.deepEqual(cellsOf('a"b", "c" d,e'), [['a"b"', 'c d', 'e']]);
  });

  it('tells the line of each row, and whether its quotes are broken', () => {
    const text = 'a,b\n"c\r\nd",e\n\nf,"g" h\r"i\r\rj\n"k" ';
    const rows = Array.from(readCsv(text, ',', 7), ({ line, isBroken }) => `${line} ${isBroken}`);
    assert.deepEqual(rows, ['7 false', '8 false', '10 false', '11 true', '12 true']);
    assert.deepEqual([...readCsv('"a" ', ',')], [{ cells: ['a '], line: 1, isBroken: false }]);
  });

  it('is the cells that any program wrote, whole or in pieces', () => {
    const cells = fc.array(fc.constantFrom('', 'a', ' ', '"', '""', "'", ',', ';', '\n', '\r\n', '\r', '=', '好'));
    const row = fc.array(
      cells.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 4 },
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), fc.constantFrom(',', ';'), end, fc.nat(), (rows, by, end, at) => {
        const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const lines = rows.map((row) => row.map(quoted).join(by) + end);
        const text = lines.join('');
        const expected = rows.map((cells, index) => ({
          cells,
          line: lines
            .slice(0, index)
            .join('')
            .split(/\r\n|\n|\r/).length,
          isBroken: false,
        }));
        const cut = at % text.length;
        for (const pieces of [text, [text.slice(0, cut), text.slice(cut)], [...text]])
          assert.deepEqual([...readCsv(pieces, by)], expected);
      }),
    );
  });

  it('may come in pieces, cut anywhere, even if it is broken', () => {
    const text = 'id,"a ""b"" c"\r\n7,"x\r\ny",\n\n8;,"z"\r9,"';
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
    const quotes = `"${'""'.repeat(100_000)}`;
    for (const text of [quotes, `a,"${'x'.repeat(300_000)}`, 'x'.repeat(200_001), ' '.repeat(200_001)]) {
      const [first, ...others] = readCsv(text, ',');
      assert.ok(first?.isBroken, text.slice(0, 9));
      for (const { line, cells } of [first, ...others]) assert.ok(line === 1 && cells.length <= 2, text.slice(0, 9));
    }
  });

  it('is read as it was written', () => {
    const cells = ['-5', '@x', "'=1", 'plain', '"q"', ''];
    const [row] = cellsOf(csvLine(cells));
    // An apostrophe before an operator may be ours.
    assert.deepEqual(row?.map(cellText), ['-5', '@x', '=1', 'plain', '"q"', '']);
  });

  it('is read without what tells a spreadsheet that a number is text', () => {
    for (const [cell, text] of [
      ['="007"', '007'],
      ['="1 ""x"""', '1 "x"'],
      ['=" 7 "', '7'],
      [" '0612345678 ", '0612345678'],
      ["'007", '007'],
      ["'90", "'90"],
      ["'tis", "'tis"],
      ['="a"&"b"', '="a"&"b"'],
      ['=1', '=1'],
      ['\'="7"', '="7"'],
    ] as const)
      assert.equal(cellText(cell), text, cell);
  });
});
