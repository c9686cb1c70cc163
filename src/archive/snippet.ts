/** An excerpt of a message with the words that were searched for. Pure. */
import { fold, originalRanges, type Ranges } from '../markup/caseFolding.ts';
import { shownLine } from '../markup/shownText.ts';
import type { Listed } from '../service/message.ts';
import { findTerms } from './matching.ts';
import type { Term } from './query.ts';

/** How much is shown, and how much of that before the first match (UTF-16 units). */
const LENGTH = 240;
const BEFORE = 60;

export interface Snippet {
  readonly text: string;
  /** Matches in the text. */
  readonly ranges: Ranges;
  /** Whether there is more before and after it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The part of a message's text around the first match, or its beginning if only its sender or ID matches. */
export function snippetOf(entry: Listed, terms: readonly Term[]): Snippet {
  const text = shownLine(entry);
  const folded = findTerms(fold(text), terms);
  const limit = (folded[0]?.[0] ?? 0) + LENGTH;
  const found = originalRanges(
    text,
    folded.filter(([from]) => from < limit),
  );
  const first = found[0]?.[0] ?? 0;
  const from = first <= BEFORE ? 0 : wordStart(text, first - BEFORE, first);
  const to = characterStart(text, Math.min(text.length, from + LENGTH));
  return {
    text: text.slice(from, to),
    ranges: found.filter(([start]) => start < to).map(([start, end]) => [start - from, Math.min(end, to) - from]),
    isCutBefore: from > 0,
    isCutAfter: to < text.length,
  };
}

/** The first beginning of a word from one position on, if there's one before the other. */
function wordStart(text: string, from: number, to: number): number {
  // Not with the separator of two lines.
  const space = text.slice(from, to).search(/\s[^\s·]/);
  return space >= 0 ? from + space + 1 : characterStart(text, from);
}

/** Not within a surrogate pair. */
const characterStart = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);
