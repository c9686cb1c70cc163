/** CSV (RFC 4180), with one line for each row: a cell has no line breaks, and no spreadsheet runs it as a formula. */

/** What a spreadsheet may take for a formula. Some also accept full-width operators. */
const FORMULA = /^(?=[=+\-@＝＋－＠])/;

/** A row with its line break. */
export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

const csvCell = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.replace(FORMULA, "'").replaceAll('"', '""')}"`;
};

/** The text of a cell that {@link csvLine} or a spreadsheet wrote. */
export const cellText = (cell: string) => {
  const text = cell.trim();
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
};

/** Longer rows and cells are cut, so that reading one takes no time. */
const MAX_CELLS = 1_000;
const MAX_ROW = 1_000_000;
const MAX_QUOTED = 10_000;
const MAX_PLAIN = 100_000;

export interface CsvRow {
  readonly cells: readonly string[];
  /** The line that it begins in, from 1. */
  readonly line: number;
  /** Its cells may be wrong: a quote isn't closed, text follows a closing quote, or a cell is cut. */
  readonly isBroken: boolean;
}

/** The rows of a text. `separator` is one character, such as a tab. */
export function* readCsv(text: string, separator: string): Generator<CsvRow> {
  const inQuotes = ` {0,100}"((?:[^"]|""){0,${MAX_QUOTED}})("?)`;
  const plain = `([^${separator}\\r\\n]{0,${MAX_PLAIN}})`;
  const cell = new RegExp(`(?:${inQuotes})?${plain}(${separator}|\\r?\\n|\\r)?`, 'y');
  let cells: string[] = [];
  let line = 1;
  let next = 1;
  let isBroken = false;
  let start = 0;
  while (cell.lastIndex < text.length) {
    const [, quoted, closing, rest = '', end] = cell.exec(text) ?? [];
    if (quoted === undefined) cells.push(rest);
    else {
      cells.push(quoted.replaceAll('""', '"') + rest);
      isBroken ||= closing === '' || rest.trim() !== '';
      next += lineBreaksIn(quoted);
    }
    isBroken ||= end === undefined && cell.lastIndex < text.length;
    if (end === separator && cells.length < MAX_CELLS && cell.lastIndex - start < MAX_ROW) continue;
    if (end !== undefined && end !== separator) next++;
    yield { cells, line, isBroken };
    cells = [];
    line = next;
    isBroken = false;
    start = cell.lastIndex;
  }
  if (text.endsWith(separator)) yield { cells: [...cells, ''], line, isBroken };
}

const lineBreaksIn = (text: string) => text.match(/\r?\n|\r/g)?.length ?? 0;
