/** Splits an excerpt at the matches in it. Pure. */
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { FoundText } from '../../protocol/search.ts';

export interface SnippetPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The pieces in order, with invisible characters escaped, and ellipses where the text was cut. */
export function snippetPieces({ text, ranges, isCutBefore, isCutAfter }: FoundText): SnippetPiece[] {
  // A joiner that its neighbors need must not be escaped because it's at the edge of a match.
  const shown = escapeInvisible(text) === text ? (piece: string) => piece : escapeInvisible;
  const pieces: SnippetPiece[] = [];
  let end = 0;
  const addUntil = (next: number, isMatch: boolean) => {
    const piece = text.slice(end, next);
    if (piece) pieces.push({ text: shown(piece), isMatch });
    end = Math.max(end, next);
  };
  if (isCutBefore) pieces.push({ text: '…', isMatch: false });
  for (const [from, to] of ranges) {
    addUntil(from, false);
    addUntil(to, true);
  }
  addUntil(text.length, false);
  if (isCutAfter) pieces.push({ text: '…', isMatch: false });
  return pieces;
}
