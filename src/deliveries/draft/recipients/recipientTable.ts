/**
 * The recipients in a CSV file, and what variables stand for in the message of each: the values of its columns, then what
 * the directory knows (contract 2.1, 2.5). A row that can't be used is an error, as are two rows that differ for one
 * recipient: leaving one out silently would be worse. The same row twice is a warning.
 */
import type { Directory } from '../../../directory/directory.ts';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { textOf, type Values } from '../../../markup/template.ts';
import { formatCount } from '../../../presentation/formats.ts';
import {
  brokenRow,
  chatKindOf,
  type ListedRow,
  noIdColumnText,
  type RowProblem,
  readRecipientCsv,
  readRow,
  rowProblem,
  sameNames,
  sameNamesText,
} from '../../../presentation/recipientCsv.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { systemClock } from '../../../service/clock.ts';
import { type Chat, chatKey, type Found } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';

export interface RecipientRow extends Pick<ListedRow, 'cells' | 'line'> {
  readonly chat: Chat;
}

export interface RecipientTable {
  readonly columns: readonly string[];
  /** The rows by {@link chatKey}, in the order of the file. Rows with errors are left out. */
  readonly rows: ReadonlyMap<string, RecipientRow>;
  readonly problems: readonly RowProblem[];
  /** How many rows there are of each type. */
  readonly counts: Readonly<Record<Chat['kind'], number>>;
  /** The rows that `where:` doesn't pick, if the draft has it. The rows that it picks are in `rows`. */
  readonly unmatched?: ReadonlyMap<string, RecipientRow>;
}

