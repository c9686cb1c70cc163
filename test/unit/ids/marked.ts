import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compilePattern } from '../../../src/ids/compilePattern.ts';
import { candidatePattern, type FoundId, findIds, type IdMatcher, idAt } from '../../../src/ids/findIds.ts';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
const settings: Record<string, { default: string }> = Object.assign(
  {},
  ...manifest.contributes.configuration.map((section: { properties: object }) => section.properties),
);
/** The default pattern: 6 to 10 digits, the observed lengths. */
const DIGITS = settings['botChats.ids.pattern']?.default ?? assert.fail();

/** Matches known IDs, and words that match the pattern. */
export function matcherFor(known: Iterable<string>, pattern = DIGITS): IdMatcher {
  const ids = new Set(known);
  return { candidates: candidatePattern(ids), isKnown: (id) => ids.has(id), likely: compilePattern(pattern) };
}

export const UNKNOWN = matcherFor([]);

/** Matches only known IDs. */
export const onlyKnown = (...ids: string[]): IdMatcher => ({ ...matcherFor(ids), likely: undefined });

/** Asserts that the IDs of each line are the parts in «», and that each is found at its offsets. */
export function assertLines(matcher: IdMatcher, ...lines: string[]): void {
  for (const marked of lines) {
    const line = marked.replace(/[«»]/g, '');
    const found = [...findIds(line, matcher)];
    assert.equal(withMarks(line, found), marked);
    assertAgreed(line, matcher, found);
  }
}

/** Asserts that every offset of a line gives the first found ID that contains or touches it. */
export function assertAgreed(line: string, matcher: IdMatcher, found = [...findIds(line, matcher)]): void {
  for (let offset = 0; offset <= line.length; offset++) {
    const expected = found.find(({ start, end }) => start <= offset && offset <= end);
    assert.deepEqual(idAt(line, offset, matcher), expected, `${offset} of ${JSON.stringify(line)}`);
  }
}

const withMarks = (line: string, found: FoundId[]): string =>
  found.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`,
    line,
  );
