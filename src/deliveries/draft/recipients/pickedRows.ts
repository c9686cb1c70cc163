/** Which rows of the recipient file `where:` picks, and what is wrong with it. */
import { fold } from '../../../markup/caseFolding.ts';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { firstTexts, joinNames } from '../../../presentation/formats.ts';
import { withoutBlanks } from '../../../presentation/recipientCsv.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import type { Chat } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { suggestionsFor } from '../document/keys.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, type Problem, renameFix, replaceFix, startOfLine, type TextRange } from '../document/problem.ts';
import { type Condition, PRESENT, type Where, whereKey } from '../document/where.ts';
import { toYaml } from '../document/yamlFields.ts';
import { pathText } from './recipientFiles.ts';
import type { RecipientRow, RecipientTable } from './recipientTable.ts';

export interface PickedTable extends RecipientTable {
  /** The rows that aren't picked, by their keys. */
  readonly unmatched: ReadonlyMap<string, RecipientRow>;
  /** Some of the values in the file, each with its folded text, by the column that `where:` names. */
  readonly values: ReadonlyMap<string, Values>;
}

type Values = ReadonlyMap<string, string>;

/** How many values of a column are compared with those in the document. */
const MAX_VALUES = 100_000;
/** How many values are named in a problem. */
const MAX_NAMED = 3;

/** The last result for each table: most edits of a document leave `where:` alone. */
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
    // A column that the file lacks is reported as an error.
    return at < 0 ? [] : [{ name: column.name, at, wanted, isNot, seen: new Map<string, string>() }];
  });
  const rows = new Map<string, RecipientRow>();
  const unmatched = new Map<string, RecipientRow>();
  const counts: Record<Chat['kind'], number> = { group: 0, user: 0 };
  await new TimeSlices().each(table.rows, ([key, row]) => {
    let isPicked = true;
    for (const { at, wanted, isNot, seen } of tests) {
      const cell = comparable(row.cells[at] ?? '');
      if (seen.size < MAX_VALUES && !seen.has(cell)) seen.set(cell, fold(cell));
      if ((wanted ? wanted.has(cell) : cell !== '') === isNot) isPicked = false;
    }
    (isPicked ? rows : unmatched).set(key, row);
    if (isPicked) counts[row.chat.kind]++;
  });
  const values = new Map(tests.map(({ name, seen }) => [name, seen]));
  return { ...table, rows, counts, unmatched, values };
}

/** A text that is equal for texts that look the same: with other non-breaking spaces, or invisible characters around them. */
export const comparable = (text: string) =>
  withoutBlanks(text)
    .replace(/[\u00A0\u2007\u202F]/g, ' ')
    .normalize('NFC');

/** The problems of `where:`. `text` is that of the document, and `table` what it picks. */
export function whereProblems(text: string, draft: ParsedDraft, table: PickedTable): Problem[] {
  const { where, recipientFile, recipients, audiences } = draft;
  if (!where) return [];
  const file = pathText(recipientFile?.path ?? '');
  const columns = table.columns.filter(Boolean);
  const found = where.conditions.flatMap((condition) =>
    columns.includes(condition.column.name)
      ? valueProblems(text, condition, table.values.get(condition.column.name) ?? new Map(), file)
      : [columnProblem(condition.column, columns, file)],
  );
  const isReadable = found.every(({ severity }) => severity !== 'error');
  if (!isReadable || table.rows.size > 0 || table.unmatched.size === 0) return found;
  const nobody = l10n.t('where: picks no row of {0}.', file);
  const { start, end } = where;
  const isAnyoneElse = recipients.length + audiences.length > 0;
  return [...found, { severity: isAnyoneElse ? 'warning' : 'error', text: nobody, start, end }];
}

function columnProblem({ name, start, end }: Condition['column'], columns: readonly string[], file: string): Problem {
  const text = l10n.t('{0} has no column {1}. It has: {2}.', file, excerpt(name, 60), listText(columns));
  const [alike] = columns.filter((one) => fold(one) === fold(name));
  const meant = alike === undefined ? suggestionsFor(name, columns) : [alike];
  const fixes = meant.map((one) => renameFix({ start, end }, one, toYaml(one)));
  return { severity: 'error', text, start, end, fixes };
}

/** Reports values that no row has, such as misspelled ones, and values that look nearly like others of the file. */
function valueProblems(text: string, { column, values }: Condition, seen: Values, file: string): Problem[] {
  if (values === PRESENT || seen.size >= MAX_VALUES) return [];
  const wanted = new Set(values.map((one) => comparable(one.text)));
  const under = excerpt(column.name, 60);
  const compared = new Set<string>();
  return values.flatMap((value): Problem[] => {
    const { start, end } = value;
    const folded = fold(comparable(value.text));
    const alike = [...seen].filter(([one, other]) => other === folded && !wanted.has(one)).map(([one]) => one);
    if (!seen.has(comparable(value.text))) {
      // In a list, the word would be a value like any other.
      const isPresent = !seen.has(PRESENT) && text.slice(startOfLine(text, start), start).trimEnd().endsWith(':');
      const candidates = [...seen.keys()].filter(Boolean).concat(isPresent ? PRESENT : []);
      const meant = alike.length > 0 ? alike : suggestionsFor(value.text.normalize('NFKC'), candidates);
      const fixes = meant
        .slice(0, MAX_NAMED)
        .map((one) => replaceFix({ start, end }, one, isPresent && one === PRESENT ? PRESENT : written(one)));
      const said = l10n.t('No row of {0} has {1} under {2}.', file, excerpt(value.text, 60), under);
      return [{ severity: 'warning', text: said, start, end, fixes }];
    }
    if (alike.length === 0 || compared.has(folded)) return [];
    compared.add(folded);
    const others = listText(alike);
    const said =
      alike.length === 1
        ? l10n.t('{0} also has {1} under {2}, which counts as another value.', file, others, under)
        : l10n.t('{0} also has {1} under {2}, which count as other values.', file, others, under);
    return [{ severity: 'warning', text: said, start, end, fixes: [addFix(text, value, alike, others)] }];
  });
}

function listText(texts: readonly string[]): ShownText {
  const shown = texts.map((one) => excerpt(one, 60));
  return joinNames(firstTexts(shown, MAX_NAMED));
}

/** Adds values beside another one: in its list, or in a new list. */
function addFix(text: string, { start, end }: TextRange, values: readonly string[], title: ShownText): Fix {
  const line = startOfLine(text, start);
  const lead = text.slice(line, start);
  const added = values.map((one) => `, ${written(one)}`).join('');
  const edits = /^\s*-\s+$/.test(lead)
    ? [{ start: line, end: line, text: values.map((one) => `${lead}${written(one)}\n`).join('') }]
    : /[,[]\s*$/.test(text.slice(0, start))
      ? [{ start: end, end, text: added }]
      : [
          { start, end: start, text: '[' },
          { start: end, end, text: `${added}]` },
        ];
  return { title: l10n.t('Add {0}', title), edits };
}

/** Without quotation marks, the word would stand for any value. */
const written = (value: string) => (value === PRESENT ? JSON.stringify(value) : toYaml(value));
