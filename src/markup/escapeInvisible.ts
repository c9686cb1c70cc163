/** Escapes invisible characters, which could reverse, hide or fake the text around them. Pure. */
import { shorten } from '../service/truncate.ts';
import type { ShownText } from './safeText.ts';

/** Scripts whose letters are joined or separated by U+200C and U+200D. */
const JOINING_SCRIPTS =
  'Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Bali Java';
const joiningLetter = `[${JOINING_SCRIPTS.split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`;

/** Joins consonants in Indic scripts. A joiner after it has an effect even at the end of a word. */
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u1039\\u17D2\\u1B44\\uA9C0]';

/** Invisible characters in the places where writing systems and emoji need them. */
const NEEDED = [
  // A subdivision flag: a black flag, its code in tag characters, and a cancel tag.
  '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}',
  `(?<=${joiningLetter})[\\u200C\\u200D](?=${joiningLetter})`,
  `(?<=${VIRAMA})[\\u200C\\u200D]`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  // A variation selector after a visible character.
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
  '(?<=\\p{scx=Mong})[\\u180B-\\u180D\\u180F]',
  // A vowel separator before the last a or e of a Mongolian word.
  '(?<=[\\u1820-\\u1842\\u180B-\\u180D\\u180F])\\u180E(?=[\\u1820\\u1821])',
];

/** In a run of these, only the first can be needed. */
const JOINERS = '[\\u200C\\u200D]';
const SELECTORS = '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]';

/** Control characters except tab and line feed, ignorable characters, and unusual line separators. */
const INVISIBLE = '(?![\\n\\t])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\uFFF9-\\uFFFB]';

