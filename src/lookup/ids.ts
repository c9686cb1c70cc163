/** Finding IDs in text. */

/** An ID and where it stands: offsets in UTF-16 units, the end not included. */
export interface FoundId {
  id: string;
  start: number;
  end: number;
}

/** What an ID looks like. */
export interface Shapes {
  /** Finds all that may be one, as {@link wordsAnd} has it. */
  readonly candidates: RegExp;
  isKnown(id: string): boolean;
  /** Matches words that may be one though they are not known. */
  readonly likely?: RegExp | undefined;
}

/** 6 to 10 digits: the lengths that were observed for users, bots and groups. */
export const DEFAULT_PATTERN = '[0-9]{6,10}';

/** How far around an offset characters are looked at, and how long an ID may be (UTF-16 units). */
const REACH = 256;
const LONGEST = 128;
/** What stands closer than this decides whether an ID stands alone. */
const NEAR = 16;

/** Languages whose words have no spaces between them: an ID may touch those. */
const UNSPACED = 'Han Hira Kana Hang Bopo Thai Laoo Khmr Mymr'.replace(
  /\w+ ?/g,
  (script) => `\\p{scx=${script.trim()}}`,
);
const WORD_BEFORE = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{Nd}]\\p{M}*$`, 'u');
const WORD_AFTER = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{Nd}]|^\\p{M}`, 'u');

/** Before a number that is a part or an amount of something: of a decimal, a path, a hash, a price, a time, a telephone number. */
const PART_BEFORE =
  /[./\\#+&?%−]$|[$€£¥₩₹]\s?$|[?&;][\w.-]*=$|\w@$|\d[:–]$|\s\d{1,3},$|\+\d{1,3}[ .-]$|\(\+?\d{1,5}\) ?$|\btel: ?$/i;
/** After such a number, or the name of a file, a host or a mailbox. */
const PART_AFTER = /^\.[a-z\d]|^[:–]\d|^[/\\]|^@\w|^\s?[%‰€£¥₩₹元圆円원万亿萬億]|^,\d\d?(?![\d,\]])/i;
/** A year and a month, with a day, with an hour. */
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])?)?$/;

/** Words, and those of the IDs that are none. */
export function wordsAnd(ids: Iterable<string>): RegExp {
  const others = [...ids].filter((id) => !/^[\w-]+$/.test(id)).sort((a, b) => b.length - a.length);
  const odd = others.map((id) => id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return new RegExp(`${odd && `(?<![\\w-])(?:${odd})(?![\\w-])|`}[\\w-]+`, 'g');
}

/** Words of which a person said what they look like. @throws SyntaxError */
export const wordsLike = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');

/** The IDs that stand between two offsets of a text, or touch them, in the order in which they stand. */
export function* findIds(text: string, shapes: Shapes, from = 0, to = text.length): Generator<FoundId> {
  for (const match of text.matchAll(shapes.candidates)) {
    const [id] = match;
    const start = match.index;
    const end = start + id.length;
    if (start > to) return;
    if (end < from || id.length > LONGEST) continue;
    const before = text.slice(Math.max(0, start - NEAR), start);
    const after = text.slice(end, end + NEAR);
    const isId = shapes.isKnown(id) || (shapes.likely?.test(id) && standsAlone(id, before, after));
    if (isId && !WORD_BEFORE.test(before) && !WORD_AFTER.test(after)) yield { id, start, end };
  }
}

/** The ID at an offset of a line, of which no more is looked at than what stands around, however long it is. */
export function idAt(line: string, offset: number, shapes: Shapes): FoundId | undefined {
  const first = Math.max(0, offset - REACH);
  const at = offset - first;
  const [found] = offset > line.length ? [] : findIds(line.slice(first, offset + REACH), shapes, at, at);
  return found && { ...found, start: first + found.start, end: first + found.end };
}

/** Whether an ID that could be a word, such as `big`, stands as a value does: in quotes, in a list or after a key. */
export function standsAsValue(text: string, { id, start, end }: FoundId): boolean {
  return (
    /[^A-Za-z]/.test(id) ||
    (/(?:^|[[({<,:;|"'`=@/-])\s*$/.test(text.slice(Math.max(0, start - NEAR), start)) &&
      /^\s*(?:$|[\])}>,:;|"'`])/.test(text.slice(end, end + NEAR)))
  );
}

function standsAlone(id: string, before: string, after: string): boolean {
  return !PART_BEFORE.test(before) && !PART_AFTER.test(after) && !DATE.test(id);
}
