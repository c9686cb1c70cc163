/** The variables of a draft, with their places. */
import { proseIn } from '../../../markup/markdownCode.ts';
import { findVariables, type Variable } from '../../../markup/template.ts';
import type { TextRange } from './problem.ts';

/** At most this many stray braces are reported. */
const MAX_STRAY = 20;

export interface DraftVariable extends TextRange {
  readonly name: string;
  /** What stands for an empty value; undefined if nothing does. */
  readonly fallback: string | undefined;
  /** Whether it stands in code, where it stays as it is. */
  readonly isCode: boolean;
}

/** Where a Markdown text has two braces, outside code, that begin no variable. */
export function strayBracesIn(text: string, place: TextRange): TextRange[] {
  const part = text.slice(place.start, place.end);
  const isInVariable = isIn(findVariables(part));
  const stray = Array.from(part.matchAll(/(?<!\\)\{\{(?!\{)/g), ({ index }) => index).filter((at) => !isInVariable(at));
  // Most texts have no stray braces, and finding code takes time.
  const isInProse = isIn(stray.length > 0 ? proseIn(part, '{{') : []);
  return stray
    .filter(isInProse)
    .slice(0, MAX_STRAY)
    .map((at) => ({ start: place.start + at, end: place.start + at + 2 }));
}

/** Whether an offset is in one of these ranges. Asked for ascending offsets. */
export function isIn(ranges: readonly TextRange[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++;
    return (ranges[next]?.start ?? Number.POSITIVE_INFINITY) <= at;
  };
}

/** A variable as it's written, with what stands for an empty value. */
export const writtenVariable = (name: string, fallback?: string) =>
  `{{${name}${fallback === undefined ? '' : `|${fallback}`}}}`;

/** A variable whose braces an input method for Chinese made wide. */
const WIDE = /(?:｛[{｛]|\{｛)([^{}｛｝|｜\r\n]{1,100})(?:[|｜]([^{}｛｝\r\n]{0,200}))?[}｝]{2}/g;

/** Where a Markdown text has variables in wide braces, outside code, and how they should be written. */
export function wideVariablesIn(text: string, place: TextRange): (TextRange & { written: string })[] {
  const part = text.slice(place.start, place.end);
  const found = Array.from(part.matchAll(WIDE));
  const isInProse = isIn(found.length > 0 ? proseIn(part, '｛') : []);
  return found
    .filter(({ index }) => isInProse(index))
    .slice(0, MAX_STRAY)
    .map(({ 0: all, 1: name = '', 2: fallback, index }) => ({
      start: place.start + index,
      end: place.start + index + all.length,
      written: writtenVariable(name.trim(), fallback?.trim()),
    }));
}

/**
 * A name as other programs insert values: `{name}`, `${name}`, `«name»`, and what an input method for Chinese makes of braces.
 * The last one is also how Chinese texts stress a word.
 */
const PLACEHOLDER =
  /(?<![\\{｛])(?:\$?\{([^{}|\r\n]{1,100})\}|｛([^{}｛｝\r\n]{1,100})｝|«([^«»\r\n]{1,100})»|【([^【】\r\n]{1,100})】)(?![}｝])/g;

/** Where a text has names in the marks of other programs, outside code if it's Markdown. */
export function placeholdersIn(
  text: string,
  place: TextRange,
  isMarkdown: boolean,
): (TextRange & { name: string; mayBeStressed: boolean })[] {
  const part = text.slice(place.start, place.end);
  const found = Array.from(part.matchAll(PLACEHOLDER));
  if (found.length === 0) return [];
  const marks = ['{', '｛', '«', '【'];
  const isInProse = marks.map((mark) => isIn(isMarkdown && part.includes(mark) ? proseIn(part, mark) : []));
  return found.flatMap(({ 0: all, 1: one, 2: wide, 3: other, 4: stressed, index }) => {
    const at = all.startsWith('$') ? index + 1 : index;
    const isProse = !isMarkdown || isInProse[marks.indexOf(part.charAt(at))]?.(at);
    if (!isProse) return [];
    const name = (one ?? wide ?? other ?? stressed ?? '').trim().normalize('NFC');
    const start = place.start + index;
    return [{ name, mayBeStressed: stressed !== undefined, start, end: start + all.length }];
  });
}

/** The variables between two offsets of a text. In Markdown, those that `markdownVariables` has found there. */
export function variablesIn(
  text: string,
  place: TextRange,
  found: readonly (Variable & { isCode?: boolean })[] = findVariables(text.slice(place.start, place.end)),
): DraftVariable[] {
  return found
    .filter(({ isEscaped }) => !isEscaped)
    .map(({ name, fallback, isCode = false, start, end }) => ({
      name,
      fallback,
      isCode,
      start: place.start + start,
      end: place.start + end,
    }));
}
