/** Excerpts of a message with the words that were searched for. Pure. */
import { originalRanges } from '../../markup/caseFolding.ts';
import { findTerms, type Term } from '../../markup/searchTerms.ts';
import { onOneLine, shownParts } from '../../markup/shownText.ts';
import { splitText } from '../../markup/words.ts';
import type { FoundParts, FoundText } from '../../protocol/search.ts';
import type { Listed } from '../../service/message.ts';
import { characterStart, truncate } from '../../service/truncate.ts';

/** How much of a text is shown, and how much of that before the first match (UTF-16 units). */
interface Size {
  readonly length: number;
  readonly before: number;
}

const SAID: Size = { length: 240, before: 60 };
const QUOTED: Size = { length: 120, before: 30 };
/** A name, or the label of a button. */
const SHORT: Size = { length: 40, before: 10 };

/** How many buttons are shown at most. */
const MAX_BUTTONS = 5;

/** Excerpts of what is shown of a message, with the terms that were looked for in its quotation. */
export function excerptsOf(entry: Listed, terms: readonly Term[], quotedTerms = terms): FoundParts {
  const { said, buttons, author, quoted } = shownParts(entry);
  const labels = buttons.filter(Boolean).map((label) => excerptOf(label, terms, SHORT));
  const matchesFirst = labels.toSorted((one, other) => Number(hasMatch(other)) - Number(hasMatch(one)));
  const shown = new Set(matchesFirst.slice(0, MAX_BUTTONS));
  return {
    said: excerptOf(said, terms, SAID),
    author: excerptOf(author, quotedTerms, SHORT),
    quoted: excerptOf(quoted, quotedTerms, QUOTED),
    buttons: labels.filter((label) => shown.has(label)),
    hasMoreButtons: labels.length > MAX_BUTTONS,
  };
}

const hasMatch = ({ ranges }: FoundText) => ranges.length > 0;

/** The part of a text around the first match, or its beginning if there's none. */
function excerptOf(shown: string, terms: readonly Term[], { length, before }: Size): FoundText {
  const text = onOneLine(shown);
  const folded = findTerms(splitText(text), terms);
  const limit = (folded[0]?.[0] ?? 0) + length;
  const found = originalRanges(
    text,
    folded.filter(([from]) => from < limit),
  );
  const first = found[0]?.[0] ?? 0;
  const from = first <= before ? 0 : wordStart(text, first - before, first);
  const to = from + truncate(text.slice(from), length).length;
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
