/** Finds the front matter of a Markdown text. */
import type { TextRange } from './problem.ts';

export interface FrontMatter extends TextRange {
  /** The text between the two marker lines, or the rest of the text if the closing one is missing. */
  yaml: TextRange;
  isClosed: boolean;
}

/** A line of three dashes or dots, and a blank line after it. */
const CLOSING = /(?:^|\n)(---|\.\.\.)[ \t]*(?:\r?\n(?:[ \t]*(?:\r?\n|$))?|$)/g;

/** The front matter at the start of a text, with one blank line after it; undefined if the first line isn't `---`. */
export function findFrontMatter(text: string): FrontMatter | undefined {
  const opening = /^\uFEFF?---[ \t]*(?:\r?\n|$)/.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const start = opening.startsWith('\uFEFF') ? 1 : 0;
  const open = opening.length;
  // From the end of the first line, so that the second one can close it.
  CLOSING.lastIndex = text[open - 1] === '\n' ? open - 1 : open;
  const closing = CLOSING.exec(text);
  if (!closing) return { start, end: text.length, yaml: { start: open, end: text.length }, isClosed: false };
  const end = Math.max(open, closing.index + 1);
  return { start, end: closing.index + closing[0].length, yaml: { start: open, end }, isClosed: true };
}
