/** The report of a delivery, as Markdown and as CSV. */
import { csvLine, joinCsv } from '../../markup/csv.ts';
import { escapeInvisible, excerpt, shownCount } from '../../markup/escapeInvisible.ts';
import { codeBlock, escapeValue } from '../../markup/escapeMarkdown.ts';
import { type CsvText, type DocumentMarkdown, documentMarkdown, joinDocument } from '../../markup/safeText.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { copyText } from '../../presentation/dialogs.ts';
import { formatCount, formatDateTime, joinSentences } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { shownColumns } from '../../protocol/report.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { textsOf } from '../outbox/deliveryMessages.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome } from '../outbox/deliveryStatus.ts';
import type { DeliveryTimes } from '../outbox/deliveryStore.ts';
import {
  headingOf,
  headlineOf,
  notesOf,
  originOf,
  plannedTexts,
  scheduleOf,
  testTexts,
  unpickedTexts,
} from '../outbox/deliveryTexts.ts';
import { type OutboxEntry, shownTimeOf } from '../outbox/outboxEntry.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import { COLUMNS, CSV_COLUMNS, wholeTextOf } from './reportList.ts';

/** What to do before anything is sent again. */
const checkText = (unchecked: number) =>
  unchecked === 1
    ? l10n.t('Before you resend, use Check Delivery: 1 recipient may have the message.')
    : l10n.t('Before you resend, use Check Delivery: {0} recipients may have the message.', formatCount(unchecked));

/** More rows than this would make the Markdown preview slow. */
const MAX_ROWS = 1_000;

/** How much of a text a row shows (UTF-16 units). */
const MAX_TEXT = 200;

/** Copies the report of a delivery. */
export const copyReport = async (entry: OutboxEntry, format: 'markdown' | 'csv') =>
  copyText(await reportText(entry, format));

export const reportText = (entry: OutboxEntry, format: 'markdown' | 'csv') =>
  format === 'csv' ? csvOf(entry.status) : reportOf(entry);

export const reportTitle = (name: ShownText) => l10n.t('Delivery of “{0}”', name);

/** What a report says before it lists recipients. */
export function summaryOf(entry: OutboxEntry) {
  const { status, isRunning } = entry;
  const { delivery } = status;
  const times: Partial<DeliveryTimes> = isRunning ? {} : entry;
  return {
    title: reportTitle(headingOf(delivery)),
    origin: times.due === undefined ? originOf(status) : scheduleOf(delivery, times.due),
    headline: joinSentences(isRunning && l10n.t('Sending…'), headlineOf(entry)),
    notes: [
      ...(status.unchecked > 0 && !isRunning ? [checkText(status.unchecked)] : []),
      ...notesOf(status),
      ...testTexts(delivery),
      ...plannedTexts(delivery, times),
      ...unpickedTexts(delivery),
      // Somebody may look for the report by the name of its document.
      ...(singleLineName(delivery.name) === headingOf(delivery) ? [] : [l10n.t('Document: {0}', delivery.name)]),
    ],
  };
}

/** The delivery that one reminds of, and those that remind of it or of its resends, as the report links to them. */
export function relatedTo(
  { status, resends }: Pick<OutboxEntry, 'status'> & { resends: readonly string[] },
  all: readonly OutboxEntry[],
): { delivery: string; text: string }[] {
  const { id, follows } = status.delivery;
  return all.flatMap((entry) => {
    const { delivery } = entry.status;
    const related = { delivery: delivery.id };
    const when = formatDateTime(shownTimeOf(entry));
    if (delivery.id === follows)
      return [{ ...related, text: l10n.t('Reminds of “{0}”, {1}', headingOf(delivery), when) }];
    const reminds = !delivery.isTest && delivery.follows !== undefined && [id, ...resends].includes(delivery.follows);
    return reminds ? [{ ...related, text: l10n.t('Reminder: “{0}”, {1}', headingOf(delivery), when) }] : [];
  });
}

