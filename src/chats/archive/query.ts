/** What a search looks for. Pure. */
import { fold } from '../../markup/caseFolding.ts';
import { showEmojiCodes } from '../../markup/emojiCodes.ts';
import { type Phrase, phraseOf, type Run, runsOf } from './words.ts';

/** One part of a query that a message must contain, or must not. */
export interface Term {
  readonly runs: readonly Run[];
  readonly phrase: Phrase;
  readonly isExcluded: boolean;
}

/** A term in quotation marks, or one up to the next space. A quotation without an end lasts to the end of the query. */
const TERM = /(-?)(?:["“”]([^"“”]*)(["“”]?)|(\S+))/g;

/**
 * Parses a query: words, `"exact phrases"`, `beginnings*`, `-excluded`. Characters of a term that aren't separated by a
 * space are a phrase. A word at the very end is still being typed, so it may be only the beginning of one. Terms without
 * letters, digits or emoji are ignored, and so are repeated ones. Emoji are also found by their codes.
 */
export function parseQuery(text: string): Term[] {
  const query = showEmojiCodes(text).replaceAll('\u3000', ' ');
  const terms = Array.from(query.matchAll(TERM), ({ 0: whole, 1: minus, 2: quoted, 3: end, 4: plain, index }) => {
    const term = quoted ?? plain ?? '';
    const runs = [...runsOf(fold(term))];
    const isUnfinished = index + whole.length === query.length && !end && /[\p{L}\p{N}\p{M}]$/u.test(term);
    const phrase = phraseOf(runs, isUnfinished || (plain?.endsWith('*') ?? false));
    return phrase && { runs, phrase, isExcluded: minus !== '' };
  }).filter((term) => term !== undefined);
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

const keyOf = ({ phrase, isExcluded, runs }: Term) =>
  JSON.stringify([isExcluded, phrase.isPrefix, runs.map(({ text }) => text)]);
