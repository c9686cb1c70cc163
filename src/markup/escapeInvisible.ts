/** What cannot be seen in a text, made visible: it could turn, hide or fake the words around it. Pure. */

/** Scripts whose letters join, or are kept apart, by U+200C and U+200D. */
const JOINING = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Adlm', 'Rohg', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml'],
  ...['Telu', 'Knda', 'Mlym', 'Sinh', 'Tibt', 'Mymr', 'Khmr', 'Bali', 'Java'],
];
const letter = `[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}]`;

/** The sign that joins consonants in Indic scripts; a joiner behind it shapes it even at the end of a word. */
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u1039\\u17D2\\u1B44\\uA9C0]';

/** Invisible characters where writing needs them. */
const NEEDED = [
  // The flag of a part of a country: a black flag, its name in tags, and the tag that ends it.
  '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}',
  `(?<=${letter})[\\u200C\\u200D](?=${letter})`,
  `(?<=${VIRAMA})[\\u200C\\u200D]`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  // How the one visible character before it is drawn.
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
  '(?<=\\p{scx=Mong})[\\u180B-\\u180D\\u180F]',
].join('|');

/** What none of these matches behind one of its own kind. */
const JOINERS = '[\\u200C\\u200D]';
const SELECTORS = '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]';

/** Controls but tab and line feed, what is drawn as nothing, and line ends that are not drawn as such. */
const UNSEEN = '(?![\\n\\t])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\uFFF9-\\uFFFB]';

const anyUnseen = new RegExp(UNSEEN, 'u');
/** In runs, for a text may consist of them. Each behind the first of its kind is unneeded, but for Mongolian ones. */
const unneeded = [
  `(?:(?![\\u180B-\\u180D\\u180F]|${JOINERS}|${SELECTORS})${UNSEEN}){1,500}`,
  `${JOINERS}{1,500}`,
  `${SELECTORS}{1,500}`,
  UNSEEN,
];
const neededOrUnseen = new RegExp(`(${NEEDED})|${unneeded.join('|')}`, 'gu');

/**
 * The text with a mark such as `⟨U+202E⟩` for each character that is not seen: controls, bidirectional controls, what
 * has no width. Joiners stay where a script or an emoji needs them. CR LF becomes LF.
 */
export function escapeInvisible(text: string): string {
  if (!anyUnseen.test(text)) return text;
  return text.replace(/\r\n/g, '\n').replace(neededOrUnseen, (found, needed?: string) => needed ?? marksOf(found));
}

/** There are few thousands of them. */
const marks = new Map<string, string>();

function marksOf(run: string): string {
  let marked = '';
  for (const character of run) {
    let mark = marks.get(character);
    if (mark === undefined) {
      mark = `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`;
      marks.set(character, mark);
    }
    marked += mark;
  }
  return marked;
}

/** The start of a text, at most this long (UTF-16 units), on one line, with an ellipsis where more follows. */
export function excerpt(text: string, length = 300): string {
  return escapeInvisible(truncate(text, length).replace(/\s+/g, ' ')) + (text.length > length ? '…' : '');
}

/** The start of a text, cut at a line's end where one is near, and never within a character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const line = text.lastIndexOf('\n', length);
  if (line > length / 2) return text.slice(0, line);
  // A high surrogate at the end has lost its other half.
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
