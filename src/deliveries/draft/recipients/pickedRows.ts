/** Which rows of the recipient file `where:` picks, and what is wrong with it. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { firstTexts, joinNames } from '../../../presentation/formats.ts';
import { withoutBlanks } from '../../../presentation/recipientCsv.ts';
import type { Chat } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { suggestionsFor } from '../document/keys.ts';
import { type Problem, renameFix, replaceFix, type TextRange } from '../document/problem.ts';
import { type Condition, PRESENT, type Where, whereKey } from '../document/where.ts';
import { toYaml } from '../document/yamlFields.ts';
import type { RecipientRow, RecipientTable } from './recipientTable.ts';

export interface PickedTable extends RecipientTable {
  /** The rows that aren't picked, by their keys. */
  readonly unmatched: ReadonlyMap<string, RecipientRow>;
  /** By column that `where:` names: some of the values that the file has there. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

/** More values of a column aren't compared with those in the document. */
const MAX_VALUES = 100_000;
/** So many are named. */
const MAX_NAMED = 3;

/** The last result for each table: most changes of a document leave this alone. */
const known = new WeakMap<RecipientTable, { key: string; picked: Promise<PickedTable> }>();

/** The table with the rows that are picked. Works in time slices. Never rejects. */
export function pickRows(table: RecipientTable, where: Where): Promise<PickedTable> {
  const key = whereKey(where);
  const last = known.get(table);
  if (last?.key === key) return last.picked;
  const picked = pick(table, where);
  known.set(table, { key, picked });
  return picked;
}

async function pick(table: RecipientTable, { conditions }: Where): Promise<PickedTable> {
  const tests = conditions.flatMap(({ column, values, isNot }) => {
    const at = table.columns.indexOf(column.name);
    const wanted = values === PRESENT ? undefined : new Set(values.map(({ text }) => comparable(text)));
    // A column that isn't there is an error.
    return at < 0 ? [] : [{ name: column.name, at, wanted, isNot, seen: new Set<string>() }];
  });
  const rows = new Map<string, RecipientRow>();
  const unmatched = new Map<string, RecipientRow>();
  const counts: Record<Chat['kind'], number> = { group: 0, user: 0 };
  await new TimeSlices().each(table.rows, ([key, row]) => {
    let isPicked = true;
    for (const { at, wanted, isNot, seen } of tests) {
      const cell = comparable(row.cells[at] ?? '');
      if (seen.size < MAX_VALUES) seen.add(cell);
      if ((wanted ? wanted.has(cell) : cell !== '') === isNot) isPicked = false;
    }
    (isPicked ? rows : unmatched).set(key, row);
    if (isPicked) counts[row.chat.kind]++;
  });
  const values = new Map(tests.map(({ name, seen }) => [name, seen]));
  return { ...table, rows, counts, unmatched, values };
}

/** The same for texts that look the same: with other spaces that don't break lines, or invisible characters around them. */
export const comparable = (text: string) =>
  withoutBlanks(text)
    .replace(/[\u00A0\u2007\u202F]/g, ' ')
    .normalize('NFC');

/** `isAnyoneElse` is whether the document names others than those in the file, which is called `file`. */
export function whereProblems(where: Where, table: PickedTable, file: string, isAnyoneElse: boolean): Problem[] {
  const columns = table.columns.filter(Boolean);
  const found = where.conditions.flatMap((condition) =>
    columns.includes(condition.column.name)
      ? valueProblems(condition, table.values.get(condition.column.name) ?? new Set(), file)
      : [columnProblem(condition.column, columns, file)],
  );
  const isReadable = found.every(({ severity }) => severity !== 'error');
  if (!isReadable || table.rows.size > 0 || table.unmatched.size === 0) return found;
  const nobody = l10n.t('where: picks no row of {0}.', file);
  const { start, end } = where;
  return [...found, { severity: isAnyoneElse ? 'warning' : 'error', text: nobody, start, end }];
}

function columnProblem({ name, start, end }: Condition['column'], columns: readonly string[], file: string): Problem {
  const named = joinNames(
    firstTexts(
      columns.map((one) => excerpt(one, 60)),
      MAX_NAMED,
    ),
  );
  const text = l10n.t('{0} has no column {1}. It has: {2}.', file, excerpt(name, 60), named);
  const fixes = suggestionsFor(name, columns).map((one) => renameFix({ start, end }, one, toYaml(one)));
  return { severity: 'error', text, start, end, fixes };
}

/** Values that no row has, such as misspelled ones. */
function valueProblems({ column, values }: Condition, seen: ReadonlySet<string>, file: string): Problem[] {
  if (values === PRESENT || seen.size >= MAX_VALUES) return [];
  return values
    .filter(({ text }) => !seen.has(comparable(text)))
    .map(({ text, start, end }): Problem => {
      const place: TextRange = { start, end };
      const others = [...seen].filter(Boolean);
      const fixes = suggestionsFor(text, others).map((one) => replaceFix(place, one, toYaml(one)));
      const said = l10n.t('No row of {0} has {1} under {2}.', file, excerpt(text, 60), excerpt(column.name, 60));
      return { severity: 'warning', text: said, ...place, fixes };
    });
}
