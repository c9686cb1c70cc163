import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold, rangesOf } from '../../../src/pages/history/caseFolding.ts';
import { currentMatch } from '../../../src/pages/history/search.ts';

/** What is marked in a text where one looks for a word. */
const marked = (text: string, word: string) => rangesOf(text, fold(word)).map(([start, end]) => text.slice(start, end));

describe('Looking for a word', () => {
  it('finds it in capital and small letters', () => {
    assert.deepEqual(marked('Shop, SHOP and shop', 'sHoP'), ['Shop', 'SHOP', 'shop']);
    assert.deepEqual(marked('ΟΔΟΣ οδος', 'οδός'), []);
    assert.deepEqual(marked('ΟΔΟΣ οδος', 'Οδος'), ['ΟΔΟΣ', 'οδος']);
    assert.deepEqual(marked('Straße', 'STRASSE'), ['Straße']);
  });

  it('finds it behind a letter that is longer when it is small', () => {
    assert.equal('İ'.toLowerCase().length, 2);
    assert.deepEqual(marked('İabc', 'abc'), ['abc']);
    assert.deepEqual(marked('abcİ', 'İ'), ['İ']);
  });

  it('finds it in all forms of its characters', () => {
    assert.deepEqual(marked('ＦＵＬＬ width', 'full'), ['ＦＵＬＬ']);
    assert.deepEqual(marked('cafe\u0301 café', 'CAFÉ'), ['cafe\u0301', 'café']);
    assert.deepEqual(marked('\u1112\u1161\u11AB 한', '한'), ['\u1112\u1161\u11AB', '한']);
    assert.deepEqual(marked('商店 8:00', '店'), ['店']);
  });

  it('finds a letter with its accent, and not without', () => {
    assert.deepEqual(marked('cafe\u0301', 'e'), []);
  });

  it('finds a character whole of which it is a part', () => {
    assert.deepEqual(marked('oﬃce', 'f'), ['ﬃ']);
    assert.deepEqual(marked('ﬁﬁ', 'if'), ['ﬁﬁ']);
  });

  it('finds nothing where it is empty', () => {
    assert.deepEqual(rangesOf('abc', ''), []);
  });

  const letters = fc.constantFrom(
    ...[
      'a',
      'A',
      'b',
      'i',
      'İ',
      'ı',
      'ß',
      'ẞ',
      'Σ',
      'ς',
      'ﬁ',
      'ﬃ',
      'ａ',
      '①',
      '㎢',
      '한',
      '\u1112',
      '\u1161',
      '\u11AB',
    ],
    ...['e', 'é', '\u0301', '\u0323', '店', '😀', '\uD83D', '\uDE00', ' ', '\n', 'ﷺ', '\u200D', '\u0345', 'ŉ'],
  );
  const texts = fc.array(letters, { maxLength: 30 }).map((parts) => parts.join(''));

  it('marks within the text, in order, and something just where it counts', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(30), fc.nat(30), (text, other, from, to) => {
        for (const wanted of [fold(other), fold(text).slice(from, to)]) {
          const ranges = rangesOf(text, wanted);
          assert.equal(ranges.length > 0, wanted !== '' && fold(text).includes(wanted));
          let behind = 0;
          for (const [start, end] of ranges) {
            assert.ok(behind <= start && start < end && end <= text.length, JSON.stringify(ranges));
            behind = end;
          }
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('marks what reads as it was looked for', () => {
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        for (const [start, end] of rangesOf(text, fold(other))) {
          assert.ok(fold(text.slice(start, end)).includes(fold(other).slice(0, 1)));
        }
      }),
    );
  });

  // Text that takes longer and longer to read hangs until the test times out.
  it('comes to an end with many marks upon one letter', () => {
    assert.equal(rangesOf(`a${'\u0301\u0323'.repeat(100_000)}`, 'x').length, 0);
  });
});

describe('The current match', () => {
  it('stays the same message when others are found before and behind it', () => {
    assert.equal(currentMatch(['new', 'a', 'b', 'c'], ['a', 'b'], 1), 2);
    assert.equal(currentMatch(['b'], ['a', 'b'], 1), 0);
  });

  it('is the one that has its place where it is gone', () => {
    assert.equal(currentMatch(['a', 'c'], ['a', 'b', 'c'], 1), 1);
    assert.equal(currentMatch(['a'], ['a', 'b'], 1), 0);
    assert.equal(currentMatch([], ['a', 'b'], 1), 0);
  });

  it('is the newest one at first', () => {
    assert.equal(currentMatch(['b', 'a'], [], 0), 0);
  });
});
