/** CSV (RFC 4180), with one line for each row: a cell has no line breaks, and no spreadsheet runs it as a formula. */
import type { CsvText } from './safeText.ts';

/** The byte order mark, without which spreadsheets don't take a file for UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF' as CsvText;

/** What a spreadsheet may take for a formula. Some also accept full-width operators. */
const FORMULA = /^(?=[=+\-@＝＋－＠])/;

/** A row with its line break. */
export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n` as CsvText;

/** Joins rows. */
export const joinCsv = (lines: readonly CsvText[]) => lines.join('') as CsvText;

const csvCell = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.replace(FORMULA, "'").replaceAll('"', '""')}"`;
};

/** How spreadsheets are told that a number is text: a formula, or an apostrophe. An apostrophe may also begin a year: '90. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;
const APOSTROPHE = /^'(?=(?:0\d*|\d{3,})$)/;

/** The text of a cell that {@link csvLine} or a spreadsheet wrote. */
export const cellText = (cell: string) => {
  const text = cell.trim();
  if (text.startsWith('=')) return TEXT_FORMULA.exec(text)?.[1]?.replaceAll('""', '"').trim() ?? text;
  if (!text.startsWith("'")) return text;
  return FORMULA.test(text.slice(1)) ? text.slice(1) : text.replace(APOSTROPHE, '');
};

/** How many cells a row has, and how long each is: more is cut, so that reading a row takes no time. */
const MAX_CELLS = 1_000;
const MAX_ROW = 1_000_000;
const MAX_QUOTED = 10_000;
const MAX_PLAIN = 100_000;

export interface CsvRow {
  readonly cells: readonly string[];
  /** The line in which the row begins, from 1. */
  readonly line: number;
  /** Whether its cells may be wrong: a quote isn't closed, text follows a closing quote, or a cell is cut. */
  readonly isBroken: boolean;
}

/** The rows of a text, which may come in pieces. `separator` is one character, such as a tab. Lines count from `firstLine`. */
export function* readCsv(text: string | readonly string[], separator: string, firstLine = 1): Generator<CsvRow> {
  let rest = '';
  let line = firstLine;
  for (const piece of typeof text === 'string' ? [text] : text) {
    const part = rest + piece;
    let from = 0;
    for (const { end, lines, ...row } of rowsIn(part, separator)) {
      // The row may go on in the next piece, as a line break of two characters may.
      if (end === part.length) break;
      yield { ...row, line };
      line += lines;
      from = end;
    }
    rest = part.slice(from);
  }
  for (const { lines, ...row } of rowsIn(rest, separator)) {
    yield { cells: row.cells, isBroken: row.isBroken, line };
    line += lines;
  }
}

interface FoundRow extends Omit<CsvRow, 'line'> {
  /** Where the row ends, after its line break. */
  readonly end: number;
  /** The number of line breaks in the row and after it. */
  readonly lines: number;
}

function* rowsIn(text: string, separator: string): Generator<FoundRow> {
  // Files that were put together have byte order marks inside.
  const inQuotes = `[ \\uFEFF]{0,100}"((?:[^"]|""){0,${MAX_QUOTED}})("?)`;
  const escaped = separator === '|' ? '\\|' : separator;
  const plain = `([^${escaped}\\r\\n]{0,${MAX_PLAIN}})`;
  const cell = new RegExp(`(?:${inQuotes})?${plain}(${escaped}|\\r?\\n|\\r)?`, 'y');
  let cells: string[] = [];
  let lines = 0;
  let isBroken = false;
  let start = 0;
  while (cell.lastIndex < text.length) {
    const [, quoted, closing, rest = '', end] = cell.exec(text) ?? [];
    if (quoted === undefined) cells.push(rest);
    else {
      cells.push(quoted.replaceAll('""', '"') + rest);
      isBroken ||= closing === '' || rest.trim() !== '';
      lines += lineBreaksIn(quoted);
    }
    isBroken ||= end === undefined && cell.lastIndex < text.length;
    if (end === separator && cells.length < MAX_CELLS && cell.lastIndex - start < MAX_ROW) {
      if (cell.lastIndex < text.length) continue;
      // The last cell is empty.
      cells.push('');
    } else isBroken ||= end === separator;
    if (end !== undefined && end !== separator) lines++;
    yield { cells, lines, isBroken, end: cell.lastIndex };
    cells = [];
    lines = 0;
    isBroken = false;
    start = cell.lastIndex;
  }
}

const lineBreaksIn = (text: string) => text.match(/\r?\n|\r/g)?.length ?? 0;