/** The most rows: at ten calls a second, this many take hours. */
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
  if (!csv) return { columns: [], rows, problems: [rowProblem(1, noIdColumnText(), { kind: 'noIds' })], counts };
  const { columns, kindColumn, headLine, isHeadBroken } = csv;
  if (isHeadBroken) return { columns, rows, problems: [brokenRow(headLine)], counts };
  const problems = [...csv.above];
  const same = sameNames(csv);
  if (same) problems.push(rowProblem(headLine, sameNamesText(same), { kind: 'sameName' }));
  if (kindColumn < 0 && !kind)
    problems.push(rowProblem(headLine, l10n.t('There is no kind column with person or group.'), { kind: 'noKind' }));
  const add = ({ id, kind: named, cells, line }: ListedRow): RowProblem | undefined => {
    const listedKind = named ? chatKindOf(named) : kind;
    // Without a column for kinds, an unknown kind is a problem of the whole file.
    if (!listedKind) return kindColumn < 0 ? undefined : rowProblem(line, unknownKindText(named));
    const row = { chat: { kind: listedKind, id }, cells, line };
    const problem = repetition(row, rows);
    if (problem) return problem;
    rows.set(chatKey(row.chat), row);
    counts[listedKind]++;
    return undefined;
  };
  /** Rows with too few cells, kept apart because they are used: they don't count against the limit. */
  const short: RowProblem[] = [];
  /**
   * What is said of rows with so many cells; empty if that's enough. It's made once, because a spreadsheet may shorten all
   * rows.
   */
  const shortTexts = new Map<number, ShownText>();
  let errors = 0;
  const slices = new TimeSlices(undefined, clock);
  for (const row of csv.rows) {
    if (slices.isOver) await slices.pause();
    const read = readRow(csv, row);
    if (!read) continue;
    const problem = 'text' in read ? read : add(read);
    if (problem) problems.push(problem);
    else if ('cells' in read) {
      const { length } = read.cells;
      const text = shortTexts.get(length) ?? missingCellsText(columns.slice(length).filter(Boolean));
      shortTexts.set(length, text);
      if (text) short.push(rowProblem(read.line, text, { severity: 'warning' }));
    }
    if (problem?.severity === 'error') errors++;
    // Whatever follows an open quote may be anything.
    if (errors >= MAX_ERRORS || row.isBroken) break;
    if (rows.size + problems.length > MAX_ROWS) {
      problems.push(rowProblem(row.line, tooManyText(), { kind: 'tooMany' }));
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
  const longer = row.cells.length > first.cells.length ? row.cells : first.cells;
  const isSame = longer.every((_, at) => (row.cells[at] ?? '') === (first.cells[at] ?? ''));
  const id = excerpt(row.chat.id, 60);
  const line = formatCount(first.line);
  return isSame
    ? rowProblem(row.line, l10n.t('{0} is on line {1}, too. Only one message is sent.', id, line), {
        severity: 'warning',
        kind: 'repeated',
      })
    : rowProblem(row.line, l10n.t('{0} has other values on line {1}.', id, line), { kind: 'differs' });
}

const unknownKindText = (kind: string) =>
  kind
    ? l10n.t('Unknown kind {0}. Use person or group.', excerpt(kind, 60))
    : l10n.t('The kind is missing. Use person or group.');

const missingCellsText = (columns: readonly string[]): ShownText =>
  columns.length === 0
    ? ''
    : l10n.t('This row ends before these columns, so they count as empty: {0}.', excerpt(columns.join(', '), 200));

const tooManyText = () => l10n.t('More than {0} recipients. Divide this file into several.', limitText());

/** The most recipients that a file may have. */
export const limitText = () => MAX_ROWS.toLocaleString('en');

/** Fields of groups and of users, by their names in the contract (2.1, 2.5). The variable `name` is the name of either. */
const GROUP_FIELDS = [
  'introduction',
  'category',
  'headcount',
  'createBy',
  'createTime',
  'readHistory',
  'avatarUrl',
] as const;
const USER_FIELDS = [
  'nickname',
  'registerTimeText',
  'registerTime',
  'onLineDay',
  'continuousOnLineDay',
  'isVip',
  'avatarUrl',
] as const;

export type DirectoryVariable = 'name' | 'id' | (typeof USER_FIELDS)[number] | (typeof GROUP_FIELDS)[number];
/** Variables that need no file. */
export const DIRECTORY_VARIABLES: readonly string[] = [...new Set(['name', 'id', ...USER_FIELDS, ...GROUP_FIELDS])];

/** What variables stand for, by recipient. */
export class RecipientValues {
  readonly #table: Pick<RecipientTable, 'columns' | 'rows'> | undefined;
  readonly #directory: Pick<Directory, 'peek'> | undefined;
  readonly #columns: ReadonlyMap<string, number>;

  constructor(
    table: Pick<RecipientTable, 'columns' | 'rows'> | undefined,
    directory: Pick<Directory, 'peek'> | undefined,
  ) {
    this.#table = table;
    this.#directory = directory;
    this.#columns = new Map(table?.columns.map((name, at) => [name, at]));
  }

  /** Whether a value has to be looked up, because the file doesn't have it. */
  isFromDirectory(chat: Chat, name: string): boolean {
    return name !== 'id' && !(this.#columns.has(name) && this.#table?.rows.has(chatKey(chat)));
  }

  of(chat: Chat): Values {
    const cells = this.#table?.rows.get(chatKey(chat))?.cells;
    const found = this.#directory?.peek(chat.kind, chat.id);
    return (name) => {
      if (name === 'id') return chat.id;
      const column = this.#columns.get(name);
      if (cells && column !== undefined) return cells[column] ?? '';
      return found ? fieldOf(found, name) : '';
    };
  }
}

/** Each chat's own name: from the file, or else from the directory; empty if neither has one. */
export function ownNamesIn(
  table: Pick<RecipientTable, 'columns' | 'rows'> | undefined,
  directory: Pick<Directory, 'peek'> | undefined,
): (chat: Chat) => string {
  const inFile = new RecipientValues(table, undefined);
  const found = new RecipientValues(undefined, directory);
  return (chat) => textOf(inFile.of(chat)('name')) || textOf(found.of(chat)('name'));
}

function fieldOf(found: Found, name: string): string {
  if (found.kind === 'bot') return '';
  const { resource, kind } = found;
  if (name === 'name') return kind === 'group' ? found.resource.name : found.resource.nickname;
  const fields: readonly string[] = kind === 'group' ? GROUP_FIELDS : USER_FIELDS;
  if (!fields.includes(name)) return '';
  const value: unknown = resource[name as keyof typeof resource];
  return value === undefined ? '' : String(value);
}
