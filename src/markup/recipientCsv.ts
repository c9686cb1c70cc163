/** CSV that lists recipients: an `id` column, perhaps a `kind` column, and any others. */
import type { Chat } from '../service/model.ts';
import { type CsvRow, readCsv } from './csv.ts';

export interface RecipientCsv {
  /** The names in the first row, without white space and invisible characters around them. */
  readonly columns: readonly string[];
  /** Its columns may be wrong. */
  readonly isHeadBroken: boolean;
  readonly idColumn: number;
  /** -1 if there is none. */
  readonly kindColumn: number;
  /** The rows after the first, read as they are needed. */
  readonly rows: Iterable<CsvRow>;
}

const SEPARATORS = [',', ';', '\t'];
const KINDS = new Map<string, Chat['type']>([
  ['group', 'group'],
  ['user', 'user'],
  ['person', 'user'],
]);

/** Reads text, which may come in pieces. Undefined if no separator gives a first row with an `id` column. */
export function readRecipientCsv(text: string | readonly string[]): RecipientCsv | undefined {
  for (const separator of SEPARATORS) {
    const rows = readCsv(text, separator);
    const first: CsvRow | undefined = rows.next().value ?? undefined;
    const columns = (first?.cells ?? []).map((cell) => cell.replace(AROUND, ''));
    const names = columns.map(columnKey);
    if (names.includes('id')) {
      const isHeadBroken = first?.isBroken ?? false;
      return { columns, isHeadBroken, idColumn: names.indexOf('id'), kindColumn: names.indexOf('kind'), rows };
    }
  }
  return undefined;
}

/** White space and invisible characters around a name. */
const AROUND = /^[\s\p{Cc}\p{Cf}]+|(?<![\s\p{Cc}\p{Cf}])[\s\p{Cc}\p{Cf}]+$/gu;

/** The same for names that people take for the same. */
export const columnKey = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** What a `kind` column or setting says; undefined if it's neither a group nor a person. */
export const chatTypeOf = (kind: string): Chat['type'] | undefined => KINDS.get(kind.trim().toLowerCase());
