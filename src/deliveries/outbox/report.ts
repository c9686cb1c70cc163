/** The report of a delivery, as Markdown and as CSV. */
import { l10n } from 'vscode';
import { csvLine } from '../../markup/csv.ts';
import { escapeInvisible, excerpt, shownCount } from '../../markup/escapeInvisible.ts';
import { codeBlock } from '../../markup/escapeMarkdown.ts';
import { plainMarkdown } from '../../presentation/card.ts';
import { shortServiceName } from '../../presentation/describe.ts';
import { errorText, wholeErrorText } from '../../presentation/errorText.ts';
import { formatCount, formatDateTime, joinSentences } from '../../presentation/formats.ts';
import { type Failure, ServiceError } from '../../service/errors.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Recipient } from './batches.ts';
import { textsOf } from './deliveryMessages.ts';
import type { EarlyStop } from './deliveryRunner.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome, type OutcomeState } from './deliveryStatus.ts';
import { type DeliveryTimes, sentTimeOf } from './deliveryTimes.ts';
import type { OutboxEntry } from './outbox.ts';
import { plannedTexts, scheduleOf } from './scheduledText.ts';

/** A summary of the delivery, followed by what went wrong. */
export function headline(status: DeliveryStatus, stopped?: EarlyStop): string {
  const { counts } = status;
  const reached = formatCount(counts.reached);
  const total = formatCount(status.total);
  const note =
    notesOf(status).length > 0 && l10n.t("The service's response doesn't match the request. See the report.");
  if (reached === total) {
    return joinSentences(l10n.t('Sent: {0} of {1} reached.', reached, total), note);
  }
  const reason = stopped ? stopText(stopped) : status.stopped && stopText({ why: status.stopped });
  const causes = new Set([...status.unreachedOutcomes()].slice(0, MAX_CAUSES).map(causeOf));
  const first = counts.notSent
    ? l10n.t('{0} of {1} reached. Not sent to {2}.', reached, total, formatCount(counts.notSent))
    : l10n.t('{0} of {1} reached.', reached, total);
  return joinSentences(first, reason, note, ...[...causes].filter(Boolean).slice(0, 3));
}

/** When a delivery was sent, by which bot and through which service. */
export const originOf = (status: DeliveryStatus) => {
  const { bot, service } = status.delivery;
  return l10n.t(
    '{0}, sent by {1} through {2}',
    formatDateTime(sentTimeOf(status)),
    bot.name,
    shortServiceName(service),
  );
};

/** Why a delivery stopped early. */
function stopText({ why, error }: EarlyStop): string {
  switch (why) {
    case 'person':
      return l10n.t('Canceled. You can resume it.');
    case 'token':
      return l10n.t('The service refused the token, so sending stopped.');
    case 'trouble':
      return l10n.t('The service had a problem, so sending stopped.');
    case 'disk':
      return l10n.t("The outbox couldn't be saved ({0}), so sending stopped.", String(error ?? '…'));
    case 'changed':
      return l10n.t(
        "A message can't be made again exactly as you confirmed it, so sending stopped. Send the document again to those it hasn't reached.",
      );
    case 'taken':
      return l10n.t('Another window is sending this message.');
    case 'deleted':
      return l10n.t('This delivery was deleted from the outbox, so sending stopped.');
  }
}

/** What to do before anything is sent again. */
const checkText = (unchecked: number) =>
  unchecked === 1
    ? l10n.t('Before you resend, use Check Delivery: 1 recipient may have the message.')
    : l10n.t('Before you resend, use Check Delivery: {0} recipients may have the message.', formatCount(unchecked));

/** More rows than this would make the Markdown preview slow. */
const MAX_ROWS = 1_000;
/** How much of a text a row shows (UTF-16 units). */
const MAX_TEXT = 200;
/** Outcomes whose causes are considered for the summary. */
const MAX_CAUSES = 100;
/** Notes, or IDs in a note, that are listed. */
const MAX_NOTES = 50;

type Reported = Pick<OutboxEntry, 'status' | 'isRunning'> & Partial<DeliveryTimes>;

/** What a report says before it lists recipients. */
export function headingOf({ status, isRunning, due, ...times }: Reported) {
  const { delivery } = status;
  return {
    title: l10n.t('Delivery of “{0}”', delivery.name),
    origin: due === undefined || isRunning ? originOf(status) : scheduleOf(delivery, due),
    headline: joinSentences(isRunning && l10n.t('Sending…'), headline(status)),
    notes: [
      ...(status.unchecked > 0 && !isRunning ? [checkText(status.unchecked)] : []),
      ...notesOf(status),
      ...plannedTexts(delivery, times),
    ],
  };
}

