import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findIds } from '../../../src/ids/findIds.ts';
import { assertAgreed, matcherFor, onlyKnown, UNKNOWN } from './marked.ts';

const KNOWN = ['big', 'a-b', '12', '_x', '7058314', 'a.b', '大群', 'u:7', '(x)', '👍'];
const MATCHER = matcherFor(KNOWN);
const all = (text: string, matcher = MATCHER) => [...findIds(text, matcher)];

const words = ['7230581', '30481126', '20261121', '123', 'x', 'é', 'ж', '群', '𠮷', '𝐀', '元', 'https://', 'tel'];
const marks = ' \t\r,.:;/\\#+&?%-_@$=()[]{}"\'`*|<>，。：（）\u0301\uFE0F\u20E3\u200F';
/** Fragments that affect whether a number stands alone. */
const piece = fc.oneof(
  fc.constantFrom(...KNOWN, ...words),
  fc.constantFrom(...marks, '\uD83D', '\uDE00'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const textOf = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));
const digits = fc.stringMatching(/^[3-9][0-9]{5,9}$/);
/** Any string, as an ID may be: also parts of regular expressions and unpaired surrogates. */
const anyId = fc
  .oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.stringMatching(/^[\\^$.*+?()[\]{}|/<=!:\w大-]{1,9}$/))
  .filter((id) => id.trim() === id && !id.includes('\n'));

describe('In any text', () => {
  it('found IDs are at their offsets, in order, without overlaps', () =>
    fc.assert(
      fc.property(textOf(40), (text) => {
        let last = 0;
        for (const { id, start, end } of all(text)) {
          assert.equal(text.slice(start, end), id);
          assert.ok(id && start >= last, text);
          last = end;
        }
      }),
    ));

  it('the ID at an offset is the one found in the whole text', () => {
    fc.assert(fc.property(textOf(20), (text) => assertAgreed(text, MATCHER)));
    fc.assert(fc.property(textOf(400), (text) => assertAgreed(text, MATCHER)));
  });

  it('the IDs between two offsets are those of the whole text that touch the range', () =>
    fc.assert(
      fc.property(textOf(40), fc.nat(60), fc.nat(60), (text, from, length) => {
        const expected = all(text).filter(({ start, end }) => end >= from && start <= from + length);
        assert.deepEqual([...findIds(text, MATCHER, from, from + length)], expected);
      }),
    ));

  it('found IDs don’t depend on text far away', () =>
    fc.assert(
      fc.property(textOf(20), textOf(20), textOf(20), (before, text, after) => {
        const gap = '. '.repeat(150);
        const at = before.length + gap.length;
        const found = all(before + gap + text + gap + after);
        const moved = all(gap + text + gap).map((one) => ({
          ...one,
          start: one.start + before.length,
          end: one.end + before.length,
        }));
        assert.deepEqual(
          found.filter(({ start, end }) => start >= at && end <= at + text.length),
          moved,
        );
      }),
    ));
});

describe('An ID in any text', () => {
  const separator = fc.constantFrom(...' \t,;"\'`()[]{}<>|=，。：；、「」（）“”群𠮷', '😀', '❤\uFE0F', '\u200E', '\r');

  it('is found between separators if it is known', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...KNOWN),
        separator,
        separator,
        textOf(9),
        textOf(9),
        (id, left, right, before, after) => {
          const start = before.length + 1 + left.length;
          const text = `${before} ${left}${id}${right} ${after}`;
          const expected = { id, start, end: start + id.length };
          assert.deepEqual(
            all(text).find((one) => one.start === start),
            expected,
            text,
          );
        },
      ),
    ));

  it('is found if it is known, whatever its characters', () =>
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { minLength: 1 }), (ids) => {
        const matcher = onlyKnown(...ids);
        const lines = `\n${ids.join('\n')}\n`;
        let start = 1;
        const expected = ids.map((id) => {
          const found = { id, start, end: start + id.length };
          start = found.end + 1;
          return found;
        });
        assert.deepEqual(all(lines, matcher), expected);
      }),
    ));

  it('is found between separators of data if it is unknown', () => {
    const isData = fc.constantFrom(...' \t;"\'`[]{}<>|，。：；、「」“”群');
    fc.assert(
      fc.property(digits, isData, isData, (id, left, right) => {
        assert.deepEqual(all(left + id + right, UNKNOWN), [{ id, start: 1, end: 1 + id.length }]);
      }),
    );
  });

  it('isn’t found in a longer word if it is unknown', () => {
    const letters = fc
      .array(fc.constantFrom(...'aZ09_-éжα', 'e\u0301', '𝐀'), { maxLength: 4 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(letters, digits, letters, (left, id, right) => {
        const word = left + id + right;
        fc.pre(/[^0-9]/.test(word) && !/^(__?)[0-9]+\1$/.test(word));
        assert.deepEqual(all(word, UNKNOWN), [], word);
      }),
    );
  });
});
