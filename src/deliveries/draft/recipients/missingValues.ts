/** What the values of recipients in a file are for the variables of a message: missing, no addresses, of several lines, or several hosts. */
import type { MessageTemplate } from '../../../markup/messageTemplate.ts';
import type { Chat } from '../../../service/model.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import type { RecipientTable } from './recipientTable.ts';
import { RecipientValues } from './recipientValues.ts';

/** How many values are missing, and the line of the first. */
export interface Missing {
  count: number;
  line: number;
}

export interface MissingValues {
  /** By variable: those without a value and without a default. */
  readonly empty: ReadonlyMap<string, Missing>;
  /** By variable: those that should be an address and aren't. */
  readonly notAddress: ReadonlyMap<string, Missing>;
  /** By variable: those of several lines, which become one. */
  readonly severalLines: ReadonlyMap<string, Missing>;
  /** By variable that is a whole address: the hosts that it leads to. */
  readonly hosts: ReadonlyMap<string, ReadonlySet<string>>;
  /** The recipients concerned: the objects in the table. */
  readonly chats: ReadonlySet<Chat>;
}

/** The last result for each table: most changes of a document leave its variables alone. */
const known = new WeakMap<RecipientTable, { template: MessageTemplate; found: Promise<MissingValues> }>();

/** Counts in time slices. Values of the directory aren't known before sending. Never rejects. */
export function missingValues(template: MessageTemplate, table: RecipientTable): Promise<MissingValues> {
  const last = known.get(table);
  if (last?.template.hasSameVariables(template)) return last.found;
  const found = count(template, table);
  known.set(table, { template, found });
  return found;
}

async function count(template: MessageTemplate, table: RecipientTable): Promise<MissingValues> {
  const values = new RecipientValues(table, undefined);
  const empty = new Map<string, Missing>();
  const notAddress = new Map<string, Missing>();
  const severalLines = new Map<string, Missing>();
  const hosts = new Map<string, Set<string>>();
  const chats = new Set<Chat>();
  await new TimeSlices().each(table.rows.values(), ({ chat, line }) => {
    const valuesOf = values.of(chat);
    const lacking = template.check(valuesOf);
    const broken = template.variables.filter((name) => /[\r\n]/.test(valuesOf(name).trim()));
    for (const [name, host] of lacking.hosts) hosts.set(name, (hosts.get(name) ?? new Set()).add(host));
    for (const [missing, names] of [
      [empty, lacking.empty],
      [notAddress, lacking.notAddress],
      [severalLines, broken],
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
  return { empty, notAddress, severalLines, hosts, chats };
}