const setOf = (...scripts: string[]) => scripts.map((script) => `\\p{scx=${script}}`).join('');
const rightToLeft = setOf('Hebr', 'Arab', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr');
const withoutSpaces = setOf('Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt', 'Java', 'Bali', 'Lana', 'Cham');
const withoutHyphens = setOf('Hani', 'Hira', 'Kana', 'Hang', 'Bopo');

/** What people could misread in an address or a file name, within this many characters. */
const NEAR = '{0,20}';
const NAME_PART = '(?:[\\p{L}\\p{N}\\u00AD][.@\\\\][\\p{L}\\p{N}\\u00AD]|:/|_)';
const OTHER_LETTER = `[^\\P{L}${rightToLeft}]`;
const OTHER_INVISIBLE = `(?!${SELECTORS})${INVISIBLE}`;
const DIRECTION = '[\\u200E\\u200F\\u061C]';

/** Marks in the places where ordinary texts have them. The mark is looked for first, for speed. */
const ORDINARY = [
  // A mark of direction in a line of a script from right to left, unless a word with other letters touches it.
  `(?=${DIRECTION})(?<!${OTHER_INVISIBLE})(?<!${OTHER_LETTER}[^\\p{L}\\s]${NEAR})${DIRECTION}` +
    `(?!${OTHER_INVISIBLE}|[^\\p{L}\\s]${NEAR}${OTHER_LETTER})` +
    `(?:(?<=[${rightToLeft}][^\\p{L}\\n]${NEAR}${DIRECTION})|(?=[^\\p{L}\\n]${NEAR}[${rightToLeft}]))`,
  // Where a line of Thai or Khmer may break. Chinese may break anywhere: there, a break hides words from searches.
  `(?=\\u200B)(?<=[${withoutSpaces}])(?<!${NAME_PART}\\S${NEAR})\\u200B(?=[${withoutSpaces}])(?!\\S${NEAR}${NAME_PART})`,
  // A soft hyphen.
  `(?=\\u00AD)(?<=[^\\P{L}${withoutHyphens}]\\p{M}{0,3})(?<!${NAME_PART}\\S${NEAR})\\u00AD` +
    `(?=[^\\P{L}${withoutHyphens}])(?!\\S${NEAR}${NAME_PART})`,
  // A byte order mark.
  '^\\uFEFF',
];

const anyInvisible = new RegExp(INVISIBLE, 'u');
/** Matched in runs for speed. After the first of its kind none is needed, except for Mongolian selectors. */
const unneeded = [
  `(?:(?![\\u180B-\\u180D\\u180F]|${JOINERS}|${SELECTORS})${INVISIBLE}){1,500}`,
  `${JOINERS}{1,500}`,
  `${SELECTORS}{1,500}`,
  INVISIBLE,
];
/** Created when a text first needs it: that takes longer than loading all the rest of a page. */
const patterns = new Map<readonly string[], RegExp>();

function patternOf(kept: readonly string[]): RegExp {
  const pattern = patterns.get(kept) ?? new RegExp(`(${kept.join('|')})|${unneeded.join('|')}`, 'gu');
  patterns.set(kept, pattern);
  return pattern;
}

const KEPT_IN_TEXT = [...NEEDED, ...ORDINARY];

/**
 * Replaces the invisible characters of a text (control, bidirectional control, zero width) with their code points, such
 * as `⟨U+202E⟩`. Joiners stay where a script or an emoji needs them, and marks where ordinary texts have them. CR LF
 * becomes LF.
 */
export const escapeInvisible = (text: string) => escapeExcept(KEPT_IN_TEXT, text);

/** Like {@link escapeInvisible}, for text that is inserted into another one: only at the beginning is a byte order mark ordinary. */
export const escapeInserted = (text: string) => escapeInvisible(text).replace(/^\uFEFF/, '⟨U+FEFF⟩') as ShownText;

/**
 * Like {@link escapeInvisible}, but only joiners stay. For names, IDs, addresses, code and data, where a mark without any
 * effect would tell apart two that look alike.
 */
export const escapeAllInvisible = (text: string) => escapeExcept(NEEDED, text);

function escapeExcept(kept: readonly string[], text: string): ShownText {
  if (!anyInvisible.test(text)) return text as ShownText;
  const escapes = new Map<string, string>();
  return text
    .replace(/\r\n/g, '\n')
    .replace(patternOf(kept), (found, needed?: string) => needed ?? escapeRun(found, escapes)) as ShownText;
}

/** Removes the characters that {@link escapeAllInvisible} replaces. */
export function removeInvisible(text: string): ShownText {
  if (!anyInvisible.test(text)) return text as ShownText;
  return text.replace(patternOf(NEEDED), (_, needed?: string) => needed ?? '') as ShownText;
}

/** `escapes` holds the characters already escaped in this text, which may repeat a million times. */
function escapeRun(run: string, escapes: Map<string, string>): string {
  let escaped = '';
  for (const character of run) {
    let code = escapes.get(character);
    if (code === undefined) {
      code = `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`;
      escapes.set(character, code);
    }
    escaped += code;
  }
  return escaped;
}

/**
 * The first `length` UTF-16 units of a name or another short text on one line, with an ellipsis if more follows. The text
 * of a message is passed with {@link escapeInvisible}.
 */
export const excerpt = (text: string, length = 300, edit = escapeAllInvisible, separator?: string) =>
  shorten(text, length, (start) => edit(start.replace(/\s+/g, ' ')), separator) as ShownText;

/** The first `length` UTF-16 units of a text that was made to be shown, with an ellipsis if more follows. */
export const shortenShown = (text: ShownText, length: number) =>
  shorten(text, length, (start) => start.trimEnd()) as ShownText;

/** A part of a text, if there is one. */
export type Part = string | false | 0 | undefined;

/** Joins the parts that aren't empty, each escaped. */
export const joinShown = (parts: readonly Part[], between: ShownText | ' ' | ' · ' | '\n' | '\n\n') =>
  parts.flatMap((part) => (part ? escapeInserted(part) : [])).join(between) as ShownText;

/** The first `length` UTF-16 units of a text with all its lines. */
export const visibleText = (text: string, length: number) => shorten(text, length, escapeInvisible) as ShownText;

const anyRightToLeft = new RegExp(`[${rightToLeft}]`, 'u');

/** What ends a name: otherwise a number next to a right-to-left one would be displayed inside it. */
export const endOfRightToLeft = (name: string) => (anyRightToLeft.test(name) ? '\u200E' : '') as ShownText;

/** Where a comma, or an ID in parentheses, follows a right-to-left name. It would be displayed on the name's other side. */
const afterName = new RegExp(`(?<=[${rightToLeft}])(?=\\s?[(（,，、])`, 'gu');

/** Ends the right-to-left names in a text. */
export const endNames = (text: ShownText) => text.replace(afterName, '\u200E') as ShownText;

/** How many items of a list are shown where about `limit` have room: the last one rather than “and 1 more” in its place. */
export const shownCount = (total: number, limit: number) => (total === limit + 1 ? total : Math.min(total, limit));

/** Keeps a number and its Chinese measure word on one line: `7 个聊天`. */
export const keepCounts = <T extends string>(text: T) =>
  text.replace(/(?<=\d) (?=[个条位名行项次天年月日分秒种处份])/g, '\u00A0') as T;
