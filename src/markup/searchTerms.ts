/** The terms that a search looks for, and where a text has them: to search without an index, to highlight, to alert. Pure. */
import { fold } from './caseFolding.ts';
import { showEmojiCodes } from './emojiCodes.ts';
import { type Phrase, phraseOf, type Run, splitFolded } from './words.ts';

/** One part of a query that a message must contain, or must not. */
export interface Term {
  readonly runs: readonly Run[];
  readonly phrase: Phrase;
  readonly isExcluded: boolean;
  /** The folded term if it has signs besides its words, as `C++`. The index has only words, so a search ignores them. */
  readonly withSigns?: string;
}

/** A term in quotation marks, or one up to the next space. A quotation without an end lasts to the end of the query. */
const TERM = /(-?)(?:["“”]([^"“”]*)(["“”]?)|(\S+))/g;

/** A character that is neither a part of a word nor white space. */
const SIGN = /[^\p{L}\p{N}\p{M}\p{Regional_Indicator}\p{Extended_Pictographic}\s]/u;

/** Characters with a meaning in a query, as an input method for Chinese may write them: space, quotation mark, star, minus. */
const WIDE = /[\u3000＂＊－]/g;

/**
 * Parses a query: words, `"exact phrases"`, `beginnings*`, `-excluded`. Characters of a term that aren't separated by a
 * space are a phrase. A word at the very end is still being typed, so it may be only the beginning of one. Terms without
 * letters, digits or emoji are ignored, and so are repeated ones. Emoji are also found by their codes.
 */
export function parseQuery(text: string): Term[] {
  const query = showEmojiCodes(text).replace(WIDE, (wide) => wide.normalize('NFKC'));
  const terms = Array.from(query.matchAll(TERM), ({ 0: whole, 1: minus, 2: quoted, 3: end, 4: plain, index }) => {
    // A star is part of the query.
    const term = quoted ?? plain?.replace(/^\*+|(?<!\*)\*+$/g, '') ?? '';
    const folded = fold(term);
    const runs = splitFolded(folded);
    const isUnfinished = index + whole.length === query.length && !end && /[\p{L}\p{N}\p{M}]$/u.test(whole);
    const phrase = phraseOf(runs, isUnfinished || (plain?.endsWith('*') ?? false));
    return phrase && { runs, phrase, isExcluded: minus !== '', ...(SIGN.test(folded) && { withSigns: folded }) };
  }).filter((term) => term !== undefined);
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

const keyOf = ({ phrase, isExcluded, runs, withSigns }: Term) =>
  JSON.stringify([isExcluded, phrase.isPrefix, runs.map(({ text }) => text), withSigns]);

/** Whether a text, already split, contains all terms that aren't excluded and none that is. */
export function matchesAll(runs: readonly Run[], terms: readonly Term[]): boolean {
  return terms.every((term) => matchesIn(runs, term).next().done === term.isExcluded);
}

/** Like {@link matchesAll}, but terms with signs are found with them only. `folded` is the text that was split. */
export function matchesAllSigns(folded: string, runs: readonly Run[], terms: readonly Term[]): boolean {
  return terms.every((term) => {
    const { isExcluded, runs: wanted, withSigns } = term;
    const { text = '', index = 0 } = wanted[0] ?? {};
    // Mostly, the term isn't in the text at all, which takes a hundredth of the time to find.
    if (!folded.includes(withSigns ?? text)) return isExcluded;
    for (const [start] of matchesIn(runs, term)) {
      if (withSigns === undefined || folded.startsWith(withSigns, start - index)) return !isExcluded;
    }
    return isExcluded;
  });
}

/** How many terms are marked: more than a person can look for in an excerpt. A whole message may have been pasted as a query. */
const MAX_MARKED = 100;

/**
 * Where the first terms that aren't excluded are in a text that is already split: starts and ends in the folded text, in
 * order, not overlapping.
 */
export function findTerms(runs: readonly Run[], terms: readonly Term[]): [start: number, end: number][] {
  const marked = terms.filter(({ isExcluded }) => !isExcluded).slice(0, MAX_MARKED);
  const found = marked.flatMap((term) => [...matchesIn(runs, term)]);
  const ranges: [number, number][] = [];
  for (const [start, end] of found.sort(([one], [other]) => one - other)) {
    const last = ranges.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

function* matchesIn(runs: readonly Run[], { runs: wanted, phrase }: Term): Generator<[start: number, end: number]> {
  const [first] = wanted;
  if (!first) return;
  for (const [at, run] of runs.entries()) {
    if (wanted.length === 1 && first.isPaired) {
      if (!run.isPaired) continue;
      for (let from = run.text.indexOf(first.text); from >= 0; from = run.text.indexOf(first.text, from + 1)) {
        yield [run.index + from, run.index + from + first.text.length];
      }
      continue;
    }
    const end = endOfPhrase(runs, at, wanted, phrase.isPrefix);
    if (end === undefined) continue;
    const start = first.isPaired ? run.text.length - first.text.length : 0;
    yield [run.index + start, end];
  }
}

/** Where a phrase that begins in one of the runs of a text ends; undefined if none does. */
function endOfPhrase(runs: readonly Run[], at: number, wanted: readonly Run[], isPrefix: boolean): number | undefined {
  let end: number | undefined;
  for (const [index, one] of wanted.entries()) {
    const run = runs[at + index];
    const isLast = index === wanted.length - 1;
    end = run && endOf(run, one, { isFirst: index === 0, isLast, isPrefix });
    // Mostly, even the first run of the phrase isn't here.
    if (end === undefined) return undefined;
  }
  return end;
}

/** Where one run of a phrase ends in a text; undefined if it isn't there. */
function endOf(
  { text, isPaired, index }: Run,
  wanted: Run,
  { isFirst, isLast, isPrefix }: { isFirst: boolean; isLast: boolean; isPrefix: boolean },
): number | undefined {
  if (isPaired !== wanted.isPaired) return undefined;
  const mayContinue = isLast && (isPaired || isPrefix);
  const isFound = mayContinue
    ? text.startsWith(wanted.text)
    : isFirst && isPaired
      ? text.endsWith(wanted.text)
      : text === wanted.text;
  if (!isFound) return undefined;
  return index + (mayContinue && isPaired ? wanted.text.length : text.length);
}
