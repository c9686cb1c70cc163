/** Finds IDs in text. */

/** An ID and its place: offsets in UTF-16 units; `end` is exclusive. */
export interface FoundId {
  id: string;
  start: number;
  end: number;
}

/** Decides which words are IDs. */
export interface IdMatcher {
  /** Matches every possible ID: see {@link candidatePattern}. */
  readonly candidates: RegExp;
  isKnown(id: string): boolean;
  /** Matches words that may be unknown IDs. */
  readonly likely?: { test(word: string): boolean } | undefined;
}

/** How long an ID may be, and how much text around it counts (UTF-16 units). */
const MAX_LENGTH = 128;
const CONTEXT = 128;
/** Text farther from an offset doesn't affect the ID there. */
export const REACH = MAX_LENGTH + CONTEXT;

/** Scripts without spaces between words: an ID may touch their letters. */
const UNSPACED = 'Han Hira Kana Hang Bopo Thai Laoo Khmr Mymr'.replace(
  /\w+ ?/g,
  (script) => `\\p{scx=${script.trim()}}`,
);
const LETTER = `(?:(?![${UNSPACED}])\\p{L}|\\p{Nd})`;
/** A letter or digit (except in an emoji: 7️⃣ ℹ️), a non-ASCII hyphen, or the first half of a decimal. */
const WORD_BEFORE = new RegExp(`${LETTER}\\p{M}*(?<![\\uFE0F\\u20E3])$|[‐‑]$|\\d\\.$`, 'u');
const WORD_AFTER = new RegExp(`^(?:${LETTER}|[\\p{M}‐‑]|\\.\\d)`, 'u');

const ADDRESS_BEFORE = /:\/\/[\w.~:/?#@&=%+-]*$/;
/** Folder names aren't digits alone: `7058314/7102649` is two IDs. */
const PATH_BEFORE = /[A-Za-z_.~-]\d*[/\\]$/;
const FILE_AFTER = /^\.[A-Za-z]/;

/** Text before a number that isn't an ID, but part… */
const PART_BEFORE = [
  // …of a path, a host, a hash, a sign, a time
  /[./\\#+&?%−±]$|\w@$|\d[:–]$/,
  // …of a URL
  ADDRESS_BEFORE,
  /[?&][\w.-]*=$/,
  // …of an amount of money
  /(?:\p{Sc}|\b(?:USD|EUR|CNY|RMB)) ?$/iu,
  // …of a telephone number
  /\+\d[\d ().-]{1,8}$|[(（](?:\+|0|\d\d)\d+[)）] ?$|(?:\b(?:tel|(?:tele)?phone|fax)|电话)[ :：."'=]*$/i,
];
/** Text after such a number: a file name, a mailbox, a path (but not an escape such as \"), a percentage or an amount. */
const PART_AFTER = [
  /^\.\.?[a-z\d]|^[:–]\d|^@\w|^\/(?![/*>])|^\\(?![nrt]?(?:\W|$))/i,
  /^ ?(?:[%％‰]|\p{Sc}(?!\d)|[万亿萬億美日欧港]{0,3}[元圆块円원]|(?:USD|EUR|CNY|RMB)\b)|^[万亿萬億]|^ [万亿萬億](?!\p{L})/iu,
];
/** A number with commas in prose: `1,234,567` or `1234567,89`. In data, no space or letter precedes it. */
const WITH_COMMAS = /^[ \p{L}](?:\d{1,3}(?:,\d{3})+|\d+,\d\d?)(?![\d,])/u;
/** A year and month, optionally with a day and an hour. */
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])?)?$/;

/** Matches words of up to the maximum length, and the given IDs that aren't words. Never matches a part of a longer word. */
export function candidatePattern(ids: Iterable<string>): RegExp {
  const nonWords = [...ids].filter((id) => !/^[\w-]+$/.test(id)).sort((a, b) => b.length - a.length);
  const escaped = nonWords.map((id) => id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return new RegExp(
    `${escaped && `(?<![\\w-])(?:${escaped})(?![\\w-])|`}(?<![\\w-])[\\w-]{1,${MAX_LENGTH}}(?![\\w-])`,
    'gu',
  );
}

/**
 * Languages of prose and data, where people write IDs. A number in a program rarely is one. The last two are log files and output
 * panels.
 */
export const LANGUAGES: readonly string[] = (
  'markdown plaintext restructuredtext asciidoc latex html xml ' +
  'json jsonc jsonl yaml toml ini properties csv tsv log Log'
).split(' ');

/** Whether a document is in any other language. */
export const isProgram = ({ languageId }: { readonly languageId: string }) => !LANGUAGES.includes(languageId);

/** The IDs between two offsets of a text, or touching them, in order. */
export function* findIds(text: string, matcher: IdMatcher, from = 0, to = text.length): Generator<FoundId> {
  for (const { 0: word, index } of text.matchAll(matcher.candidates)) {
    const wordEnd = index + word.length;
    if (index > to) return;
    if (wordEnd < from || word.length > MAX_LENGTH) continue;
    const before = text.slice(Math.max(0, index - CONTEXT), index);
    const after = text.slice(wordEnd, wordEnd + CONTEXT);
    const isId = (text: string) =>
      matcher.isKnown(text) || (matcher.likely?.test(text) && standsAlone(text, before, after));
    // Underscores may be Markdown's emphasis.
    const id = [word, word.replace(/^(__?)([^_]+)\1$/, '$2')].find(isId);
    if (!id || WORD_BEFORE.test(before) || WORD_AFTER.test(after)) continue;
    const start = index + (word.length - id.length) / 2;
    const end = start + id.length;
    if (start <= to && end >= from) yield { id, start, end };
  }
}

/** The ID at an offset of a line. Reads only the text around it, however long the line is. */
export function idAt(line: string, offset: number, matcher: IdMatcher): FoundId | undefined {
  const first = Math.max(0, offset - REACH);
  const at = offset - first;
  const [found] = findIds(line.slice(first, offset + REACH), matcher, at, at);
  return found && { ...found, start: first + found.start, end: first + found.end };
}

/**
 * Whether a known ID is used as an ID: not in a URL or a path, which is a link already: VS Code drops overlapping ones. An
 * ID that could be a word, such as `big`, must be a value: in quotes, in a list or after a key; in programs only in quotes.
 */
export function isValue(text: string, { id, start, end }: FoundId, isProgram = false): boolean {
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  const after = text.slice(end, end + CONTEXT);
  if (ADDRESS_BEFORE.test(before) || PATH_BEFORE.test(before) || FILE_AFTER.test(after)) return false;
  if (/\P{L}/u.test(id)) return true;
  if (isProgram) return /["'`]$/.test(before) && /^["'`]/.test(after);
  return (
    /(?:(?:^|\n)(?:\s*(?:[*+]|\d+[.)])\s)?|[[({<>,:;|"'`=@/“‘「『（【，、：；-])\s*$/.test(before) &&
    /^\s*(?:$|[\n\])}<>,:;|"'`”’」』）】，、：；])/.test(after)
  );
}

function standsAlone(id: string, before: string, after: string): boolean {
  const run = /[ \p{L}][\d,]*$/u.exec(before);
  return !(
    PART_BEFORE.some((part) => part.test(before)) ||
    PART_AFTER.some((part) => part.test(after)) ||
    (run && WITH_COMMAS.test(run[0] + id + after)) ||
    DATE.test(id)
  );
}
