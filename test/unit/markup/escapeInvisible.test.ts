import assert from 'node:assert/strict';
import { escapeInvisible, excerpt, truncate } from '../../../src/markup/escapeInvisible.ts';

describe('Text made visible', () => {
  it('has a mark for each character that is not seen', () => {
    const cases: Record<string, string> = {
      'a\u0000b': 'a⟨U+0000⟩b',
      'a\u001B[31m': 'a⟨U+001B⟩[31m',
      'a\u007F\u0085\u009F': 'a⟨U+007F⟩⟨U+0085⟩⟨U+009F⟩',
      'a\u200B\u200E\u200Fb': 'a⟨U+200B⟩⟨U+200E⟩⟨U+200F⟩b',
      'holiday\u202Egpj.exe': 'holiday⟨U+202E⟩gpj.exe',
      '\u202A\u202B\u202C\u202D': '⟨U+202A⟩⟨U+202B⟩⟨U+202C⟩⟨U+202D⟩',
      '\u2060\u2066\u2067\u2068\u2069': '⟨U+2060⟩⟨U+2066⟩⟨U+2067⟩⟨U+2068⟩⟨U+2069⟩',
      'soft\u00ADhyphen\uFEFF': 'soft⟨U+00AD⟩hyphen⟨U+FEFF⟩',
      'a\u061Cb\u3164c\u2028d': 'a⟨U+061C⟩b⟨U+3164⟩c⟨U+2028⟩d',
      'a\u{E0068}\u{E0069}': 'a⟨U+E0068⟩⟨U+E0069⟩',
      'a\rb': 'a⟨U+000D⟩b',
    };
    for (const [text, seen] of Object.entries(cases)) assert.equal(escapeInvisible(text), seen);
  });

  it('is the same where all is seen', () => {
    for (const text of ['', 'a\tb\nc', '商店 «é» ñ 𝔘', 'שלום مرحبا', '1️⃣ ❤️ ☺︎'])
      assert.equal(escapeInvisible(text), text);
  });

  it('has one kind of line end', () => {
    assert.equal(escapeInvisible('a\r\nb\r\n'), 'a\nb\n');
  });

  it('keeps joiners where writing needs them', () => {
    const needed = [
      'می\u200Cخواهم',
      'क्\u200Dष',
      'ක්\u200Dෂ',
      'ന്\u200D',
      '👩\u200D👩\u200D👧',
      '🏃🏽\u200D♂️',
      '❤️\u200D🔥',
      '🏳️\u200D🌈',
    ];
    for (const text of needed) assert.equal(escapeInvisible(text), text);
  });

  it('has marks for joiners elsewhere', () => {
    const cases: Record<string, string> = {
      'pay\u200Dpal': 'pay⟨U+200D⟩pal',
      'pay\u200Cpal': 'pay⟨U+200C⟩pal',
      'می\u200C\u200Cخ': 'می⟨U+200C⟩⟨U+200C⟩خ',
      '👩\u200Da': '👩⟨U+200D⟩a',
      '\u200D👩': '⟨U+200D⟩👩',
    };
    for (const [text, seen] of Object.entries(cases)) assert.equal(escapeInvisible(text), seen);
  });

  it('keeps tags in the flag of a part of a country alone', () => {
    const england = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
    assert.equal(escapeInvisible(england), england);
    assert.equal(escapeInvisible('\u{1F3F4}\u{E0067}'), '\u{1F3F4}⟨U+E0067⟩');
  });

  it('shows one variation of a character, and no text hidden in many', () => {
    assert.equal(escapeInvisible('☺\uFE0E'), '☺\uFE0E');
    assert.equal(escapeInvisible('☺\uFE0F\uFE01\u{E0101}'), '☺\uFE0F⟨U+FE01⟩⟨U+E0101⟩');
  });

  // Text that takes longer and longer to read hangs until the test times out.
  it('comes to an end with hostile text', () => {
    for (const text of ['\u200D', '\u{1F3F4}\u{E0067}', '\u202E', '्\u200D', 'ا\u200C'])
      escapeInvisible(text.repeat(200_000));
  });
});

describe('The start of a text', () => {
  it('ends at a line where one ends near, and never within a character', () => {
    assert.equal(truncate('abc', 3), 'abc');
    assert.equal(truncate('abcdef\nghij', 8), 'abcdef');
    assert.equal(truncate('a\nbcdefghij', 8), 'a\nbcdefg'.slice(0, 8));
    assert.equal(truncate('abc😀', 4), 'abc');
  });

  it('is on one line in brief', () => {
    assert.equal(excerpt('a\n b'), 'a b');
    assert.equal(excerpt('abcdef', 3), 'abc…');
  });
});
