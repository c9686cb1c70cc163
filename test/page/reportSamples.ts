/** Reports to show in pages. */
import type { RecipientResult, ReportRow, ReportSummary } from '../../src/protocol/report.ts';

/** A delivery that reached two recipients, and was refused for many. */
export const summaryOf = (changes: Partial<ReportSummary> = {}): ReportSummary => ({
  type: 'summary',
  title: 'Delivery of “news.md”',
  origin: 'Saturday, November 21, 2026 at 12:00:00 PM, sent by Order Desk through the sandbox',
  headline: '2 of 6 reached.',
  notes: [],
  isPersonal: false,
  counts: [
    { result: 'unknown', count: 1 },
    { result: 'rejected', count: 1_200 },
    { result: 'unconfirmed', count: 0 },
    { result: 'absent', count: 0 },
    { result: 'notSent', count: 1 },
    { result: 'reached', count: 2 },
  ],
  actions: ['check', 'resend', 'openMessage', 'copyCsv', 'copyMarkdown'],
  related: [],
  ...changes,
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
  results.map((result, at) => ({
    ...{ kind: 'user', id: `${7_000_000 + at}`, name: `Recipient ${at}`, result },
    ...{ details: DETAILS[result], isCut: false },
  }));
