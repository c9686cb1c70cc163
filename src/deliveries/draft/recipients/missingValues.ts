/**
 * What the values of recipients in a file are for the variables of a message: missing, no addresses, of several lines,
 * spreadsheet errors, or several hosts.
 */
import { isSheetError } from '../../../markup/listedId.ts';
import type { MessageTemplate } from '../../../markup/messageTemplate.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { NO_RULES, type Rules } from '../leaveOut.ts';
import { type RecipientTable, RecipientValues } from './recipientTable.ts';

/** How many values are missing, and the line of the first. */
export interface Missing {
  count: number;
  line: number;
}

interface MissingValues {
  /** By variable: those without a value and without a default. */
  readonly empty: ReadonlyMap<string, Missing>;
  /** By variable: those that should be an address and aren't. */
  readonly notAddress: ReadonlyMap<string, Missing>;
  /** By variable: those of several lines, which become one. */
  readonly severalLines: ReadonlyMap<string, Missing>;
  /** By variable: those such as `#N/A`. */
  readonly sheetErrors: ReadonlyMap<string, Missing>;
  /** By variable that is a whole address: the hosts that it leads to. */
  readonly hosts: ReadonlyMap<string, ReadonlySet<string>>;
  /** The recipients concerned: the objects in the table. */
  readonly chats: ReadonlySet<Chat>;
}

interface Counted {
  readonly template: MessageTemplate;
  readonly leftOut: ReadonlySet<string>;
  readonly found: Promise<MissingValues>;
}

/** The last results for each table, for everyone and without those left out: most changes of a document leave its variables alone. */
const known = new WeakMap<RecipientTable, readonly Counted[]>();
const MAX_KNOWN = 2;

/**
 * Counts in time slices, without those whom the rules leave out: what they lack doesn't matter. Values of the directory aren't
 * known before sending. Never rejects.
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

/** Whether a value has several lines, which become one. */
export const hasLineBreaks = (value: string) => /[\r\n]/.test(value.trim());

async function count(
  template: MessageTemplate,
  table: RecipientTable,
  leftOut: ReadonlySet<string>,
): Promise<MissingValues> {
  const values = new RecipientValues(table, undefined);
  const empty = new Map<string, Missing>();
  const notAddress = new Map<string, Missing>();
  const severalLines = new Map<string, Missing>();
  const sheetErrors = new Map<string, Missing>();
  const hosts = new Map<string, Set<string>>();
  const chats = new Set<Chat>();
  await new TimeSlices().each(table.rows.values(), ({ chat, line }) => {
    if (leftOut.size > 0 && leftOut.has(chatKey(chat))) return;
    const valuesOf = values.of(chat);
    const lacking = template.check(valuesOf);
    const broken = template.variables.filter((name) => hasLineBreaks(valuesOf(name)));
    const failed = template.variables.filter((name) => isSheetError(valuesOf(name)));
    for (const [name, host] of lacking.hosts) hosts.set(name, (hosts.get(name) ?? new Set()).add(host));
    for (const [missing, names] of [
      [empty, lacking.empty],
      [notAddress, lacking.notAddress],
      [severalLines, broken],
      [sheetErrors, failed],
    ] as const) {
      for (const name of names) {
        if (!table.columns.includes(name)) continue;
        const first = missing.get(name);
        if (first) first.count++;
        else missing.set(name, { count: 1, line });
        chats.add(chat);
      }
    }
  });
  return { empty, notAddress, severalLines, sheetErrors, hosts, chats };
}
