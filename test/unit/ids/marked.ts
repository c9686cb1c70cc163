import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compilePattern } from '../../../src/ids/compilePattern.ts';
import { candidatePattern, type FoundId, findIds, type IdMatcher, idAt } from '../../../src/ids/findIds.ts';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
/** What a person gets who sets nothing: 6 to 10 digits, the lengths that were observed. */
const DIGITS: string = manifest.contributes.configuration.properties['botChats.ids.pattern'].default;

/** Shapes of these known IDs, and of words like the pattern. */
export function shapesOf(known: Iterable<string>, pattern = DIGITS): IdMatcher {
  const ids = new Set(known);
  return { candidates: candidatePattern(ids), isKnown: (id) => ids.has(id), likely: compilePattern(pattern) };
}

export const UNKNOWN = shapesOf([]);

/** Only what is known: nothing is likely. */
export const onlyKnown = (...ids: string[]): IdMatcher => ({ ...shapesOf(ids), likely: undefined });

/** Asserts that all IDs of each line are the parts in «», which are no part of it, and that each is found at its place. */
export function assertLines(shapes: IdMatcher, lines: string[]): void {
  for (const marked of lines) {
    const line = marked.replace(/[«»]/g, '');
    const found = [...findIds(line, shapes)];
    assert.equal(withMarks(line, found), marked);
    assertAgreed(line, shapes, found);
  }
}

/** Asserts that at every offset of a line there is the first of what was found that holds or touches it. */
export function assertAgreed(line: string, shapes: IdMatcher, found = [...findIds(line, shapes)]): void {
  for (let offset = 0; offset <= line.length; offset++) {
    const expected = found.find(({ start, end }) => start <= offset && offset <= end);
    assert.deepEqual(idAt(line, offset, shapes), expected, `${offset} of ${JSON.stringify(line)}`);
  }
}

const withMarks = (line: string, found: FoundId[]): string =>
  found.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`,
    line,
  );
