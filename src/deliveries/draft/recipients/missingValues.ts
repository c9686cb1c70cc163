/**
 * Checks what recipients have for the variables of a message: missing values, values that are no addresses or have several
 * lines, errors of spreadsheets, addresses on several hosts. Those of a file are reported in the draft.
 */
import { isSheetError } from '../../../markup/listedId.ts';
import { type CheckedValues, MessageTemplate } from '../../../markup/messageTemplate.ts';
import { marksAround, type Values } from '../../../markup/template.ts';
import { formatCount } from '../../../presentation/formats.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, type Problem, TOP } from '../document/problem.ts';
import { NO_RULES, type Rules } from '../leaveOut.ts';
import { pathText } from './recipientFiles.ts';
import { type RecipientRow, type RecipientTable, RecipientValues } from './recipientTable.ts';
import { severalHostsText, variableName, withMarks } from './variableText.ts';

/** How many recipients have a fault in the values of a variable, and the first of them. */
export interface Missing<One> {
  count: number;
  readonly first: One;
}

/** For each fault, the variables of one recipient that have it, and the hosts of variables that are whole addresses. */
type Found<F extends string> = Readonly<Record<F, readonly string[]>> & Pick<CheckedValues, 'hosts'>;

/** For each fault, the recipients that have it, by variable. */
type Counted<F extends string, One> = Readonly<Record<F, ReadonlyMap<string, Missing<One>>>> & {
  readonly hosts: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Counts faults in time slices. `find` returns the faults of one recipient; undefined if the recipient doesn't count. */
export async function countFaults<F extends string, One>(
  faults: readonly F[],
  recipients: Iterable<One>,
  find: (one: One) => Found<F> | undefined,
): Promise<Counted<F, One>> {
  const hosts = new Map<string, Set<string>>();
  const counts = Object.fromEntries(faults.map((fault) => [fault, new Map()])) as Record<F, Map<string, Missing<One>>>;
  await new TimeSlices().each(recipients, (one) => {
    const found = find(one);
    if (!found) return;
    for (const [name, host] of found.hosts) hosts.set(name, (hosts.get(name) ?? new Set()).add(host));
    for (const fault of faults)
      for (const name of found[fault]) {
        const missing = counts[fault].get(name);
        if (missing) missing.count++;
        else counts[fault].set(name, { count: 1, first: one });
      }
  });
  return { ...counts, hosts };
}

/** The faults of values, and what is said of each for one recipient, and for several. */
const FAULTS = {
  /** The variable has neither a value nor a default. */
  empty: {
    one: (...words) => l10n.t('{0} is empty for 1 recipient, on line {1} of {2}.', ...words),
    several: (...words) => l10n.t('{0} is empty for {1} recipients, first on line {2} of {3}.', ...words),
  },
  /** The value should be an address. */
  notAddress: {
    one: (...words) => l10n.t("{0} isn't a web address for 1 recipient, on line {1} of {2}.", ...words),
    several: (...words) => l10n.t("{0} isn't a web address for {1} recipients, first on line {2} of {3}.", ...words),
  },
  /** A value of several lines becomes one line. */
  severalLines: {
    one: (...words) =>
      l10n.t('{0} has line breaks for 1 recipient, on line {1} of {2}. Spaces are sent instead.', ...words),
    several: (...words) =>
      l10n.t('{0} has line breaks for {1} recipients, first on line {2} of {3}. Spaces are sent instead.', ...words),
  },
  sheetErrors: {
    one: (...words) =>
      l10n.t('{0} is a spreadsheet error, such as #N/A, for 1 recipient, on line {1} of {2}.', ...words),
    several: (...words) =>
      l10n.t('{0} is a spreadsheet error, such as #N/A, for {1} recipients, first on line {2} of {3}.', ...words),
  },
} satisfies Record<string, Record<'one' | 'several', (...words: string[]) => string>>;
type Fault = keyof typeof FAULTS;

const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

interface MissingValues extends Counted<Fault, RecipientRow> {
  /** The recipients with the fault: the objects in the table. */
  readonly chats: ReadonlySet<Chat>;
}

interface Known {
  readonly template: MessageTemplate;
  readonly leftOut: ReadonlySet<string>;
  readonly found: Promise<MissingValues>;
}

/**
 * The last results for each table, for everyone and without those left out: most edits of a document leave its variables
 * alone.
 */
const known = new WeakMap<RecipientTable, readonly Known[]>();
const MAX_KNOWN = 2;

/**
 * Counts faults in time slices, without recipients whom the rules leave out: their values don't matter. Values of the
 * directory aren't known before sending. Never rejects.
 */
export function missingValues(
  template: MessageTemplate,
  table: RecipientTable,
  rules = NO_RULES,
): Promise<MissingValues> {
  if (rules.isEmpty) return countOnce(template, table, new Set());
  return leftOutOf(table, rules).then((leftOut) => countOnce(template, table, leftOut));
}

function countOnce(template: MessageTemplate, table: RecipientTable, leftOut: ReadonlySet<string>) {
  const before = known.get(table) ?? [];
  const isSame = (one: ReadonlySet<string>) => one.size === leftOut.size && [...one].every((key) => leftOut.has(key));
  const same = before.find((one) => one.template.hasSameVariables(template) && isSame(one.leftOut));
  if (same) return same.found;
  const found = count(template, table, leftOut);
  known.set(table, [{ template, leftOut, found }, ...before].slice(0, MAX_KNOWN));
  return found;
}

/** The keys of the rows whose recipients get nothing. */
async function leftOutOf({ rows }: RecipientTable, rules: Rules): Promise<ReadonlySet<string>> {
  const leftOut = new Set<string>();
  await new TimeSlices().each(rules.among(rows), ({ chat }) => leftOut.add(chatKey(chat)));
  return leftOut;
}

/**
 * The variables with each fault for one recipient. A value that isn't known isn't missing; only values of the file may have
 * several lines or be errors of a spreadsheet, and neither is said of a value that should be an address and isn't.
 */
export function faultsOf(
  template: MessageTemplate,
  valuesOf: Values,
  isInFile: (name: string) => boolean,
  isKnown = isInFile,
): Found<Fault> {
  const { empty, notAddress, hosts } = template.check(valuesOf);
  const inFile = template.variables.filter((name) => isInFile(name) && !notAddress.includes(name));
  return {
    empty: empty.filter(isKnown),
    notAddress: notAddress.filter(isKnown),
    severalLines: inFile.filter((name) => /[\r\n]/.test(valuesOf(name).trim())),
    sheetErrors: inFile.filter((name) => isSheetError(valuesOf(name))),
    hosts,
  };
}

export const hasFaults = (found: Found<Fault>) => FAULT_NAMES.some((fault) => found[fault].length > 0);

async function count(
  template: MessageTemplate,
  table: RecipientTable,
  leftOut: ReadonlySet<string>,
): Promise<MissingValues> {
  const values = new RecipientValues(table, undefined);
  const chats = new Set<Chat>();
  const inFile = new Set(table.columns);
  const counted = await countFaults(FAULT_NAMES, table.rows.values(), ({ chat }) => {
    if (leftOut.size > 0 && leftOut.has(chatKey(chat))) return undefined;
    const found = faultsOf(template, values.of(chat), (name) => inFile.has(name));
    if (hasFaults(found)) chats.add(chat);
    return found;
  });
  return { ...counted, chats };
}

/** The problems of missing values, at the variables in `text`, which is that of the document. */
export async function missingValueProblems(
  text: string,
  { message, variables, recipientFile }: ParsedDraft,
  table: RecipientTable,
  rules: Rules,
): Promise<Problem[]> {
  if (!message || variables.length === 0) return [];
  const missing = await missingValues(new MessageTemplate(message), table, rules);
  const file = pathText(recipientFile?.path ?? '');
  const found: Problem[] = [];
  for (const { name, fallback, isCode, start, end } of variables) {
    if (isCode) continue;
    const problemsOf = (fault: Fault, severity: Problem['severity']): Problem[] => {
      const rows = missing[fault].get(name);
      return rows ? [{ severity, text: faultText(fault, name, rows, file), start, end, line: rows.first.line }] : [];
    };
    // Only this place needs a default: the same variable may have one elsewhere.
    const [empty] = fallback === undefined ? problemsOf('empty', 'warning') : [];
    if (empty) {
      const edits = [{ start: end - 2, end: end - 2, text: '|$1', isSnippet: true as const }];
      const fixes: Fix[] = [{ title: l10n.t('Add a default text'), edits }];
      const marks = message.contentType === 'markdown' ? marksAround(text.slice(0, start), text.slice(end)) : '';
      found.push({ ...empty, text: withMarks(empty.text, marks), fixes, notIn: 'plan' });
    }
    const noAddress = problemsOf('notAddress', 'error');
    if (noAddress.length > 0) found.push(...noAddress);
    else found.push(...problemsOf('sheetErrors', 'warning'), ...problemsOf('severalLines', 'warning'));
  }
  for (const [name, linked] of missing.hosts) {
    const variable = variables.find((one) => one.name === name && !one.isCode);
    const { start, end } = variable ?? TOP;
    if (linked.size > 1) {
      const said = severalHostsText(name, [...linked]);
      found.push({ severity: 'warning', text: said, start, end, notIn: 'plan' });
    }
  }
  return found;
}

function faultText(fault: Fault, name: string, { count, first }: Missing<RecipientRow>, file: string): ShownText {
  const { one, several } = FAULTS[fault];
  const line = formatCount(first.line);
  return count === 1
    ? one(variableName(name), line, file)
    : several(variableName(name), formatCount(count), line, file);
}
