/** The recipients that a report lists, in the order in which they were found, and what it says of each: its columns. */
import { fold } from '../../markup/caseFolding.ts';
import { visibleText } from '../../markup/escapeInvisible.ts';
import { type KnownNames, kindText, withLabel } from '../../presentation/describe.ts';
import { wholeErrorText } from '../../presentation/errorText.ts';
import { l10n } from '../../presentation/shown.ts';
import { REPORT_COLUMNS, type ReportColumn, type ReportQuery, type ReportRow } from '../../protocol/report.ts';
import { ServiceError } from '../../service/errors.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { textsOf } from '../outbox/deliveryMessages.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome } from '../outbox/deliveryStatus.ts';
import { detailOf, stateText } from '../outbox/deliveryTexts.ts';
import { type Recipient, shownName } from '../plan/deliveryPlan.ts';

/** How many recipients the page gets at a time. */
export const PORTION = 200;

/** How much of a personal text a row has (UTF-16 units). */
const MAX_TEXT = 1_000;

/** Those that need the most attention come first. Undefined if they aren't wanted any more before all are found. */
export async function findRecipients(
  status: DeliveryStatus,
  { results, text }: ReportQuery,
  known: KnownNames | undefined,
  isWanted: () => boolean,
): Promise<Recipient[] | undefined> {
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
  return [...found.values()].flat();
}

/** The rows of these recipients on the page. */
export async function rowsOf(recipients: readonly Recipient[], status: DeliveryStatus): Promise<ReportRow[]> {
  const texts = await textsOf(status.delivery, recipients);
  const rows: ReportRow[] = [];
  await new TimeSlices().each(recipients, (listed) => {
    const ownText = visibleText(texts.get(chatKey(listed)) ?? '', MAX_TEXT);
    rows.push(rowNow({ ...listed, name: shownName(listed), ownText }, status));
  });
  return rows;
}

/** A row as it is now. */
export function rowNow(
  { ownText: text, ...recipient }: Recipient & Pick<ReportRow, 'ownText'>,
  status: DeliveryStatus,
): ReportRow {
  const outcome = status.outcomeOf(recipient);
  return {
    ...textsBy((column) => column.text({ recipient, outcome, text })),
    kind: recipient.kind,
    state: outcome.state,
    isCut: wholeTextOf(outcome) !== undefined,
  };
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

/** All that the service said about a recipient, if the details quote less. */
export function wholeTextOf(outcome: Outcome): string | undefined {
  return 'failure' in outcome && outcome.failure ? wholeErrorText(new ServiceError(outcome.failure)) : undefined;
}
