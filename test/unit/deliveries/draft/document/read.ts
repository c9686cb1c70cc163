import assert from 'node:assert/strict';
import { type ParsedDraft, parseDraft } from '../../../../../src/deliveries/draft/document/parseDraft.ts';
import {
  countedProblems,
  type Fix,
  type Problem,
  type TextRange,
} from '../../../../../src/deliveries/draft/document/problem.ts';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { newHost } from '../../../test-host.ts';
import { newFolder } from '../editing/drafts.ts';

/** The audiences in the settings. */
const AUDIENCES = ['customers', 'VIP list'];

/** Parses a document. */
export const read = (text: string, keepFrontMatter = false): ParsedDraft =>
  parseDraft(text, { keepFrontMatter, audiences: () => AUDIENCES });

/** Reads a document beside files of these names. Hints aren't among its problems. */
export async function readBeside(
  files: Readonly<Record<string, string>>,
  text: string,
  reader = new DraftReader(newHost()),
) {
  const { write, uriOf } = newFolder();
  for (const [name, content] of Object.entries(files)) await write(name, content);
  const draft = await reader.read({ uri: uriOf('a.md'), getText: () => text });
  return { ...draft, problems: countedProblems(draft.problems) };
}

/** A document with this front matter. */
export const withFront = (...lines: string[]) => ['---', ...lines, '---', 'Hi'].join('\n');

/** A document with these lines in its chat block. */
export const withBlock = (...lines: string[]) =>
  ['---', 'chat:', ...lines.flatMap((line) => line.split('\n').map((one) => `  ${one}`)), '---', '', 'Hi'].join('\n');

/** A document without the marks around places in it, such as `‹this›`, and these places. */
export function unmark(marked: string): { text: string; places: TextRange[] } {
  const places: TextRange[] = [];
  let text = '';
  for (const [at, part] of marked.split(/[‹›]/).entries()) {
    if (at % 2 === 1) places.push({ start: text.length, end: text.length + part.length });
    text += part;
  }
  return { text, places };
}

/** What a problem says: an error without saying that it is one. */
const saidBy = ({ severity, text }: Problem) => (severity === 'error' ? text : `${severity}: ${text}`);

/** The problems of a document as lines: where they are, and what they say. */
export const problemsOf = (text: string): string[] =>
  read(text).problems.map((one) => `<${text.slice(one.start, one.end)}> ${saidBy(one)}`);

/** The text after applying a fix of its first problem. */
export function fixed(text: string, which = 0): string {
  return applied(text, read(text).problems[0]?.fixes?.[which]);
}

/** The text after applying a fix. */
export const applied = (text: string, { edits }: Pick<Fix, 'edits'> = { edits: [] }) =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);

/** Checks that these are the problems of a document: each at its marked place, in their order. */
export function checkProblems(marked: string, problems: readonly Problem[], said: readonly string[]): void {
  const { text, places } = unmark(marked);
  assert.deepEqual(problems.map(saidBy), said, text);
  assert.deepEqual(
    problems.map(({ start, end }) => ({ start, end })),
    places,
    text,
  );
}

/** Checks that a document has these problems, each at its marked place. */
export const hasProblems = (marked: string, ...said: string[]) =>
  checkProblems(marked, read(unmark(marked).text).problems, said);

/** Checks that this is the only problem of a document, at its marked place, and what each of its fixes makes of it. */
export function checkMistake(marked: string, problems: readonly Problem[], said: string, fixed: readonly string[]) {
  checkProblems(marked, problems, [said]);
  const { text } = unmark(marked);
  assert.deepEqual(
    problems[0]?.fixes?.map((one) => applied(text, one)) ?? [],
    fixed.map((one) => unmark(one).text),
    text,
  );
}

/** Checks that a document has one problem, at its marked place, and what each of its fixes makes of it. */
export const hasMistake = (marked: string, said: string, ...fixed: string[]) =>
  checkMistake(marked, read(unmark(marked).text).problems, said, fixed);

/** A part of a document with a marked place, and what it is after each fix. */
type Mistake = readonly [marked: string, ...fixed: string[]];

/**
 * Checks the mistakes of a table, about all of which the same is said, in lines of a block or in documents made of these.
 * `‹›` in what is said stands for the marked place.
 */
export function haveMistakes(
  said: string,
  mistakes: readonly Mistake[],
  documentOf: (part: string) => string = withBlock,
): void {
  for (const [marked, ...fixed] of mistakes) {
    const place = /‹([^›]*)›/.exec(marked)?.[1] ?? assert.fail(`nothing is marked in ${marked}`);
    hasMistake(documentOf(marked), said.replaceAll('‹›', place), ...fixed.map((one) => documentOf(one)));
  }
}
