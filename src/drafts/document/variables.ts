/** The variables of a draft, with their places. */
import { markdownVariables } from '../../markup/markdownVariables.ts';
import { findVariables } from '../../markup/template.ts';
import type { ContentType } from './keys.ts';
import type { TextRange } from './problem.ts';

export interface DraftVariable extends TextRange {
  readonly name: string;
  /** What stands for an empty value; undefined if nothing does. */
  readonly fallback: string | undefined;
  /** It stands in code, where it stays as it is. */
  readonly isCode: boolean;
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
