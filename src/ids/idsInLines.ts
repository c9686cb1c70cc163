/** The known IDs in lines that are on the screen, or near. */
import { type Position, Range, type TextDocument } from 'vscode';
import type { Reference } from '../service/model.ts';
import { findIds, isProgram, isValue, REACH } from './findIds.ts';
import type { KnownSnapshot } from './knownIds.ts';

/** VS Code draws no more of a line (UTF-16 units). */
const MAX_LINE_LENGTH = 10_000;

/** A known ID, and where it stands in a line. */
export interface IdInLine extends Reference {
  readonly start: number;
  readonly end: number;
}

/** Those in a line of text, or of a program, that are not words or addresses of it. */
export function knownIdsIn(whole: string, { candidates, kindOf }: KnownSnapshot, ofProgram = false): IdInLine[] {
  const line = whole.slice(0, MAX_LINE_LENGTH + REACH);
  const isKnown = (id: string) => kindOf(id) !== undefined;
  return [...findIds(line, { candidates, isKnown }, 0, MAX_LINE_LENGTH)].flatMap((found) => {
    const kind = isValue(line, found, ofProgram) && kindOf(found.id);
    return kind ? [{ ...found, kind }] : [];
  });
}

/** Those in some lines of a document. */
export function knownIdsInLines(
  document: TextDocument,
  { start, end }: { start: Pick<Position, 'line'>; end: Pick<Position, 'line'> },
  known: KnownSnapshot,
): { reference: Reference; range: Range }[] {
  const found = [];
  const ofProgram = isProgram(document);
  for (let line = Math.max(0, start.line); line <= Math.min(end.line, document.lineCount - 1); line++) {
    for (const { kind, id, start, end } of knownIdsIn(document.lineAt(line).text, known, ofProgram)) {
      found.push({ reference: { kind, id }, range: new Range(line, start, line, end) });
    }
  }
  return found;
}
