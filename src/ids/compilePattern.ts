/**
 * Words of which a person said what they look like. JavaScript's own engine can take years over some patterns, and
 * holds everything up meanwhile; the time of this one grows with the length of the word alone.
 */
import { RE2JS } from 're2js';

/** Tells whether a whole word matches a pattern (syntax of RE2). @throws an error whose message says what is wrong */
export function compilePattern(pattern: string): { test(word: string): boolean } {
  const compiled = RE2JS.compile(pattern);
  return { test: (word) => compiled.testExact(word) };
}
