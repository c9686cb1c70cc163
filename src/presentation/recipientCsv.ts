/** Lists of recipients as CSV: an `id` column, perhaps a `kind` column, and any others. */
import { type CsvRow, cellText, readCsv } from '../markup/csv.ts';
import { excerpt } from '../markup/escapeInvisible.ts';
import { type IdProblem, idInCell } from '../markup/listedId.ts';
import type { Chat } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { l10n, type ShownText } from './shown.ts';

export interface RecipientCsv {
  /** The names of the columns, each in one line, without white space and invisible characters around it, in the form NFC. */
  readonly columns: readonly string[];
  /** The line that names the columns: titles, blank lines and `sep=;` may come first. */
  readonly headLine: number;
  /** Whether a quote is broken in that line, so that its columns may be wrong. */
  readonly isHeadBroken: boolean;
  readonly idColumn: number;
  /** The index of the `kind` column; -1 if there is none. */
  readonly kindColumn: number;
  /** Why rows with an ID above the names aren't used, as sorting a sheet leaves them. */
  readonly above: readonly RowProblem[];
  /** The rows below the names, read as they are needed. {@link readRow} says what a row means. */
  readonly rows: Iterable<CsvRow>;
}

/** A row that can be used. */
export interface ListedRow {
  readonly id: string;
  /** What the `kind` column says; empty if there is none. */
  readonly kind: string;
  /** The cells, in the order of the columns. */
  readonly cells: readonly string[];
  /** The line in which the row begins, from 1. */
  readonly line: number;
}

/** What is wrong with a row, or with the names of the columns. Only the first problem of a row is reported. */
export interface RowProblem {
  /** A row with an error isn't used, and prevents sending. */
  readonly severity: 'error' | 'warning';
  readonly line: number;
  /** The problem, in one sentence or two. */
  readonly text: ShownText;
  /**
   * What a draft that names the file has to know: there's no `id` column, nothing says what the recipients are, two columns
   * have the same name, there are too many rows, or this row says again what another one does, or something else.
   */
  readonly kind?: 'noIds' | 'noKind' | 'sameName' | 'tooMany' | 'repeated' | 'differs';
}

/** What may separate cells, in the order in which it's tried. */
const SEPARATORS = [',', ';', '\t', '|', '，', '；', '、'];
/** How spreadsheets are told the separator, in a line of its own. */
const SEPARATOR_LINE = /^\uFEFF*"?sep=(\\t|[,;|\t，；、])"?[,;|\t\s]*$/i;

/** Where the names of the columns are looked for: so many lines, and so many UTF-16 units for all of them and for one row. */
const HEAD_LINES = 50;
const HEAD_AREA = 100_000;
const HEAD_ROW = 20_000;

const KINDS = new Map<string, Chat['kind']>([
  ['group', 'group'],
  ['user', 'user'],
  ['person', 'user'],
]);

/**
 * Finds the columns of a text, which may come in pieces, in time slices. Undefined if none of the first lines names an `id`
 * column.
 */
export async function readRecipientCsv(text: string | readonly string[]): Promise<RecipientCsv | undefined> {
  const pieces = typeof text === 'string' ? [text] : text;
  let used = 0;
  let area = '';
  while (used < pieces.length && area.length < HEAD_AREA) area += pieces[used++];
  const slices = new TimeSlices();
  let separators: readonly string[] = SEPARATORS;
  for (const [index, { start, content }] of firstLines(area).entries()) {
    separators = declaredSeparator(content) ?? separators;
    for (const separator of separators) {
      if (slices.isOver) await slices.pause();
      if (!isHead(readCsv(area.slice(start, start + HEAD_ROW), separator))) continue;
      const rows = readCsv([area.slice(start), ...pieces.slice(used)], separator, index + 1);
      const head: CsvRow | undefined = rows.next().value ?? undefined;
      const columns = head?.cells.map(columnName) ?? [];
      const names = columns.map(columnKey);
      const [idColumn, kindColumn] = [names.indexOf('id'), names.indexOf('kind')];
      const above = Array.from(readCsv(area.slice(0, start), separator)).filter((row) =>
        isRecipient(row, idColumn, names),
      );
      return {
        columns,
        headLine: index + 1,
        isHeadBroken: head?.isBroken ?? false,
        idColumn,
        kindColumn,
        above: above.map(({ line }) => rowProblem(line, aboveText())),
        rows,
      };
    }
  }
  return undefined;
}

