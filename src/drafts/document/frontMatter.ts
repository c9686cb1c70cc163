/** Finding the front matter of a Markdown text. */
import type { TextRange } from './problem.ts';

export interface FrontMatter extends TextRange {
  /** What stands between its two lines of dashes; where the second one is missing, all the rest of the text. */
  yaml: TextRange;
  isClosed: boolean;
}

/** A line of three dashes, or of three points, and a blank line behind it. */
const CLOSING = /(?:^|\n)(---|\.\.\.)[ \t]*(?:\r?\n(?:[ \t]*(?:\r?\n|$))?|$)/g;

/**
 * The front matter that a text begins with, up to where the message begins; undefined where its first line is another
 * than three dashes. One blank line behind it belongs to it.
 */
export function findFrontMatter(text: string): FrontMatter | undefined {
  const opening = /^\uFEFF?---[ \t]*(?:\r?\n|$)/.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const start = opening.startsWith('\uFEFF') ? 1 : 0;
  const open = opening.length;
  // The search begins at the end of the first line, so that the next one can be the last.
  CLOSING.lastIndex = text[open - 1] === '\n' ? open - 1 : open;
  const closing = CLOSING.exec(text);
  if (!closing) return { start, end: text.length, yaml: { start: open, end: text.length }, isClosed: false };
  const end = Math.max(open, closing.index + 1);
  return { start, end: closing.index + closing[0].length, yaml: { start: open, end }, isClosed: true };
}
