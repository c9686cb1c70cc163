/** The user's pattern for IDs. RE2 takes linear time; in JavaScript's own engine, a pattern can take forever. */
import { RE2JS } from 're2js';

/** Compiles a pattern (RE2 syntax) that tests whole words. @throws Error that says what is wrong with the pattern */
export function compilePattern(pattern: string): { test(word: string): boolean } {
  const compiled = RE2JS.compile(pattern);
  return { test: (word) => compiled.testExact(word) };
}
