/** Finds known IDs, and links to chats and messages, in lines of text. */
import { type Position, Range, type TextDocument } from 'vscode';
import { findChatLinks, type LinkInText, MAX_LINK } from '../protocol/chatLink.ts';
import type { Reference } from '../service/model.ts';
import { findIds, isProgram, isValue, REACH } from './findIds.ts';
import type { KnownSnapshot } from './knownIds.ts';

/** How much of a line is searched (UTF-16 units): VS Code renders no more of it. */
const MAX_LINE_LENGTH = 10_000;

/** A known ID and its place in a line: offsets in UTF-16 units; `end` is exclusive. */
interface IdInLine extends Reference {
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

/** The links to chats and messages in a line. A link is read to its end, because its beginning may lead elsewhere. */
export const chatLinksIn = (text: string) =>
  findChatLinks(text.slice(0, MAX_LINE_LENGTH + MAX_LINK)).filter(({ start }) => start < MAX_LINE_LENGTH);

/** A range of lines, which may reach beyond the document. */
interface Lines {
  readonly start: Pick<Position, 'line'>;
  readonly end: Pick<Position, 'line'>;
}

const linesOf = (document: TextDocument, { start, end }: Lines) => {
  const first = Math.max(0, start.line);
  const length = Math.max(0, Math.min(end.line, document.lineCount - 1) - first + 1);
  return Array.from({ length }, (_, index) => ({ line: first + index, text: document.lineAt(first + index).text }));
};

/** The links to chats and messages in a range of lines. */
export const chatLinksInLines = (document: TextDocument, lines: Lines): { found: LinkInText; range: Range }[] =>
  linesOf(document, lines).flatMap(({ line, text }) =>
    chatLinksIn(text).map((found) => ({ found, range: new Range(line, found.start, line, found.end) })),
  );

/** The known IDs in a range of lines. */
export function knownIdsInLines(
  document: TextDocument,
  lines: Lines,
  known: KnownSnapshot,
): { reference: Reference; range: Range }[] {
  const found = [];
  const isInProgram = isProgram(document);
  for (const { line, text } of linesOf(document, lines)) {
    for (const { kind, id, start, end } of knownIdsIn(text, known, isInProgram)) {
      found.push({ reference: { kind, id }, range: new Range(line, start, line, end) });
    }
  }
  return found;
}
