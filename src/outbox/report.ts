/** The report of a delivery, for people. */
import { env, l10n } from 'vscode';
import { plainMarkdown } from '../presentation/card.ts';
import { errorText } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import { type Failure, ServiceError } from '../service/errors.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import type { Recipient } from './batches.ts';
import type { EarlyStop } from './deliveryRunner.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome, type OutcomeState } from './deliveryStatus.ts';

/** One sentence about a delivery as a whole, and those about what went wrong. */
export function headline(status: DeliveryStatus, stopped?: EarlyStop): string {
  const { counts } = status;
  const reached = formatCount(counts.reached);
  const total = formatCount(status.total);
  const odd = notesOf(status).length > 0 && l10n.t('The service did not answer as asked: see the report.');
  if (reached === total) {
    return [l10n.t('Sent: {0} of {1} reached.', reached, total), odd].filter(Boolean).join(' ');
  }
  const why = stopped ? stopText(stopped) : status.stopped && stopText({ why: status.stopped });
  const causes = new Set([...status.unreachedOutcomes()].slice(0, CAUSES).map(causeOf));
  const first = counts.notSent
    ? l10n.t('{0} of {1} reached, {2} not sent to.', reached, total, formatCount(counts.notSent))
    : l10n.t('{0} of {1} recipients reached.', reached, total);
  return [first, why, odd, ...[...causes].filter(Boolean).slice(0, 3)].filter(Boolean).join(' ');
}

/** Why a delivery ended before all was sent. */
function stopText({ why, error }: EarlyStop): string {
  switch (why) {
    case 'person':
      return l10n.t('Canceled. You can resume it.');
    case 'token':
      return l10n.t('The service refused the token, so the rest was not sent.');
    case 'trouble':
      return l10n.t('There was trouble with the service, so the rest was not sent.');
    case 'disk':
      return l10n.t("The outbox couldn't be saved ({0}), so sending stopped.", String(error ?? '…'));
    case 'taken':
      return l10n.t('Another window is sending it.');
  }
}

/** So many recipients are a table that a preview of Markdown still shows at once. */
const ROWS = 1_000;
/** Of very many batches, the causes of the first ones tell enough. */
const CAUSES = 100;

/** The status as a Markdown document: the recipients, what became of the message, the service's own words. */
export async function reportOf(status: DeliveryStatus): Promise<string> {
  const { delivery } = status;
  const when = new Intl.DateTimeFormat(env.language, { dateStyle: 'full', timeStyle: 'medium' }).format(delivery.at);
  // First those whom the person most needs to know of.
  const groups: Record<OutcomeState, Recipient[]> = {
    unknown: [],
    rejected: [],
    missing: [],
    notSent: [],
    reached: [],
  };
  await new TimeSlices().each(status.recipients(), (one) => {
    const group = groups[status.outcomeOf(one).state];
    if (group.length < ROWS) group.push(one);
  });
  const listed = OUTCOME_STATES.flatMap((state) => groups[state]).slice(0, ROWS);
  const rows = listed.map((recipient) => {
    const outcome = status.outcomeOf(recipient);
    return [recipient.name, recipient.id, stateText(outcome.state), detailOf(outcome)].map(cell).join(' | ');
  });
  const more = status.total - listed.length;
  return [
    `# ${l10n.t('Delivery of “{0}”', cell(delivery.name))}`,
    l10n.t('{0}, sent by {1}', when, cell(delivery.bot.name)),
    cell(headline(status)),
    ...notesOf(status).map(cell),
    [
      `| ${[l10n.t('Recipient'), l10n.t('ID'), l10n.t('Outcome'), l10n.t('Details')].join(' | ')} |`,
      '| --- | --- | --- | --- |',
      ...rows.map((row) => `| ${row} |`),
    ].join('\n'),
    ...(more > 0 ? [l10n.t('… and {0} more. Copy the report as CSV to see everyone.', formatCount(more))] : []),
    '',
  ].join('\n\n');
}

/** The same for a table of numbers and names: one line for each recipient, in the manner of RFC 4180. */
export async function csvOf(status: DeliveryStatus): Promise<string> {
  const slices = new TimeSlices();
  const head = [l10n.t('Recipient'), l10n.t('Kind'), l10n.t('ID'), l10n.t('Outcome'), l10n.t('Details')];
  const lines = [csvLine(head)];
  for (const recipient of status.recipients()) {
    const outcome = status.outcomeOf(recipient);
    const { name, type, id } = recipient;
    lines.push(csvLine([name, type, id, stateText(outcome.state), detailOf(outcome)]));
    if (slices.isOver) await slices.pause();
  }
  return lines.join('');
}

/** What the answers of the service said beside who was reached. */
function notesOf({ unrequested: surplus, repeated, unreadable, miscounted }: DeliveryStatus): string[] {
  const list = (what: readonly unknown[]) => what.slice(0, 50).map(String).join(', ');
  return [
    ...miscounted
      .slice(0, 50)
      .map(({ successCount, listed }) =>
        l10n.t('The service counted {0} receivers and listed {1}.', successCount, listed),
      ),
    ...(surplus.length > 0 ? [l10n.t('The service named receivers that were not asked for: {0}', list(surplus))] : []),
    ...(repeated.length > 0 ? [l10n.t('The service named receivers more than once: {0}', list(repeated))] : []),
    ...unreadable
      .slice(0, 50)
      .map((entry) =>
        l10n.t(
          'The service listed something that names no receiver: {0}',
          typeof entry === 'string' ? entry : JSON.stringify(entry),
        ),
      ),
  ];
}

export function stateText(state: OutcomeState): string {
  switch (state) {
    case 'reached':
      return l10n.t('reached');
    case 'missing':
      return l10n.t('not confirmed');
    case 'rejected':
      return l10n.t('refused');
    case 'notSent':
      return l10n.t('not sent');
    case 'unknown':
      return l10n.t('unknown');
  }
}

/** What there is to say of one recipient beside the state. */
export function detailOf(outcome: Outcome): string {
  if (outcome.state === 'reached') return l10n.t('Message {0}', outcome.msgId);
  if (outcome.state !== 'missing') return causeOf(outcome);
  return outcome.isRead
    ? l10n.t('The message is not in the chat.')
    : l10n.t("The service didn't confirm delivery to this recipient.");
}

function causeOf(outcome: Outcome): string {
  switch (outcome.state) {
    case 'reached':
      return '';
    case 'missing':
      return l10n.t("The service didn't confirm delivery to some recipients.");
    case 'rejected':
      return said(outcome.failure);
    case 'notSent':
      return said(outcome.failure);
    case 'unknown':
      return [said(outcome.failure), l10n.t('The message may have been delivered anyway.')].filter(Boolean).join(' ');
  }
}

const said = (failure: Failure | undefined) => (failure ? errorText(new ServiceError(failure)) : '');

/** Names and the service's texts may hold anything: in the report they are text in one line, never markup. */
const cell = (text: string) => plainMarkdown(text.replace(/\s+/g, ' '));

const csvLine = (cells: string[]) => `${cells.map(csvCell).join(',')}\r\n`;

/** On one line. A table program must not take a name for a formula, which some begin with a character of full width. */
const csvCell = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.replace(/^(?=[=+\-@＝＋－＠])/, "'").replaceAll('"', '""')}"`;
};
