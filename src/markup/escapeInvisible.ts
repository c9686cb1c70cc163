/** Escapes invisible characters, which could reverse, hide or fake the text around them. Pure. */

/** Scripts whose letters are joined or separated by U+200C and U+200D. */
const JOINING_SCRIPTS = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Adlm', 'Rohg', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml'],
  ...['Telu', 'Knda', 'Mlym', 'Sinh', 'Tibt', 'Mymr', 'Khmr', 'Bali', 'Java'],
];
const joiningLetter = `[${JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;

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
].join('|');

/** In a run of these, only the first can be needed. */
const JOINERS = '[\\u200C\\u200D]';
const SELECTORS = '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]';

/** Control characters except tab and line feed, ignorable characters, and unusual line separators. */
const INVISIBLE = '(?![\\n\\t])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\uFFF9-\\uFFFB]';

const anyInvisible = new RegExp(INVISIBLE, 'u');
/** Matched in runs for speed. After the first of its kind none is needed, except for Mongolian selectors. */
const unneeded = [
  `(?:(?![\\u180B-\\u180D\\u180F]|${JOINERS}|${SELECTORS})${INVISIBLE}){1,500}`,
  `${JOINERS}{1,500}`,
  `${SELECTORS}{1,500}`,
  INVISIBLE,
];
/** Created when a text first needs it: that takes longer than loading all the rest of a page. */
let neededOrInvisible: RegExp | undefined;

/**
 * Replaces each invisible character (control, bidirectional control, zero width) with its code point, such as
 * `⟨U+202E⟩`. Joiners stay where a script or an emoji needs them. CR LF becomes LF.
 */
export function escapeInvisible(text: string): string {
  if (!anyInvisible.test(text)) return text;
  neededOrInvisible ??= new RegExp(`(${NEEDED})|${unneeded.join('|')}`, 'gu');
  const escapes = new Map<string, string>();
  return text
    .replace(/\r\n/g, '\n')
    .replace(neededOrInvisible, (found, needed?: string) => needed ?? escapeRun(found, escapes));
}

/** Removes the characters that {@link escapeInvisible} replaces. */
export function removeInvisible(text: string): string {
  if (!anyInvisible.test(text)) return text;
  neededOrInvisible ??= new RegExp(`(${NEEDED})|${unneeded.join('|')}`, 'gu');
  return text.replace(neededOrInvisible, (_, needed?: string) => needed ?? '');
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

/** The first `length` UTF-16 units of a text on one line, with an ellipsis if more follows. */
export const excerpt = (text: string, length = 300) => shorten(text, length, (start) => start.replace(/\s+/g, ' '));

/** Like {@link excerpt}, with all lines. */
export const visibleText = (text: string, length: number) => shorten(text, length, (start) => start);

function shorten(text: string, length: number, edit: (start: string) => string): string {
  const start = truncate(text, length);
  // Escapes are longer than what they replace.
  const escaped = escapeInvisible(edit(start));
  const shown = truncate(escaped, length);
  return start.length < text.length || shown.length < escaped.length ? `${shown}…` : shown;
}

/** At most `length` UTF-16 units of a text, cut at a line break if one is near, and never within a character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const line = text.lastIndexOf('\n', length);
  if (line > length / 2) return text.slice(0, line);
  // Drop half a surrogate pair.
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
