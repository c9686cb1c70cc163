/** Finding IDs in text. */

/** An ID and where it stands: offsets in UTF-16 units, the end not included. */
export interface FoundId {
  id: string;
  start: number;
  end: number;
}

/** What an ID looks like. */
export interface IdMatcher {
  /** Finds all that may be one, as {@link candidatePattern} has it. */
  readonly candidates: RegExp;
  isKnown(id: string): boolean;
  /** Matches words that may be one though they are not known. */
  readonly likely?: { test(word: string): boolean } | undefined;
}

/** How long an ID may be, and how far around it decides whether it stands alone (UTF-16 units). */
const MAX_LENGTH = 128;
const CONTEXT = 128;
/** More than this around a place says nothing of an ID that is there. */
export const REACH = MAX_LENGTH + CONTEXT;

/** Languages whose words have no spaces between them: an ID may touch those. */
const UNSPACED = 'Han Hira Kana Hang Bopo Thai Laoo Khmr Mymr'.replace(
  /\w+ ?/g,
  (script) => `\\p{scx=${script.trim()}}`,
);
const LETTER = `(?:(?![${UNSPACED}])\\p{L}|\\p{Nd})`;
/** A letter or digit before a word (but not as an emoji: 7️⃣ ℹ️), a hyphen that is not ASCII, the first half of a decimal. */
const WORD_BEFORE = new RegExp(`${LETTER}\\p{M}*(?<![\\uFE0F\\u20E3])$|[‐‑]$|\\d\\.$`, 'u');
const WORD_AFTER = new RegExp(`^(?:${LETTER}|[\\p{M}‐‑]|\\.\\d)`, 'u');

const ADDRESS_BEFORE = /:\/\/[\w.~:/?#@&=%+-]*$/;
/** Names of folders and files are not digits alone: `7058314/7102649` are two IDs. */
const PATH_BEFORE = /[A-Za-z_.~-]\d*[/\\]$/;
const FILE_AFTER = /^\.[A-Za-z]/;

/** What stands before a number that is a part or an amount of something… */
const PART_BEFORE = [
  // …of a path, a host, a hash, a sign, a time
  /[./\\#+&?%−±]$|\w@$|\d[:–]$/,
  // …of an address
  ADDRESS_BEFORE,
  /[?&][\w.-]*=$/,
  // …of money
  /(?:\p{Sc}|\b(?:USD|EUR|CNY|RMB)) ?$/iu,
  // …of a telephone number
  /\+\d[\d ().-]{1,8}$|[(（](?:\+|0|\d\d)\d+[)）] ?$|(?:\b(?:tel|(?:tele)?phone|fax)|电话)[ :：."'=]*$/i,
];
/** And after: a file's name, a mailbox, a path (but no escape, as in \"), shares and amounts. */
const PART_AFTER = [
  /^\.\.?[a-z\d]|^[:–]\d|^@\w|^\/(?![/*>])|^\\(?![nrt]?(?:\W|$))/i,
  /^ ?(?:[%％‰]|\p{Sc}(?!\d)|[万亿萬億美日欧港]{0,3}[元圆块円원]|(?:USD|EUR|CNY|RMB)\b)|^[万亿萬億]|^ [万亿萬億](?!\p{L})/iu,
];
/** A number of prose with commas: `1,234,567` or `1234567,89`. Of data it would follow no space or letter. */
const WITH_COMMAS = /^[ \p{L}](?:\d{1,3}(?:,\d{3})+|\d+,\d\d?)(?![\d,])/u;
/** A year and a month, with a day, with an hour. */
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])?)?$/;

/** Words as long as an ID may be, and those of the IDs that are none. A longer word is no match, nor what is in it. */
export function candidatePattern(ids: Iterable<string>): RegExp {
  const others = [...ids].filter((id) => !/^[\w-]+$/.test(id)).sort((a, b) => b.length - a.length);
  const odd = others.map((id) => id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return new RegExp(`${odd && `(?<![\\w-])(?:${odd})(?![\\w-])|`}(?<![\\w-])[\\w-]{1,${MAX_LENGTH}}(?![\\w-])`, 'gu');
}

/** Languages of prose and data, where people write IDs. A number in a program rarely is one. */
export const LANGUAGES: readonly string[] = [
  ...['markdown', 'plaintext', 'restructuredtext', 'asciidoc', 'latex', 'html', 'xml'],
  ...['json', 'jsonc', 'jsonl', 'yaml', 'toml', 'ini', 'properties', 'csv', 'tsv'],
  // Log files and output panels.
  ...['log', 'Log'],
];

/** Whether a document is in any other language. */
export const isProgram = ({ languageId }: { readonly languageId: string }) => !LANGUAGES.includes(languageId);

/** The IDs that stand between two offsets of a text, or touch them, in the order in which they stand. */
export function* findIds(text: string, shapes: IdMatcher, from = 0, to = text.length): Generator<FoundId> {
  for (const { 0: word, index } of text.matchAll(shapes.candidates)) {
    const past = index + word.length;
    if (index > to) return;
    if (past < from || word.length > MAX_LENGTH) continue;
    const before = text.slice(Math.max(0, index - CONTEXT), index);
    const after = text.slice(past, past + CONTEXT);
    const isId = (form: string) =>
      shapes.isKnown(form) || (shapes.likely?.test(form) && standsAlone(form, before, after));
    // Underscores may be Markdown's emphasis.
    const id = [word, word.replace(/^(__?)([^_]+)\1$/, '$2')].find(isId);
    if (!id || WORD_BEFORE.test(before) || WORD_AFTER.test(after)) continue;
    const start = index + (word.length - id.length) / 2;
    const end = start + id.length;
    if (start <= to && end >= from) yield { id, start, end };
  }
}

/** The ID at an offset of a line, of which no more is looked at than what stands around, however long it is. */
export function idAt(line: string, offset: number, shapes: IdMatcher): FoundId | undefined {
  const first = Math.max(0, offset - REACH);
  const at = offset - first;
  const [found] = findIds(line.slice(first, offset + REACH), shapes, at, at);
  return found && { ...found, start: first + found.start, end: first + found.end };
}

/**
 * Whether a known ID is meant where it stands: not as a part of an address or a path; and one that could be a word, such
 * as `big`, as a value: in quotes, in a list or after a key, and in programs in quotes alone.
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