/** The report as a Markdown document: the recipients with their outcomes, and the service's own messages. */
export async function reportOf(entry: Reported): Promise<string> {
  const { status } = entry;
  const { delivery } = status;
  const { title, origin, headline, notes } = headingOf(entry);
  const slices = new TimeSlices();
  const listed: Recipient[] = [];
  // Recipients that need the most attention come first.
  const limit = shownCount(status.total, MAX_ROWS);
  for (const state of OUTCOME_STATES) {
    listed.push(...status.firstRecipients(state, limit - listed.length));
    if (slices.isOver) await slices.pause();
  }
  const isPersonal = delivery.variables !== undefined;
  const texts = await textsOf(delivery, listed);
  const rows: string[] = [];
  await slices.each(listed, (recipient) => {
    const outcome = status.outcomeOf(recipient);
    const text = isPersonal ? [excerpt(texts.get(chatKey(recipient)) ?? '', MAX_TEXT, escapeInvisible)] : [];
    rows.push(
      [recipient.name, recipient.id, stateText(outcome.state), detailOf(outcome), ...text].map(cell).join(' | '),
    );
  });
  const head = [l10n.t('Recipient'), l10n.t('ID'), l10n.t('Result'), l10n.t('Details')];
  const more = status.total - listed.length;
  return [
    `# ${cell(title)}`,
    ...[origin, headline, ...notes].map(cell),
    [
      `| ${[...head, ...(isPersonal ? [l10n.t('Text')] : [])].join(' | ')} |`,
      `|${' --- |'.repeat(head.length + (isPersonal ? 1 : 0))}`,
      ...rows.map((row) => `| ${row} |`),
    ].join('\n'),
    ...wholeTexts(listed.map((recipient) => status.outcomeOf(recipient))),
    ...(more > 0 ? [l10n.t('… and {0} more. Copy the report as CSV to see everyone.', formatCount(more))] : []),
    '',
  ].join('\n\n');
}

/** Of the texts that the rows only begin. */
const MAX_WHOLE = 3;

/** The whole texts of the service that are too long for a row, under a heading. */
function wholeTexts(outcomes: readonly Outcome[]): string[] {
  const failures = outcomes.flatMap((outcome) => ('failure' in outcome && outcome.failure ? [outcome.failure] : []));
  const whole = new Set(failures.map((failure) => wholeErrorText(new ServiceError(failure))).filter(Boolean));
  const blocks = [...whole].slice(0, MAX_WHOLE).map((text) => codeBlock('', text ?? ''));
  return blocks.length > 0 ? [`## ${l10n.t('Whole text')}`, ...blocks] : [];
}

/** The report as CSV (RFC 4180), with a line for each recipient, which ends with the values that it got, if any. */
export async function csvOf(status: DeliveryStatus): Promise<string> {
  const slices = new TimeSlices();
  const { batches, variables = [] } = status.delivery;
  const head = [l10n.t('Recipient'), l10n.t('Type'), l10n.t('ID'), l10n.t('Result'), l10n.t('Details')];
  const lines = [csvLine([...head, ...variables])];
  for (const { recipients, values = [] } of batches) {
    for (const recipient of recipients) {
      const outcome = status.outcomeOf(recipient);
      const { name, kind, id } = recipient;
      const what = kind === 'group' ? l10n.t('group') : l10n.t('person');
      lines.push(csvLine([name, what, id, stateText(outcome.state), detailOf(outcome), ...values]));
      if (slices.isOver) await slices.pause();
    }
  }
  return lines.join('');
}

/** Inconsistencies in the service's answers. */
function notesOf({ unrequested: surplus, repeated, unreadable, miscounted }: DeliveryStatus): string[] {
  const list = (ids: readonly string[]) => ids.slice(0, MAX_NOTES).join(', ');
  return [
    ...miscounted
      .slice(0, MAX_NOTES)
      .map(({ successCount, listed }) =>
        l10n.t('Recipients counted by the service: {0}. Listed: {1}.', formatCount(successCount), formatCount(listed)),
      ),
    ...(surplus.length > 0 ? [l10n.t("The service listed recipients you didn't send to: {0}", list(surplus))] : []),
    ...(repeated.length > 0 ? [l10n.t('The service listed recipients more than once: {0}', list(repeated))] : []),
    ...unreadable
      .slice(0, MAX_NOTES)
      .map((entry) =>
        l10n.t(
          'The service listed an entry without a recipient: {0}',
          typeof entry === 'string' ? entry : JSON.stringify(entry),
        ),
      ),
  ];
}

export function stateText(state: OutcomeState): string {
  switch (state) {
    case 'reached':
      return l10n.t('reached');
    case 'unconfirmed':
      return l10n.t('not confirmed');
    case 'absent':
      return l10n.t('not in the chat');
    case 'rejected':
      return l10n.t('refused');
    case 'notSent':
      return l10n.t('not sent');
    case 'unknown':
      return l10n.t('unknown');
  }
}

/** Details of an outcome, besides its state. */
export function detailOf(outcome: Outcome): string {
  if (outcome.state === 'reached') return l10n.t('Message {0}', outcome.msgId);
  if (outcome.state === 'absent' && !outcome.failure) return l10n.t("The message isn't in the chat.");
  if (outcome.state !== 'unconfirmed') return causeOf(outcome);
  return outcome.wasEarly
    ? notListedText()
    : l10n.t("The service didn't confirm delivery to this recipient, who may have the message.");
}

/** What a check says that came soon after the message was sent. */
const notListedText = () => l10n.t("The message isn't listed in the chat yet. Check again in a minute.");

function causeOf(outcome: Outcome): string {
  switch (outcome.state) {
    case 'reached':
      return '';
    case 'unconfirmed':
      return l10n.t("The service didn't confirm delivery to some recipients, who may have the message.");
    case 'absent':
      return textOf(outcome.failure) || l10n.t("The message isn't in some of the chats.");
    case 'rejected':
      return textOf(outcome.failure);
    case 'notSent':
      return textOf(outcome.failure);
    case 'unknown':
      return joinSentences(
        textOf(outcome.failure),
        outcome.wasEarly ? notListedText() : l10n.t('The message may have been delivered anyway.'),
      );
  }
}

const textOf = (failure: Failure | undefined) => (failure ? errorText(new ServiceError(failure)) : '');

/** Names and texts from the service are untrusted: plain text on one line, never markup. */
const cell = (text: string) => plainMarkdown(text.replace(/\s+/g, ' '));
