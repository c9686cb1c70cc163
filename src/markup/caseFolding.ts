/** Case folding for search, used to find matches and to highlight them. Pure. */

/**
 * The code by which an invisible character is shown; white space; a character with its combining marks or its skin tone, or
 * the parts of a syllable. 30 are enough for any script.
 */
const CLUSTER =
  /⟨U\+(?:10|[0-9A-F])?[0-9A-F]{4}⟩|[^\S\uFEFF]+|.[\p{M}\p{Emoji_Modifier}\u1160-\u11FF\uFF9E\uFF9F]{0,30}/gsu;

/** Clusters other than a plain ASCII or Chinese character, or a single space. */
const SPECIAL =
  /⟨U\+(?:10|[0-9A-F])?[0-9A-F]{4}⟩|[^\S\uFEFF]{2,}|[^\S \uFEFF]|[^\x20-\x7E\u3400-\u9FFF][\p{M}\p{Emoji_Modifier}\u1160-\u11FF\uFF9E\uFF9F]{0,30}|\S[\p{M}\p{Emoji_Modifier}\u1160-\u11FF\uFF9E\uFF9F]{1,30}/gsu;

/** Accents of Latin, Greek and Cyrillic letters; vowels, points and other marks of Arabic, Hebrew and Syriac. */
const ACCENTS =
  /(?=\p{Mn})[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20F0\uFE20-\uFE2F\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}]/gu;
/** Characters that aren't seen, such as soft hyphens, the stroke that only widens Arabic words, and skin tones. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\uFFF9-\uFFFB\u0640]/gu;

/** Letters and punctuation that Unicode doesn't decompose, each with what people type for it in one of their alphabets. */
const TYPED = [
  'đ d, ħ h, ł l, ø o, ŧ t, æ ae, œ oe, ς σ, ىی ي, ک ك, ةەہ ه',
  // Letters of Malayalam that were once written with a joiner.
  'ൺ ണ്, ൻ ന്, ർ ര്, ൽ ല്, ൾ ള്, ൿ ക്',
  `‘’‚‛ʹʻʼʽ׳ ', “”„‟״ ", ‐‒–—―−־ -, ⁄ /`,
].join(', ');

/** The zeros of other scripts. Their other digits follow. */
const ZEROS = '٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰';

const TYPED_AS: ReadonlyMap<string, string> = new Map([
  ...TYPED.split(', ').flatMap((pair) => {
    const [characters = '', typed = ''] = pair.split(' ');
    return Array.from(characters, (character) => [character, typed] as const);
  }),
  ...Array.from(ZEROS, (zero) =>
    Array.from('0123456789', (digit) => [String.fromCharCode(zero.charCodeAt(0) + Number(digit)), digit] as const),
  ).flat(),
]);

/**
 * Removes what people don't tell apart when they search: differences of case, accents, vowel marks, width and white
 * space, between quotation marks or dashes, between the digits of all scripts, between other compatible forms of a
 * character, and characters that aren't seen, nor the skin tones of emoji.
 */
export function fold(text: string): string {
  return text.replace(SPECIAL, foldCluster).toLowerCase();
}

/** Starts and ends in a text (UTF-16 units), in order and without overlaps. */
export type Ranges = [start: number, end: number][];

/**
 * Where a folded query matches a text. There's a match exactly if the folded text contains the query. A match of part of
 * a character covers the whole character.
 */
export function rangesOf(text: string, query: string): Ranges {
  const folded = fold(text);
  const found: Ranges = [];
  for (let at = query ? folded.indexOf(query) : -1; at >= 0; at = folded.indexOf(query, at + query.length)) {
    found.push([at, at + query.length]);
  }
  return originalRanges(text, found);
}

/** The ranges in a text that ranges in its folded text come from. None of these may be empty. */
export function originalRanges(text: string, foldedRanges: Readonly<Ranges>): Ranges {
  const ranges: Ranges = [];
  const clusters = clustersOf(text);
  let cluster = { start: 0, end: 0, foldedEnd: 0 };
  const clusterAt = (position: number) => {
    while (position >= cluster.foldedEnd) {
      const { value, done } = clusters.next();
      if (done) return { start: text.length, end: text.length };
      cluster = value;
    }
    return cluster;
  };
  for (const [from, to] of foldedRanges) {
    const start = Math.max(ranges.at(-1)?.[1] ?? 0, clusterAt(from).start);
    const { end } = clusterAt(to - 1);
    if (start < end) ranges.push([start, end]);
  }
  return ranges;
}

/** The range of each cluster in the text, and its end in the folded text. */
function* clustersOf(text: string) {
  let foldedEnd = 0;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    foldedEnd += foldCluster(cluster).length;
    yield { start: index, end: index + cluster.length, foldedEnd };
  }
}

function foldCluster(cluster: string): string {
  if (/^[^\S\uFEFF]/.test(cluster)) return ' ';
  if (cluster.startsWith('⟨U+')) return foldCluster(String.fromCodePoint(Number.parseInt(cluster.slice(3), 16)));
  const base = cluster.normalize('NFKD').replace(UNSEEN, '').replace(ACCENTS, '').normalize('NFC');
  // Uppercase, too: some letters are the same only there. Before, `ẞ` becomes `ß`, whose uppercase is `SS`.
  const folded = base.toLowerCase().toUpperCase().toLowerCase();
  // Nearly all are one character, for which a list would take most of the time.
  if (folded.length === 1) return TYPED_AS.get(folded) ?? folded;
  return Array.from(folded, (character) => TYPED_AS.get(character) ?? character).join('');
}
