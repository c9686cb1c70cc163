import assert from 'node:assert/strict';
import { snippetPieces } from '../../../../src/pages/search/snippetPieces.ts';
import type { FoundText } from '../../../../src/protocol/search.ts';
import { foundText } from '../../../page/searchResults.ts';

describe('The excerpt of a found message', () => {
  /** The pieces in one string, with matches in brackets. */
  const shown = (text: string, ranges: FoundText['ranges'], cut: Partial<FoundText> = {}) =>
    snippetPieces(foundText(text, ranges, cut))
      .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
      .join('');

  it('is split at the matches', () => {
    assert.equal(
      shown('soup of the day', [
        [0, 4],
        [8, 11],
      ]),
      '[soup] of [the] day',
    );
    assert.equal(shown('soup', []), 'soup');
    assert.equal(shown('', []), '');
  });

  it('has ellipses where it was cut', () => {
    assert.equal(shown('of the', [[3, 6]], { isCutBefore: true, isCutAfter: true }), '…of [the]…');
  });

  it('has each character once, whatever the ranges are', () => {
    assert.equal(
      shown('soup', [
        [2, 3],
        [0, 4],
        [9, 12],
      ]),
      'so[u][p]',
    );
  });

  it('has its invisible characters escaped, except those that the letters around them need', () => {
    assert.equal(shown('a\u202Eb', [[2, 3]]), 'a⟨U+202E⟩[b]');
    const persian = 'می\u200Cخواهم';
    assert.equal(shown(persian, [[3, 8]]), 'می\u200C[خواهم]');
  });
});