/** The report as a Markdown document: the recipients with their outcomes, and the service's own messages. */
export async function reportOf(entry: OutboxEntry): Promise<DocumentMarkdown> {
  const { status } = entry;
  const { delivery } = status;
  const { title, origin, headline, notes } = summaryOf(entry);
  const slices = new TimeSlices();
  const listed: Recipient[] = [];
  // Recipients that need the most attention come first.
  const total = OUTCOME_STATES.reduce((sum, state) => sum + status.listedCount(state), 0);
  const limit = shownCount(total, MAX_ROWS);
  for (const state of OUTCOME_STATES) {
    listed.push(...status.firstListed(state, limit - listed.length));
    if (slices.isOver) await slices.pause();
  }
  const columns = shownColumns(delivery.variables !== undefined).map((name) => COLUMNS[name]);
  const texts = await textsOf(delivery, listed);
  const rows: DocumentMarkdown[] = [];
  await slices.each(listed, (recipient) => {
    const text = excerpt(texts.get(chatKey(recipient)) ?? '', MAX_TEXT, escapeInvisible);
    const listed = { recipient, outcome: status.outcomeOf(recipient), text };
    rows.push(tableRow(columns.map((column) => cell(column.text(listed)))));
  });
  const more = total - listed.length;
  const table = [
    tableRow(columns.map((column) => cell(column.title()))),
    tableRow(columns.map(() => documentMarkdown`---`)),
    ...rows,
  ];
  const text = joinDocument(
    [
      documentMarkdown`# ${cell(title)}`,
      cell(origin),
      cell(headline),
      ...notes.map(cell),
      joinDocument(table, '\n'),
      ...wholeTexts(listed.map((recipient) => status.outcomeOf(recipient))),
      more > 0 && cell(l10n.t('… and {0} more. Copy the report as CSV to see everyone.', formatCount(more))),
    ],
    '\n\n',
  );
  return documentMarkdown`${text}\n\n`;
}

/** How many texts that the rows only begin are shown whole. */
const MAX_WHOLE = 3;

/** The whole texts of the service that are too long for a row, under a heading. */
function wholeTexts(outcomes: readonly Outcome[]): DocumentMarkdown[] {
  const whole = new Set(outcomes.flatMap((outcome) => wholeTextOf(outcome) ?? []));
  const blocks = [...whole].slice(0, MAX_WHOLE).map((text) => codeBlock('', text));
  return blocks.length > 0 ? [documentMarkdown`## ${cell(l10n.t('Whole text'))}`, ...blocks] : [];
}

/** The report as CSV (RFC 4180), with a line for each recipient, which ends with the values that it got, if any. */
export async function csvOf(status: DeliveryStatus): Promise<CsvText> {
  const slices = new TimeSlices();
  const { batches, leftOut, variables = [] } = status.delivery;
  const lines = [csvLine([...CSV_COLUMNS.map((column) => column.title()), ...variables])];
  const add = (recipient: Recipient, values: readonly string[]) => {
    const listed = { recipient, outcome: status.outcomeOf(recipient), text: '' };
    lines.push(csvLine([...CSV_COLUMNS.map((column) => column.text(listed)), ...values]));
  };
  for (const { recipients, values = [] } of batches) await slices.each(recipients, (one) => add(one, values));
  await slices.each(leftOut?.people ?? [], (one) =>
    add(
      one,
      variables.map(() => ''),
    ),
  );
  return joinCsv(lines);
}

/** Names and texts from the service are untrusted: plain text on one line, never markup. */
const cell = (text: string) => escapeValue(escapeInvisible(text));

/** A row of a table, whose cells may be empty. */
function tableRow(cells: readonly DocumentMarkdown[]): DocumentMarkdown {
  const ended = cells.map((text) => documentMarkdown` ${text} |`);
  return documentMarkdown`|${joinDocument(ended, '')}`;
}
