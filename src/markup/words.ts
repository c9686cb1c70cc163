/**
 * Splits text into the tokens of the index. Scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer,
 * Burmese) and Korean are indexed as pairs of characters, all others as words. SQLite's own trigrams can't find words of two
 * characters. Pure.
 */
import { fold } from './caseFolding.ts';

const PAIRED_SCRIPTS = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr'];
/** A letter, digit or mark of a script that is indexed as pairs. */
const PAIRED = `(?=[\\p{L}\\p{N}\\p{M}])[${PAIRED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;

/** Longer words count as several of this length (in characters): the index has a limit for a token. */
const MAX_WORD = 64;

const RUN = new RegExp(
  [
    `((?:${PAIRED})+)`,
    String.raw`(?:(?!${PAIRED})[\p{L}\p{N}\p{M}]){1,${MAX_WORD}}`,
    String.raw`\p{Regional_Indicator}{2}|\p{Extended_Pictographic}`,
  ].join('|'),
  'gu',
);

/** Consecutive characters between two separators, or where the kind of script changes. */
export interface Run {
  /** Folded: without differences of case, width and accents. */
  readonly text: string;
  /** Whether it's indexed as pairs of characters. */
  readonly isPaired: boolean;
  /** Where it starts in the folded text (UTF-16 units). */
  readonly index: number;
}

/** The runs of a text, for all that is looked for in it. Everything else, such as punctuation, only separates them. */
export const splitText = (text: string): Run[] => splitFolded(fold(text));

export const splitFolded = (folded: string): Run[] =>
  Array.from(folded.matchAll(RUN), ({ 0: run, 1: paired, index }) => ({
    text: run,
    isPaired: paired !== undefined,
    index,
  }));

/** The tokens of a text, in order. */
export function tokensOf(text: string): string[] {
  return splitText(text).flatMap((run) => (run.isPaired ? [...pairsOf(run), lastOf(run)] : run.text));
}

/** Tokens that are next to each other in every text that contains them, and only there. */
export interface Phrase {
  readonly tokens: readonly string[];
  /** Whether the last token may be only the beginning of one in the text. */
  readonly isPrefix: boolean;
}

/**
 * The phrase that finds runs next to each other: words as a whole, paired characters anywhere in theirs. With `isPrefix`,
 * the last word may be only the beginning of one. Undefined if there are no runs.
 */
export function phraseOf(runs: readonly Run[], isPrefix: boolean): Phrase | undefined {
  const last = runs.at(-1);
  if (!last) return undefined;
  // The text continues after a run that isn't the last one: its last character ends its run there, too.
  const before = runs.slice(0, -1).flatMap((run) => (run.isPaired ? [...pairsOf(run), lastOf(run)] : run.text));
  if (!last.isPaired) return { tokens: [...before, last.text], isPrefix };
  const pairs = pairsOf(last);
  // A single character begins a pair, or is the last one of its run.
  return pairs.length > 0
    ? { tokens: [...before, ...pairs], isPrefix: false }
    : { tokens: [...before, last.text], isPrefix: true };
}

function pairsOf({ text }: Run): string[] {
  const characters = [...text];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

const lastOf = ({ text }: Run) => [...text].at(-1) ?? '';
