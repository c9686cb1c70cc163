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

/** Longer rows and quoted cells are cut, so that reading one takes no time. */
const MAX_CELLS = 1_000;
const MAX_QUOTED = 10_000;

/** The cells of each row. `separator` is one character, such as a tab. */
export function* readCsv(text: string, separator: string): Generator<string[]> {
  const pattern = `(?: *"((?:[^"]|""){0,${MAX_QUOTED}})"?)?([^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`;
  const cell = new RegExp(pattern, 'y');
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const [, quoted, rest = '', end] = cell.exec(text) ?? [];
    row.push((quoted?.replaceAll('""', '"') ?? '') + rest);
    if (end === separator && row.length < MAX_CELLS) continue;
    yield row;
    row = [];
  }
  if (text.endsWith(separator)) yield [...row, ''];
}