/** The name of a column. Spreadsheets may break it into lines, which the name of a variable can't have. */
const columnName = (cell: string) =>
  withoutBlanks(cellText(withoutBlanks(cell)))
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
    .normalize('NFC');

/** The first two columns whose names mean the same, if there are such. */
export function sameNames({ columns }: Pick<RecipientCsv, 'columns'>): readonly [string, string] | undefined {
  const known = new Map<string, string>();
  for (const name of columns) {
    const other = known.get(columnKey(name));
    if (other !== undefined) return [other, name];
    if (name) known.set(columnKey(name), name);
  }
  return undefined;
}

/** What a row says: undefined if it's blank, or a line drawn below the columns. */
export function readRow(csv: RecipientCsv, row: CsvRow): ListedRow | RowProblem | undefined {
  const { cells, line, isBroken } = row;
  if (isBroken) return brokenRow(line);
  if (isBlank(cells) || isRule(cells)) return undefined;
  const { columns, idColumn, kindColumn } = csv;
  // Spreadsheets leave out empty cells at the end of a row, or add some.
  if (!isBlank(cells.slice(columns.length))) return rowProblem(line, cellCountText(cells.length, columns.length));
  const found = idInCell(cells[idColumn] ?? '');
  if ('problem' in found) return rowProblem(line, idProblemText(found.problem, cells[idColumn]?.trim() ?? ''));
  const { id } = found;
  if (columnKey(id) === 'id') return rowProblem(line, l10n.t('This row names the columns again. Delete it.'));
  const texts = cells.map((cell, column) => (column === idColumn ? id : cellText(cell)));
  return { id, kind: texts[kindColumn] ?? '', cells: texts, line };
}

/** `id` beside another word, as in the head of a table that {@link readRecipientCsv} can't read. */
const HEAD_WORDS = /(?:^|[\s,;|"])id[\s,;|"]+(?=\p{L})|\p{L}[\s,;|"]+id(?:$|[\s,;|"])/iu;

/** A table in HTML or XML, which many programs save as if it was a spreadsheet. */
const MARKUP = /<(?:td|th|ss:Cell|Cell)(?:\s[^<>]{0,1000})?>/i;

