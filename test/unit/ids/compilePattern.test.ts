import assert from 'node:assert/strict';
import { compilePattern } from '../../../src/ids/compilePattern.ts';

describe('The pattern of unknown IDs', () => {
  it('matches whole words', () => {
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

  // An exponential match would time out.
  it('takes linear time, whatever it repeats', () => {
    const words = ['a'.repeat(128), `${'a'.repeat(127)}-`, '1'.repeat(128)];
    for (const pattern of ['(a+)+b', '(a|a)*b', '(a*)*b', '(\\w+_?)+x', '([0-9]+)+x', '(.*a){20}x', '(a?){64}a{64}b']) {
      for (const word of words) assert.equal(compilePattern(pattern).test(word), false, pattern);
    }
  });

  it('is rejected if it is invalid or too large', () => {
    for (const pattern of ['[', '(', '*', 'a{1001}', '((a{100}){100}){100}', '(?=a)b', '(a)\\1']) {
      assert.throws(() => compilePattern(pattern), /error parsing regexp: /, pattern);
    }
  });
});
