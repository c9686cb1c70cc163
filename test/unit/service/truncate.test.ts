import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  characterStart,
  piecesOf,
  shorten,
  shortenMiddle,
  truncate,
  truncateStart,
} from '../../../src/service/truncate.ts';

const FAMILY = '👩\u200D👩\u200D👧';
const ENGLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
/** Each is one character to people, of several UTF-16 units. */
const CHARACTERS = [
  '😀',
  '👍🏽',
  '❤️',
  FAMILY,
  '🇩🇪',
  ENGLAND,
  '1️⃣',
  'e\u0301',
  'Z\u0351\u0327\u0334',
  '\u1100\u1161\u11A8',
];

describe('A text that is cut', () => {
  it('has as much as fits, in UTF-16 units', () => {
    assert.equal(truncate('abc', 3), 'abc');
    assert.equal(truncate('abcd', 3), 'abc');
    assert.equal(truncate('微信群聊', 3), '微信群');
    assert.equal(truncate('ab😀', 4), 'ab😀');
    assert.equal(truncate('', 0), '');
    assert.equal(truncate('abc', 0), '');
  });

  it('ends at a line break if one is near', () => {
    assert.equal(truncate('abcdef\nghij', 8), 'abcdef');
    assert.equal(truncate('a\nbcdefghij', 8), 'a\nbcdefg');
    assert.equal(truncate('abcdef\r\nghij', 8), 'abcdef');
  });

  for (const character of CHARACTERS) {
    it(`has ${JSON.stringify(character)} whole or not at all`, () => {
      const text = `abc${character}def`;
      const end = 3 + character.length;
      assert.equal(truncate(text, end), `abc${character}`);
      assert.equal(truncate(`abc${character}`, end), `abc${character}`);
      for (let length = 3; length < end; length++) assert.equal(truncate(text, length), 'abc', String(length));

      assert.equal(truncateStart(`${character}def`, 4), 'def');
      assert.equal(truncateStart(text, end), `${character}def`);
      for (let length = 3; length < end; length++) assert.equal(truncateStart(text, length), 'def', String(length));
    });
  }

  it('keeps flags in pairs, although each letter of one may begin another', () => {
    const flags = '🇩🇪🇫🇷🇨🇳';
    assert.deepEqual(
      [3, 4, 6, 8, 11].map((length) => truncate(flags, length)),
      ['\u{1F1E9}', '🇩🇪', '🇩🇪', '🇩🇪🇫🇷', '🇩🇪🇫🇷'],
    );
    assert.equal(truncateStart(flags, 6), '🇨🇳');
  });

  it('keeps the end of a text that is cut in its middle', () => {
    assert.equal(shortenMiddle('Fern & Kettle.ndjson', 20), 'Fern & Kettle.ndjson');
    assert.equal(shortenMiddle('Fern & Kettle: the shop team.ndjson', 20), 'Fern & Ket…eam.ndjson');
    assert.equal(shortenMiddle(`a${FAMILY}bcd${FAMILY}e`, 10), 'a…e');
  });

  it('keeps half a surrogate pair that was there before', () => {
    assert.equal(truncate('ab\uD83Dcd', 3), 'ab\uD83D');
    assert.equal(truncate('ab\uDE00cd', 3), 'ab\uDE00');
    assert.equal(truncate('ab\uDE00cd', 2), 'ab');
  });

  it('is cut between two code points if it begins with a character that is longer', () => {
    assert.equal(truncate(`a${'\u0301'.repeat(50)}`, 10), `a${'\u0301'.repeat(9)}`);
    assert.equal(truncate(`a${'\u{1E000}'.repeat(50)}`, 10), `a${'\u{1E000}'.repeat(4)}`);
    assert.equal(truncate('😀😀', 1), '');
  });

  it('has an ellipsis if something is missing, also of what was edited', () => {
    assert.equal(shorten('abc', 3), 'abc');
    assert.equal(shorten('abc😀', 4), 'abc…');
    assert.equal(
      shorten('a<b', 3, (start) => start.replace('<', '&lt;')),
      'a&l…',
    );
  });

  it('is divided into pieces between characters, without losing any', () => {
    assert.deepEqual([...piecesOf('abc😀def', 4)], ['abc', '😀de', 'f']);
    assert.deepEqual([...piecesOf(`ab${FAMILY}c`, FAMILY.length)], ['ab', FAMILY, 'c']);
    assert.deepEqual([...piecesOf('abcd', 2)], ['ab', 'cd']);
    assert.deepEqual([...piecesOf('', 2)], []);
    const marks = `ab${'\u0301'.repeat(50)}\uD83D`;
    const pieces = [...piecesOf(marks, 10)];
    assert.equal(pieces.join(''), marks);
    assert.ok(pieces.every(({ length }) => length <= 10));
  });

  it('is cut far from its beginning as if all of it had been looked at', () => {
    for (const character of CHARACTERS) {
      const text = `abc ${character}`.repeat(20_000);
      const at = text.indexOf(character, 50_000);
      assert.equal(characterStart(text, at + 1), at, JSON.stringify(character));
    }
  });

  it('ends where a character does, whatever is in it', () => {
    const text = fc.array(fc.constantFrom(...CHARACTERS, 'a', '中', '\u200D', '\u0301', '\uD83D', '\uDE00', '🇩'));
    fc.assert(
      fc.property(text, fc.nat(60), (parts, at) => {
        const whole = `.${parts.join('')}`;
        const starts = Array.from(new Intl.Segmenter().segment(whole), ({ index }) => index);
        const start = characterStart(whole, at);
        const expected = [...starts, whole.length].findLast((one) => one <= at) ?? 0;
        // With nothing before it, a character may be cut.
        if (expected > 0) assert.equal(start, expected);
        else assert.ok(start <= at);
      }),
    );
  });
});
