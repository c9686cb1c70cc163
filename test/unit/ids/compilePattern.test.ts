import assert from 'node:assert/strict';
import { compilePattern } from '../../../src/ids/compilePattern.ts';

describe('The pattern of unknown IDs', () => {
  it('is matched by whole words', () => {
    for (const [pattern, word, isMatch] of [
      ['[0-9]{6,10}', '7058314', true],
      ['[0-9]{6,10}', '70583140000', false],
      ['a|b', 'ab', false],
      ['\\p{Han}+', '群', true],
      ['(?i)big', 'BIG', true],
    ] as const) {
      assert.equal(compilePattern(pattern).test(word), isMatch, pattern);
    }
  });

  // One that takes ever longer hangs until the test times out.
  it('holds nothing up, whatever it repeats', () => {
    const words = ['a'.repeat(128), `${'a'.repeat(127)}-`, '1'.repeat(128)];
    for (const pattern of ['(a+)+b', '(a|a)*b', '(a*)*b', '(\\w+_?)+x', '([0-9]+)+x', '(.*a){20}x', '(a?){64}a{64}b']) {
      for (const word of words) assert.equal(compilePattern(pattern).test(word), false, pattern);
    }
  });

  it('is refused where it says nothing, or would be too large', () => {
    for (const pattern of ['[', '(', '*', 'a{1001}', '((a{100}){100}){100}', '(?=a)b', '(a)\\1']) {
      assert.throws(() => compilePattern(pattern), /error parsing regexp: /, pattern);
    }
  });
});
