/** The report of a delivery, for people. */
import { env, l10n } from 'vscode';
import { plain } from '../words/card.ts';
import { explain } from '../words/explain.ts';
import type { Delivery, Outcome } from './deliver.ts';

/** One sentence about a delivery as a whole. */
export function headline({ results }: Delivery): string {
  const reached = results.filter(({ outcome }) => outcome.state === 'reached').length;
  if (reached === results.length) return l10n.t('Sent: {0} of {1} reached.', reached, results.length);
  const causes = new Set(results.map(({ outcome }) => causeOf(outcome)).filter(Boolean));
  return [l10n.t('Not everybody was reached: {0} of {1}.', reached, results.length), ...causes].join(' ');
}

/** The whole account as a Markdown document: every recipient, what became of the message, the service's own words. */
export function reportOf(delivery: Delivery, about: { name: string; bot: string; at: Date }) {
  const { results, surplus, unreadable, miscounted } = delivery;
  const when = new Intl.DateTimeFormat(env.language, { dateStyle: 'full', timeStyle: 'medium' }).format(about.at);
  const rows = results.map(({ recipient, outcome }) =>
    [recipient.name, recipient.id, stateOf(outcome), detailOf(outcome)].map(cell).join(' | '),
  );
  const notes = [
    ...miscounted.map(({ successCount, listed }) =>
      l10n.t('The service counted {0} receivers and listed {1}.', successCount, listed),
    ),
    ...(surplus.length > 0
      ? [l10n.t('The service named receivers that were not asked for: {0}', cell(surplus.join(', ')))]
      : []),
    ...unreadable.map((entry) =>
      l10n.t('The service listed something that names no receiver: {0}', cell(JSON.stringify(entry))),
    ),
  ];
  return [
    `# ${l10n.t('Delivery of “{0}”', cell(about.name))}`,
    l10n.t('{0}, sent by {1}', when, cell(about.bot)),
    cell(headline(delivery)),
    ...notes,
    [
      `| ${[l10n.t('Recipient'), l10n.t('ID'), l10n.t('Outcome'), l10n.t('Details')].join(' | ')} |`,
      '| --- | --- | --- | --- |',
      ...rows.map((row) => `| ${row} |`),
    ].join('\n'),
    '',
  ].join('\n\n');
}

function stateOf({ state }: Outcome): string {
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

function detailOf(outcome: Outcome): string {
  if (outcome.state === 'reached') return l10n.t('Message {0}', outcome.msgId);
  if (outcome.state === 'missing') return l10n.t('The service did not list this receiver.');
  return causeOf(outcome);
}

function causeOf(outcome: Outcome): string {
  switch (outcome.state) {
    case 'reached':
      return '';
    case 'missing':
      return l10n.t('The service did not list some receivers among those that got the message.');
    case 'rejected':
      return explain(outcome.error);
    case 'notSent':
      return outcome.error === undefined ? l10n.t('The delivery was cancelled before.') : explain(outcome.error);
    case 'unknown':
      return l10n.t('{0} The message may have arrived all the same.', explain(outcome.error));
  }
}

/** Names and the service's texts may hold anything: in the report they are text in one line, never markup. */
const cell = (text: string) => plain(text.replace(/\s+/g, ' '));
