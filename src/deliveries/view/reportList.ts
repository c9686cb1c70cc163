/** The recipients that a report lists, in the order in which they were found, and what it says of each: its columns. */
import { l10n } from 'vscode';
import { fold } from '../../markup/caseFolding.ts';
import { visibleText } from '../../markup/escapeInvisible.ts';
import { type KnownNames, kindText, withLabel } from '../../presentation/describe.ts';
import { wholeErrorText } from '../../presentation/errorText.ts';
import { REPORT_COLUMNS, type ReportColumn, type ReportQuery, type ReportRow } from '../../protocol/report.ts';
import { ServiceError } from '../../service/errors.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { textsOf } from '../outbox/deliveryMessages.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome } from '../outbox/deliveryStatus.ts';
import { detailOf, stateText } from '../outbox/deliveryTexts.ts';
import { type Recipient, shownName } from '../plan/deliveryPlan.ts';

/** How many recipients the page gets at a time. */
const PORTION = 200;

/** How much of a personal text a row has (UTF-16 units). */
const MAX_TEXT = 1_000;

export class ReportList {
  /** By which the page knows it. */
  readonly number: number;
  readonly #recipients: readonly Recipient[];
  /** The rows that the page has. */
  readonly #rows: ReportRow[] = [];

  private constructor(number: number, recipients: readonly Recipient[]) {
    this.number = number;
    this.#recipients = recipients;
  }

  /** Those that need the most attention come first. Undefined if the list isn't wanted any more before it's made. */
  static async find(
    number: number,
    status: DeliveryStatus,
    { results, text }: ReportQuery,
    known: KnownNames | undefined,
    isWanted: () => boolean,
  ): Promise<ReportList | undefined> {
    const found = new Map(OUTCOME_STATES.map((state): [Outcome['state'], Recipient[]] => [state, []]));
    const wanted = fold(text.trim());
    const slices = new TimeSlices();
    for (const listed of status.listed()) {
      if (slices.isOver) await slices.pause();
      if (!isWanted()) return undefined;
      const outcome = status.outcomeOf(listed);
      if (results.length > 0 && !results.includes(outcome.state)) continue;
      const recipient: Recipient = withLabel(listed, known);
      const { name, label = '', id } = recipient;
      if (!wanted || [label, name, id, detailOf(outcome)].some((part) => fold(part).includes(wanted)))
        found.get(outcome.state)?.push(recipient);
    }
    return new ReportList(number, [...found.values()].flat());
  }

  get total(): number {
    return this.#recipients.length;
  }

  /** The rows after those that the page has. */
  async more(status: DeliveryStatus): Promise<ReportRow[]> {
    const next = this.#recipients.slice(this.#rows.length, this.#rows.length + PORTION);
    const texts = await textsOf(status.delivery, next);
    const rows: ReportRow[] = [];
    await new TimeSlices().each(next, (listed) => {
      const text = visibleText(texts.get(chatKey(listed)) ?? '', MAX_TEXT);
      const recipient = { ...listed, name: shownName(listed) };
      rows.push(rowOf({ recipient, outcome: status.outcomeOf(listed), text }));
    });
    this.#rows.push(...rows);
    return rows;
  }

  /** The rows that the page has and that have changed since, with their index. */
  async changed(status: DeliveryStatus): Promise<{ at: number; row: ReportRow }[]> {
    const changed: { at: number; row: ReportRow }[] = [];
    await new TimeSlices().each(this.#rows.entries(), ([at, before]) => {
      const row = rowOf({ recipient: before, outcome: status.outcomeOf(before), text: before.ownText });
      if (REPORT_COLUMNS.some((name) => row[name] !== before[name])) changed.push({ at, row });
    });
    for (const { at, row } of changed) this.#rows[at] = row;
    return changed;
  }
}

/** What is known of a recipient that a report lists. */
interface Listed {
  readonly recipient: Recipient;
  readonly outcome: Outcome;
  /** What only this recipient got; empty if all got the same. */
  readonly text: string;
}

interface Column {
  title(): string;
  text(listed: Listed): string;
}

/** In the order of CSV, which other programs read: a new column comes last. Only CSV has `kind`. */
export const COLUMNS = {
  name: { title: () => l10n.t('Recipient'), text: ({ recipient }) => recipient.name },
  kind: { title: () => l10n.t('Type'), text: ({ recipient }) => kindText(recipient.kind) },
  id: { title: () => l10n.t('ID'), text: ({ recipient }) => recipient.id },
  result: { title: () => l10n.t('Result'), text: ({ outcome }) => stateText(outcome.state) },
  details: { title: () => l10n.t('Details'), text: ({ outcome }) => detailOf(outcome) },
  ownText: { title: () => l10n.t('Text'), text: ({ text }) => text },
} satisfies Record<ReportColumn | 'kind', Column>;

/** CSV has the values that a text was made with instead of it. */
export const CSV_COLUMNS = Object.values(COLUMNS).filter((column) => column !== COLUMNS.ownText);

const textsBy = (textOf: (column: Column) => string) =>
  Object.fromEntries(REPORT_COLUMNS.map((name) => [name, textOf(COLUMNS[name])])) as Record<ReportColumn, string>;

/** The headings of the columns on the page. */
export const columnTitles = () => textsBy((column) => column.title());

/** The row of a recipient on the page. */
const rowOf = (listed: Listed): ReportRow => ({
  ...textsBy((column) => column.text(listed)),
  kind: listed.recipient.kind,
  state: listed.outcome.state,
  isCut: wholeTextOf(listed.outcome) !== undefined,
});

/** All that the service said about a recipient, if the details quote less. */
export function wholeTextOf(outcome: Outcome): string | undefined {
  return 'failure' in outcome && outcome.failure ? wholeErrorText(new ServiceError(outcome.failure)) : undefined;
}
