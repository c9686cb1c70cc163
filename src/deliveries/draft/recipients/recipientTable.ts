/** The recipients in a CSV file, with the values of its columns. */
import {
  chatKindOf,
  type ListedRow,
  type RowProblem,
  readRecipientCsv,
  readRow,
  rowProblem,
} from '../../../markup/recipientCsv.ts';
import { systemClock } from '../../../service/clock.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';

export interface RecipientRow extends Pick<ListedRow, 'cells' | 'line'> {
  readonly chat: Chat;
}

export interface RecipientTable {
  readonly columns: readonly string[];
  /** By {@link chatKey}, in the order of the file. Rows with errors are left out. */
  readonly rows: ReadonlyMap<string, RecipientRow>;
  readonly problems: readonly RowProblem[];
  /** How many rows are of which type. */
  readonly counts: Readonly<Record<Chat['kind'], number>>;
}

/** More would be too long to send: at ten calls a second, they take hours. */
const MAX_ROWS = 100_000;
/** After so many errors, the rest isn't read: it's hardly a file of recipients. */
const MAX_ERRORS = 1_000;

/** Reads CSV, which may come in pieces, in time slices. `kind` is what the recipients are if there is no `kind` column. */
export async function parseRecipientTable(
  text: string | readonly string[],
  kind: Chat['kind'] | undefined,
  clock = systemClock,
): Promise<RecipientTable> {
  const csv = await readRecipientCsv(text);
  const counts = { group: 0, user: 0 };
  const rows = new Map<string, RecipientRow>();
  if (!csv) return { columns: [], rows, problems: [rowProblem(1, 'noIdColumn')], counts };
  const { columns, kindColumn, headLine, isHeadBroken } = csv;
  if (isHeadBroken) return { columns, rows, problems: [rowProblem(headLine, 'brokenQuote')], counts };
  const problems = [...csv.problems];
  if (kindColumn < 0 && !kind) problems.push(rowProblem(headLine, 'noKind'));
  const add = ({ id, kind: named, cells, line }: ListedRow): RowProblem | undefined => {
    const listedKind = named ? chatKindOf(named) : kind;
    // Without a column, it's a problem of the whole file.
    if (!listedKind) return kindColumn < 0 ? undefined : rowProblem(line, 'unknownKind', [named]);
    const row = { chat: { kind: listedKind, id }, cells, line };
    const problem = repetition(row, rows);
    if (problem) return problem;
    rows.set(chatKey(row.chat), row);
    counts[listedKind]++;
    return undefined;
  };
  /** Kept apart, because these rows are used: they don't count against the limit. */
  const short: RowProblem[] = [];
  let errors = 0;
  const slices = new TimeSlices(undefined, clock);
  for (const row of csv.rows) {
    if (slices.isOver) await slices.pause();
    const read = readRow(csv, row);
    if (!read) continue;
    const problem = 'code' in read ? read : add(read);
    if (problem) problems.push(problem);
    else if ('cells' in read) {
      const missing = columns.slice(read.cells.length).filter(Boolean);
      if (missing.length > 0) short.push(rowProblem(read.line, 'missingCells', [missing.join(', ')], 'warning'));
    }
    if (problem?.severity === 'error') errors++;
    // What follows an open quote may be anything.
    if (errors >= MAX_ERRORS || row.isBroken) break;
    if (rows.size + problems.length > MAX_ROWS) {
      problems.push(rowProblem(row.line, 'tooManyRows', [MAX_ROWS.toLocaleString('en')]));
      break;
    }
  }
  return { columns, rows, problems: problems.concat(short), counts };
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

function repetition(row: RecipientRow, rows: ReadonlyMap<string, RecipientRow>): RowProblem | undefined {
  const first = rows.get(chatKey(row.chat));
  if (!first) return undefined;
  const isSame = row.cells.every((cell, at) => cell === (first.cells[at] ?? ''));
  const args = [row.chat.id, String(first.line)];
  return isSame ? rowProblem(row.line, 'repeatedRow', args, 'warning') : rowProblem(row.line, 'contradiction', args);
}
