import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold, rangesOf } from '../../../src/markup/caseFolding.ts';
import { currentMatch } from '../../../src/pages/history/search.ts';

/** The matches of a word in a text. */
const matchesOf = (text: string, word: string) =>
  rangesOf(text, fold(word)).map(([start, end]) => text.slice(start, end));

/** Each finds the whole of the other. */
function findEachOther(...pairs: readonly (readonly [string, string])[]): void {
  for (const [one, other] of pairs) {
    assert.deepEqual(matchesOf(one, other), [one], `${other} in ${one}`);
    assert.deepEqual(matchesOf(other, one), [other], `${one} in ${other}`);
  }
}

describe('Searching for a word', () => {
  it('ignores case', () => {
    assert.deepEqual(matchesOf('Shop, SHOP and shop', 'sHoP'), ['Shop', 'SHOP', 'shop']);
    assert.deepEqual(matchesOf('ΟΔΟΣ οδος', 'Οδος'), ['ΟΔΟΣ', 'οδος']);
    for (const text of ['Straße', 'STRAẞE', 'strasse'])
      for (const word of ['STRASSE', 'straße', 'STRAẞE']) assert.deepEqual(matchesOf(text, word), [text]);
    for (const text of ['ISTANBUL', 'İstanbul', 'ıstanbul']) assert.deepEqual(matchesOf(text, 'istanbul'), [text]);
  });

  it('finds it after a letter that becomes longer in lowercase', () => {
    assert.equal('İ'.toLowerCase().length, 2);
    assert.deepEqual(matchesOf('İabc', 'abc'), ['abc']);
    assert.deepEqual(matchesOf('abcİ', 'İ'), ['İ']);
  });

  it('finds all compatible forms of its characters', () => {
    assert.deepEqual(matchesOf('ＦＵＬＬ width', 'full'), ['ＦＵＬＬ']);
    assert.deepEqual(matchesOf('\u1112\u1161\u11AB 한', '한'), ['\u1112\u1161\u11AB', '한']);
    assert.deepEqual(matchesOf('商店 8:00', '店'), ['店']);
  });

  it('ignores accents, but not marks that make another letter', () => {
    assert.deepEqual(matchesOf('cafe\u0301 café cafe', 'CAFÉ'), ['cafe\u0301', 'café', 'cafe']);
    assert.deepEqual(matchesOf('ΟΔΟΣ οδός', 'οδος'), ['ΟΔΟΣ', 'οδός']);
    assert.deepEqual(matchesOf('ガス ｶﾞｽ カス', 'ガス'), ['ガス', 'ｶﾞｽ']);
  });

  it('finds letters with strokes, and joined ones, by those that people type for them', () => {
    findEachOther(['Đường', 'duong'], ['ĐỒNG', 'đông'], ['Łódź', 'lodz'], ['smørrebrød', 'SMORREBROD']);
    findEachOther(['Ħal Luqa', 'hal luqa'], ['ŒUVRE', 'oeuvre'], ['Ærø', 'aero'], ['½ cup', '1/2 CUP']);
  });

  it('finds quotation marks, hyphens and dashes by those on a keyboard', () => {
    findEachOther(['don’t', "don't"], ['don\u02BCt', "don't"], ['l‘heure', 'l’heure']);
    findEachOther(['“重要”', '"重要"'], ['say „ja“', 'say "ja"'], ['צה״ל', 'צה"ל']);
    findEachOther(['e\u2011mail', 'e-mail'], ['e\u2010mail', 'e-mail'], ['2020–2024', '2020-2024']);
    findEachOther(['yes — no', 'yes - no'], ['−5 ℃', '-5 °c'], ['wait…', 'wait...']);
    assert.deepEqual(matchesOf('email', 'e-mail'), []);
    assert.deepEqual(matchesOf('dont', "don't"), []);
  });

  it('ignores the skin tones of emoji, and covers them', () => {
    assert.deepEqual(matchesOf('👍🏽 👍 🙋🏿‍♀️', '👍🏻'), ['👍🏽', '👍']);
    assert.deepEqual(matchesOf('👍🏽 🙋🏿‍♀️', '🙋🏻'), ['🙋🏿']);
  });

  it('ignores the vowel marks and points of Arabic and Hebrew, and strokes that widen words', () => {
    findEachOther(['كِتاب', 'كتاب'], ['كتــاب', 'كتاب'], ['أُسْتاذ', 'استاذ'], ['שָׁלוֹם', 'שלום'], ['ܫܠܳܡܳܐ', 'ܫܠܡܐ']);
  });

  it('finds numbers in the digits of any script', () => {
    for (const text of ['٣٤٥', '۳۴۵', '३४५', '๓๔๕', '３４５', '𝟛𝟜𝟝', '③④⑤']) findEachOther([text, '345']);
    assert.deepEqual(matchesOf('٠١٢٣٤٥٦٧٨٩', '0123456789'), ['٠١٢٣٤٥٦٧٨٩']);
    // All of them have a value.
    for (let code = 0; code <= 0xffff; code++) {
      const digit = String.fromCharCode(code);
      if (/\p{Nd}/u.test(digit)) assert.match(fold(digit), /^\d$/);
    }
  });

  it('finds Arabic letters by those of another keyboard, and apostrophes that are letters', () => {
    findEachOther(['کتاب', 'كتاب'], ['یکی', 'يكي'], ['على', 'علي'], ['مدرسة', 'مدرسه']);
    findEachOther(['O\u02BBzbekiston', "O'zbekiston"], ['Hawai\u02BBi', 'Hawai‘i']);
    findEachOther(['בית־ספר', 'בית-ספר'], ['a\u20D7b\u1DC4', 'ab'], ['അവൻറെ', 'അവന്\u200Dറെ']);
  });

  it("ignores characters that aren't seen, and the codes that stand for them", () => {
    findEachOther(['Ge\u00ADsamt\u00ADkonzept', 'gesamtkonzept'], ['pass\u200Bword', 'password']);
    findEachOther(['pass\u202Eword', 'pass⟨U+202E⟩word'], ['می\u200Cخواهم', 'میخواهم']);
    findEachOther(['a\u0007b\uFEFFc', 'abc'], ['👨\u200D👩', '👨👩'], ['❤\uFE0F', '❤']);
  });

  it('takes any white space for one space', () => {
    for (const text of ['giant step', 'giant  step', 'giant\nstep', 'giant\u00A0\u3000\r\n\tstep']) {
      assert.deepEqual(matchesOf(text, 'Giant step'), [text]);
      assert.deepEqual(matchesOf('giant step', text), ['giant step']);
    }
    assert.deepEqual(matchesOf('giantstep', 'giant step'), []);
  });

  it("matches a whole character if it's part of it", () => {
    assert.deepEqual(matchesOf('oﬃce', 'f'), ['ﬃ']);
    assert.deepEqual(matchesOf('ﬁﬁ', 'if'), ['ﬁﬁ']);
  });

  it('finds nothing for an empty query', () => {
    assert.deepEqual(rangesOf('abc', ''), []);
  });

  const characters = 'aAbiİıßẞΣςﬁﬃａ①㎢한\u1112\u1161\u11ABeé\u0301\u0323店😀 \nﷺ\u200D\u0345ŉẞøÆ\u0338’—½';
  const marks = '\u00AD\u0640ب\u064E\u3099\t\u00A0';
  const letters = fc.constantFrom(...characters, ...marks, '\uD83D', '\uDE00', '⟨U+202E⟩', '⟨U+');
  const texts = fc.array(letters, { maxLength: 30 }).map((parts) => parts.join(''));

  it('returns ordered ranges within the text, exactly if the text is counted as a match', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(30), fc.nat(30), (text, other, from, to) => {
        for (const query of [fold(other), fold(text).slice(from, to)]) {
          const ranges = rangesOf(text, query);
          assert.equal(ranges.length > 0, query !== '' && fold(text).includes(query));
          let previousEnd = 0;
          for (const [start, end] of ranges) {
            assert.ok(previousEnd <= start && start < end && end <= text.length, JSON.stringify(ranges));
            previousEnd = end;
          }
        }
      }),
    );
  });

  it('returns ranges that contain the query', () => {
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        for (const [start, end] of rangesOf(text, fold(other))) {
          assert.ok(fold(text.slice(start, end)).includes(fold(other).slice(0, 1)));
        }
      }),
    );
  });

  // Super-linear time makes the test time out.
  it('takes linear time for many combining marks on one letter', () => {
    assert.equal(rangesOf(`a${'\u0301\u0323'.repeat(100_000)}`, 'x').length, 0);
  });
});

describe('The current match', () => {
  it('stays on its message when others are found before and after it', () => {
    assert.equal(currentMatch(['new', 'a', 'b', 'c'], ['a', 'b'], 1), 2);
    assert.equal(currentMatch(['b'], ['a', 'b'], 1), 0);
  });

  it("moves to the match at its index if it's gone", () => {
    assert.equal(currentMatch(['a', 'c'], ['a', 'b', 'c'], 1), 1);
    assert.equal(currentMatch(['a'], ['a', 'b'], 1), 0);
    assert.equal(currentMatch([], ['a', 'b'], 1), 0);
  });

  it('is initially the newest', () => {
    assert.equal(currentMatch(['b', 'a'], [], 0), 0);
  });
});
