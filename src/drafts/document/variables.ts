/** The variables of a draft, with their places. */
import { proseIn } from '../../markup/markdownCode.ts';
import { markdownVariables } from '../../markup/markdownVariables.ts';
import { findVariables } from '../../markup/template.ts';
import type { ContentType } from './keys.ts';
import type { TextRange } from './problem.ts';

/** At most this many are reported. */
const MAX_STRAY = 20;

export interface DraftVariable extends TextRange {
  readonly name: string;
  /** What stands for an empty value; undefined if nothing does. */
  readonly fallback: string | undefined;
  /** It stands in code, where it stays as it is. */
  readonly isCode: boolean;
}

/** Where a Markdown text has two braces, outside code, that begin no variable. */
export function strayBracesIn(text: string, place: TextRange): TextRange[] {
  const part = text.slice(place.start, place.end);
  const variables = markdownVariables(part);
  const prose = proseIn(part);
  const isIn = (ranges: readonly TextRange[], at: number) => ranges.some(({ start, end }) => start <= at && at < end);
  return Array.from(part.matchAll(/(?<!\\)\{\{(?!\{)/g), ({ index }) => index)
    .filter((at) => isIn(prose, at) && !isIn(variables, at))
    .slice(0, MAX_STRAY)
    .map((at) => ({ start: place.start + at, end: place.start + at + 2 }));
}

/** The variables between two offsets of a text. */
export function variablesIn(text: string, place: TextRange, type: ContentType = 'text'): DraftVariable[] {
  const part = text.slice(place.start, place.end);
  const found =
    type === 'markdown' ? markdownVariables(part) : findVariables(part).map((one) => ({ ...one, isCode: false }));
  return found
    .filter(({ isEscaped }) => !isEscaped)
    .map(({ name, fallback, isCode, start, end }) => ({
      name,
      fallback,
      isCode,
      start: place.start + start,
      end: place.start + end,
    }));
}
