/** The recipients in a CSV file, with the values of its columns. */
import { type CsvRow, cellText } from '../../markup/csv.ts';
import { chatTypeOf, columnKey, readRecipientCsv } from '../../markup/recipientCsv.ts';
import { isIdentifier } from '../../service/fields.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';

export interface RecipientRow {
  readonly chat: Chat;
  /** In the order of the columns. */
  readonly cells: readonly string[];
  /** Where it begins, from 1. */
  readonly line: number;
}

type RowProblemCode =
  /** The first row has no `id` column. */
  | 'noIdColumn'
  /** Nothing says whether the IDs are those of groups or of people. */
  | 'noKind'
  /** Two columns whose names mean the same. Arguments: both. */
  | 'duplicateColumn'
  /** Arguments: the number of cells, and of columns. */
  | 'cellCount'
  /** A quote isn't closed, or text follows a closing quote. */
  | 'brokenQuote'
  /** The argument is neither a group nor a person. */
  | 'unknownKind'
  /** Not an ID. Argument: what it is. */
  | 'malformedId'
  /** The same row again. Arguments: the ID, and the line of the first. */
  | 'repeatedRow'
  /** Another row for the same recipient. Arguments: the ID, and the line of the first. */
  | 'contradiction'
  /** Argument: the limit. */
  | 'tooManyRows';

/** What is wrong with a row. Only the first problem of a row is reported. */
export interface RowProblem {
  readonly code: RowProblemCode;
  /** An error prevents sending. */
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly args: readonly string[];
}

export interface RecipientTable {
  readonly columns: readonly string[];
  /** By {@link chatKey}, in the order of the file. Rows with errors are left out. */
  readonly rows: ReadonlyMap<string, RecipientRow>;
  readonly problems: readonly RowProblem[];
  /** How many rows are of which type. */
  readonly counts: Readonly<Record<Chat['type'], number>>;
}

/** More would be too long to send: at ten calls a second, they take hours. */
const MAX_ROWS = 100_000;
/** After so many problems, the rest isn't read: it's hardly a file of recipients. */
const MAX_PROBLEMS = 1_000;

/** Reads CSV, which may come in pieces, in time slices. `kind` is what the recipients are if there is no `kind` column. */
export async function parseRecipientTable(
  text: string | readonly string[],
  kind: Chat['type'] | undefined,
): Promise<RecipientTable> {
  const csv = readRecipientCsv(text);
  if (!csv)
    return { columns: [], rows: new Map(), problems: [problemIn(1, 'noIdColumn')], counts: { group: 0, user: 0 } };
  const { columns, idColumn, kindColumn } = csv;
  const rows = new Map<string, RecipientRow>();
  const counts = { group: 0, user: 0 };
  const problems = headProblems(columns, kindColumn < 0 && !kind);
  if (csv.isHeadBroken) return { columns, rows, problems: [problemIn(1, 'brokenQuote')], counts };
  const slices = new TimeSlices();
  for (const row of csv.rows) {
    if (slices.isOver) await slices.pause();
    const { line } = row;
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    const broken = shapeProblem(row, columns.length);
    if (broken) {
      problems.push(broken);
      // What follows an open quote may be anything.
      if (row.isBroken || problems.length >= MAX_PROBLEMS) break;
      continue;
    }
    const cells = row.cells.map(cellText);
    const id = cells[idColumn] ?? '';
    const named = cells[kindColumn];
    const type = named ? chatTypeOf(named) : kind;
    const problem = !isIdentifier(id)
      ? problemIn(line, 'malformedId', [id])
      : type
        ? repetition({ chat: { type, id }, cells, line }, rows)
        : kindColumn >= 0 && problemIn(line, 'unknownKind', [named ?? '']);
    if (problem) problems.push(problem);
    else if (type) {
      rows.set(chatKey({ type, id }), { chat: { type, id }, cells, line });
      counts[type]++;
    }
    if (problems.length >= MAX_PROBLEMS) break;
    if (rows.size > MAX_ROWS) {
      problems.push(problemIn(line, 'tooManyRows', [MAX_ROWS.toLocaleString('en')]));
      break;
    }
  }
  return { columns, rows, problems, counts };
}

/** The first rows of a table, if there is one. */
export function firstRows(table: Pick<RecipientTable, 'rows'> | undefined, limit: number): RecipientRow[] {
  const first: RecipientRow[] = [];
  for (const row of table?.rows.values() ?? []) {
    if (first.length === limit) break;
    first.push(row);
  }
  return first;
}

function headProblems(columns: readonly string[], lacksKind: boolean): RowProblem[] {
  const problems: RowProblem[] = [];
  if (lacksKind) problems.push(problemIn(1, 'noKind'));
  const known = new Map<string, string>();
  for (const name of columns) {
    const other = known.get(columnKey(name));
    if (other !== undefined) return [...problems, problemIn(1, 'duplicateColumn', [other, name])];
    if (name) known.set(columnKey(name), name);
  }
  return problems;
}

function shapeProblem({ cells, line, isBroken }: CsvRow, columns: number): RowProblem | undefined {
  if (isBroken) return problemIn(line, 'brokenQuote');
  // Spreadsheets leave out empty cells at the end, or add some.
  const isLonger = cells.slice(columns).some((cell) => cell.trim() !== '');
  return isLonger ? problemIn(line, 'cellCount', [String(cells.length), String(columns)]) : undefined;
}

function repetition(row: RecipientRow, rows: ReadonlyMap<string, RecipientRow>): RowProblem | undefined {
  const first = rows.get(chatKey(row.chat));
  if (!first) return undefined;
  const isSame = row.cells.every((cell, at) => cell === (first.cells[at] ?? ''));
  const args = [row.chat.id, String(first.line)];
  return isSame ? problemIn(row.line, 'repeatedRow', args, 'warning') : problemIn(row.line, 'contradiction', args);
}

function problemIn(
  line: number,
  code: RowProblemCode,
  args: readonly string[] = [],
  severity: RowProblem['severity'] = 'error',
): RowProblem {
  return { code, severity, line, args };
}
