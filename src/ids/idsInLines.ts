/** Finds known IDs in lines of text. */
import { type Position, Range, type TextDocument } from 'vscode';
import type { Reference } from '../service/model.ts';
import { findIds, isProgram, isValue, REACH } from './findIds.ts';
import type { KnownSnapshot } from './knownIds.ts';

/** VS Code renders no more of a line (UTF-16 units). */
const MAX_LINE_LENGTH = 10_000;

/** A known ID and its place in a line: offsets in UTF-16 units; `end` is exclusive. */
export interface IdInLine extends Reference {
  readonly start: number;
  readonly end: number;
}

/** The known IDs in a line, without those that are words of the text or parts of a URL. */
export function knownIdsIn(text: string, { candidates, kindOf }: KnownSnapshot, isInProgram = false): IdInLine[] {
  const line = text.slice(0, MAX_LINE_LENGTH + REACH);
  const isKnown = (id: string) => kindOf(id) !== undefined;
  return [...findIds(line, { candidates, isKnown }, 0, MAX_LINE_LENGTH)].flatMap((found) => {
    const kind = isValue(line, found, isInProgram) && kindOf(found.id);
    return kind ? [{ ...found, kind }] : [];
  });
}

/** The known IDs in a range of lines. */
export function knownIdsInLines(
  document: TextDocument,
  { start, end }: { start: Pick<Position, 'line'>; end: Pick<Position, 'line'> },
  known: KnownSnapshot,
): { reference: Reference; range: Range }[] {
  const found = [];
  const isInProgram = isProgram(document);
  for (let line = Math.max(0, start.line); line <= Math.min(end.line, document.lineCount - 1); line++) {
    for (const { kind, id, start, end } of knownIdsIn(document.lineAt(line).text, known, isInProgram)) {
      found.push({ reference: { kind, id }, range: new Range(line, start, line, end) });
    }
  }
  return found;
}
