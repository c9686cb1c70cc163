/** Reports to show in pages. */
import { RecipientResult, type ReportRow, type ReportSummary } from '../../src/protocol/report.ts';

/** A delivery that reached two recipients, and was refused for many. */
export const summaryOf = (changes: Partial<ReportSummary> = {}): ReportSummary => ({
  type: 'summary',
  title: 'Delivery of “news.md”',
  origin: 'Saturday, November 21, 2026 at 12:00:00 PM, sent by Order Desk through the sandbox',
  headline: '2 of 6 reached.',
  notes: [],
  titles: { name: 'Recipient', id: 'ID', result: 'Result', details: 'Details', ownText: 'Text' },
  isPersonal: false,
  counts: countsOf({ unknown: 1, rejected: 1_200, unconfirmed: 0, absent: 0, notSent: 1, reached: 2 }),
  actions: ['check', 'resend', 'openMessage', 'copyCsv', 'copyMarkdown'],
  related: [],
  ...changes,
});

const NAMES: Record<RecipientResult, string> = {
  unknown: 'unknown',
  rejected: 'refused',
  unconfirmed: 'not confirmed',
  absent: 'not reached',
  notSent: 'not sent',
  leftOut: 'left out',
  reached: 'reached',
};

/** How many have each result. */
export const countsOf = (counts: Partial<Record<RecipientResult, number>>): ReportSummary['counts'] =>
  RecipientResult.options.flatMap((result) => {
    const count = counts[result];
    return count === undefined ? [] : [{ result, label: NAMES[result], count }];
  });

const DETAILS: Record<RecipientResult, string> = {
  unknown: "The service didn't respond within 30 seconds. The message may have been delivered anyway.",
  rejected: 'The service returned error 1004: “封禁”.',
  unconfirmed: "The service didn't confirm delivery to this recipient.",
  absent: "The message isn't in the chat.",
  notSent: '',
  leftOut: 'On your Do Not Send list: asked to stop',
  reached: 'Message 9100a6aa409b2fae68289fdbeabe7290',
};

/** People with these results. */
export const rowsOf = (...results: RecipientResult[]): ReportRow[] =>
  results.map((state, at) => ({
    kind: 'user',
    id: `${7_000_000 + at}`,
    name: `Recipient ${at}`,
    state,
    result: NAMES[state],
    details: DETAILS[state],
    isCut: false,
    ownText: '',
  }));