/** Records with an `id` and other words, as in JSON and YAML. */
const ID_FIELD = /(?:^|[\s{,])["']?id["']?\s*[:=]/i;
const OTHER_FIELD = /(?:^|[\s{,])["']?(?!id\b)[a-z_]\w*["']?\s*[:=]\s*["']?\p{L}/iu;

/** Whether a text is a table even though its `id` column can't be read. Then its words aren't all IDs. */
export function isTableWithoutIds(text: string): boolean {
  if (MARKUP.test(text) || HEAD_WORDS.test(text) || (ID_FIELD.test(text) && OTHER_FIELD.test(text))) return true;
  const lines = firstLines(text.slice(0, HEAD_AREA)).map(({ content }) => content.slice(0, HEAD_ROW));
  if (lines.some((line) => /^\W{0,3}sep=/i.test(line))) return true;
  return SEPARATORS.some((separator) => {
    const rows = lines.map((line) => firstRow(line, separator)).filter((row) => !isBlank(row) && !isRule(row));
    const wide = rows.filter((row) => filled(row) > 1);
    const [first, ...others] = wide;
    if (!first || others.length === 0 || wide.length * 2 <= rows.length) return false;
    const isOfNames = (_: string, column: number) =>
      wide.some((row) => /[\p{Lu}\p{Ll}]/u.test(row[column] ?? '')) && !wide.some((row) => hasDigit(row[column]));
    return others.every((row) => row.some(hasDigit)) && (!first.some(hasDigit) || first.some(isOfNames));
  });
}

const hasDigit = (cell: string | undefined) => /\p{Nd}/u.test(cell ?? '');

/** The first lines of a text, and where they begin. */
function firstLines(text: string): { start: number; content: string }[] {
  const lines: { start: number; content: string }[] = [];
  const line = /([^\r\n]*)(?:\r\n|\r|\n|$)/y;
  while (lines.length < HEAD_LINES && line.lastIndex < Math.min(text.length, HEAD_AREA)) {
    const start = line.lastIndex;
    lines.push({ start, content: line.exec(text)?.[1] ?? '' });
  }
  return lines;
}

const firstRow = (text: string, separator: string): readonly string[] => {
  const row: CsvRow | undefined = readCsv(text, separator).next().value ?? undefined;
  return row?.cells ?? [];
};

const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;
/** Whether cells are empty. Byte order marks, and the marks with which old programs end a file, count as nothing. */
const isBlank = (cells: readonly string[]) => cells.every((cell) => withoutBlanks(cell) === '');
/** A line below the names of the columns, as in Markdown. */
const isRule = (cells: readonly string[]) =>
  cells.every((cell) => /^[\s:+-]*$/.test(cell)) && cells.some((cell) => cell.includes('--'));

/** The separators to try after a line such as `sep=;`, which names the only one. */
function declaredSeparator(line: string): string[] | undefined {
  const [, declared] = SEPARATOR_LINE.exec(line.slice(0, 100)) ?? [];
  if (declared === undefined) return undefined;
  const separator = declared.startsWith('\\') ? '\t' : declared;
  return [separator, ...SEPARATORS.filter((one) => one !== separator)];
}

/**
 * Whether the first row is a head: it names `id` and has no IDs, as `ID` may be a country. A column may be called
 * `20260105`, though, if IDs are in the row below.
 */
function isHead(rows: Generator<CsvRow>): boolean {
  const { cells = [] }: Partial<CsvRow> = rows.next().value ?? {};
  const idColumn = cells.findIndex((cell) => columnKey(cellText(cell)) === 'id');
  if (idColumn < 0) return false;
  const likeIds = cells.filter(isLikeId);
  if (likeIds.length === 0) return true;
  if (!likeIds.every((cell) => DATE.test(cellText(cell)))) return false;
  const { cells: below = [] }: Partial<CsvRow> = rows.next().value ?? {};
  return isLikeId(below[idColumn] ?? '');
}

const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

const isLikeId = (cell: string) => /^\W{0,2}(?:\d{5,}|[\da-f-]{20,})\W{0,2}$/i.test(cellText(cell));

/** Whether a row above the head looks like those below. */
const isRecipient = ({ cells }: CsvRow, idColumn: number, names: readonly string[]) =>
  isLikeId(cells[idColumn] ?? '') && filled(cells) >= Math.min(2, filled(names));

export function rowProblem(
  line: number,
  text: ShownText,
  { severity = 'error', kind }: Partial<Pick<RowProblem, 'severity' | 'kind'>> = {},
): RowProblem {
  return { severity, line, text, ...(kind && { kind }) };
}

/** A row whose quotes are broken: what follows an open quote may be anything. */
export const brokenRow = (line: number) =>
  rowProblem(
    line,
    l10n.t(
      "A quotation mark isn't closed, text follows the closing one, or this row is too long. The rows below aren't read.",
    ),
  );

export const noIdColumnText = () =>
  l10n.t(
    'There is no id column. One of the first lines must name the columns, separated by commas, semicolons, or tabs.',
  );

export const sameNamesText = (names: readonly [string, string]) =>
  l10n.t("The columns {0} and {1} can't be told apart. Rename one of them.", ...names.map((name) => excerpt(name, 60)));

const aboveText = () => l10n.t("This row is above the names of the columns, so it isn't used. Move it below them.");

const cellCountText = (cells: number, columns: number) =>
  l10n.t('This row has {0} values for {1} columns.', String(cells), String(columns));

export const invalidIdText = () =>
  l10n.t(
    "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
  );

/** Why a text isn't one ID. */
export function idProblemText(problem: IdProblem, text: string): ShownText {
  switch (problem) {
    case 'malformed':
      return text ? invalidIdText() : l10n.t('The ID is missing.');
    case 'several':
      return l10n.t("{0} isn't one ID. Give each ID a row of its own.", excerpt(text, 60));
    case 'changed':
      return l10n.t(
        'A spreadsheet has changed this number: {0}. Enter the ID again in a column that is formatted as text.',
        excerpt(text, 60),
      );
    case 'token':
      return l10n.t('This is a token, not an ID.');
    case 'unclear':
      return l10n.t("{0} isn't clearly an ID. Remove what isn't part of it.", excerpt(text, 60));
    case 'address':
      return l10n.t('This is a link, not an ID.');
  }
}

/** A text without white space and invisible characters around it. */
export const withoutBlanks = (text: string) => text.replace(AROUND, '');

const AROUND = /^[\s\p{Cc}\p{Cf}]+|(?<![\s\p{Cc}\p{Cf}])[\s\p{Cc}\p{Cf}]+$/gu;

/** A key that is the same for all names of columns that people take for the same name. */
export const columnKey = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** What a `kind` column or setting says; undefined if it's neither a group nor a person. */
export const chatKindOf = (kind: string): Chat['kind'] | undefined => KINDS.get(columnKey(kind));
