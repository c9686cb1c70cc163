/** Cuts texts, never within what people see as one character: an emoji of several, a flag, a letter with marks. Pure. */

/** How far back the beginning of a character is looked for (UTF-16 units). Only a longer row of flags needs more. */
const NEAR = 10_000;

/** Finds the characters of a text. Created when a text is first cut, because that takes a while. */
let characters: Intl.Segmenter | undefined;

/**
 * Where the character begins that a position is in (UTF-16 units); the position itself if one begins there. A character
 * with nothing before it is cut between two code points: thousands of marks on a letter would leave nothing else.
 */
export function characterStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  return startNear(text, at) || ((text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at);
}

/** Where the character begins that a position is in; 0 if that isn't near. */
function startNear(text: string, at: number): number {
  characters ??= new Intl.Segmenter();
  const from = Math.max(0, at - NEAR);
  // Whether a character ends here depends on no more than the next code point.
  const start = characters.segment(text.slice(from, at + 2)).containing(at - from)?.index;
  return start ? from + start : 0;
}

/** At most the first `length` UTF-16 units of a text, cut at a line break, or at this separator, if one is near. */
export function truncate(text: string, length: number, separator = '\n'): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(separator, length);
  return text.slice(0, characterStart(text, end > length / 2 ? end : length));
}

/** At most the last `length` UTF-16 units of a text. */
export function truncateStart(text: string, length: number): string {
  let start = Math.max(0, text.length - length);
  // A letter can't be told from its marks by looking at them alone.
  while (start < text.length && startNear(text, start) < start) start++;
  return text.slice(start);
}

/** A text of which at most `length` UTF-16 units are shown: its beginning and its end, with an ellipsis between them. */
export function shortenMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${truncate(text, Math.ceil(length / 2))}…${truncateStart(text, Math.floor(length / 2))}`;
}

/** All of a text, in pieces of at most `size` UTF-16 units, from 2 on. */
export function* piecesOf(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + characterStart(text.slice(from, from + size + 2), size);
    yield text.slice(from, end);
    from = end;
  }
}

/**
 * The first `length` UTF-16 units of a text, with an ellipsis if more follows. `edit` changes what is shown, and is given
 * no more than that.
 */
export function shorten(text: string, length: number, edit = (start: string) => start, separator?: string): string {
  const start = truncate(text, length, separator);
  // Escapes are longer than what they replace.
  const edited = edit(start);
  const shown = truncate(edited, length, separator);
  return start.length < text.length || shown.length < edited.length ? `${shown}…` : shown;
}
