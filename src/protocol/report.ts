/** The messages between the report of a delivery and its page. Both sides validate what they receive. */
import * as v from 'valibot';
import { count, ListPosition, RecipientChat } from './page.ts';

/** The results of recipients. Those that need the most attention come first. */
export const RecipientResult = v.picklist([
  'unknown',
  'rejected',
  'unconfirmed',
  'absent',
  'notSent',
  'leftOut',
  'reached',
]);
export type RecipientResult = v.InferOutput<typeof RecipientResult>;

/** The actions of the page. */
const ReportAction = v.picklist([
  'check',
  'resume',
  'resend',
  'lookUp',
  'cancel',
  'sendNow',
  'reschedule',
  'unschedule',
  'sendEdited',
  'edit',
  'findReplies',
  'openMessage',
  'copyCsv',
  'copyMarkdown',
]);
export type ReportAction = v.InferOutput<typeof ReportAction>;

const text = v.string();
/** The columns of the page and of Markdown, in their order: `ownText`, what only this recipient got, is last, because it gets a line of its own where there is little room. */
const columns = { name: text, id: text, result: text, details: text, ownText: text };
export type ReportColumn = keyof typeof columns;
export const REPORT_COLUMNS = Object.keys(columns) as ReportColumn[];

/** The columns of a delivery, by whether each recipient has a text of their own. */
export const shownColumns = (isPersonal: boolean) => REPORT_COLUMNS.filter((name) => isPersonal || name !== 'ownText');

/** A recipient with the result. */
const ReportRow = v.object({
  ...RecipientChat.entries,
  ...columns,
  state: RecipientResult,
  /** Whether the service said more than the details quote. */
  isCut: v.boolean(),
});
export type ReportRow = v.InferOutput<typeof ReportRow>;

/** Which recipients are listed: those with one of the results, or all if there are none, that have the text somewhere. */
const ReportQuery = v.object({ results: v.array(RecipientResult), text: v.string() });
export type ReportQuery = v.InferOutput<typeof ReportQuery>;

/** The state of the page, from which VS Code restores the panel. */
export const ReportPageState = v.object({
  delivery: v.string(),
  query: v.fallback(ReportQuery, { results: [], text: '' }),
  /** The position in the list, unless the page is at its top. */
  position: v.fallback(v.optional(ListPosition), undefined),
});
export type ReportPageState = v.InferOutput<typeof ReportPageState>;

/** The number of a list, which grows with each that the page asks for. */
const list = count;

const ReportSummary = v.object({
  type: v.literal('summary'),
  title: v.string(),
  /** When the delivery was sent, by which bot and through which service. */
  origin: v.string(),
  headline: v.string(),
  notes: v.array(v.string()),
  /** The headings of the columns. */
  titles: v.object(columns),
  /** Whether each recipient has a text of their own. */
  isPersonal: v.boolean(),
  /** The recipients by result, those that need the most attention first. */
  counts: v.array(v.object({ result: RecipientResult, label: v.string(), count })),
  /** The actions on offer, the most helpful first. */
  actions: v.array(ReportAction),
  /** The delivery that this one reminds of, and the deliveries that remind of it. */
  related: v.array(v.object({ delivery: v.string(), text: v.string() })),
});
export type ReportSummary = v.InferOutput<typeof ReportSummary>;

export const ToReportPage = v.variant('type', [
  ReportSummary,
  /** A new list: how many recipients it has, and the first ones. */
  v.object({ type: v.literal('list'), list, total: count, rows: v.array(ReportRow) }),
  /** The rows that follow. */
  v.object({ type: v.literal('more'), list, rows: v.array(ReportRow) }),
  /** Rows that the page has, as they are now. */
  v.object({ type: v.literal('changed'), list, rows: v.array(v.object({ at: count, row: ReportRow })) }),
  /** Why the delivery can't be read. */
  v.object({ type: v.literal('failed'), text: v.string() }),
  /** What was to be copied is in the clipboard. */
  v.object({ type: v.literal('copied') }),
]);
export type ToReportPage = v.InferOutput<typeof ToReportPage>;

export const FromReportPage = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('retry') }),
  v.object({ type: v.literal('list'), list, query: ReportQuery }),
  v.object({ type: v.literal('more'), list }),
  v.object({ type: v.literal('act'), action: ReportAction }),
  /** Opens the report of a related delivery. */
  v.object({ type: v.literal('openDelivery'), delivery: v.string() }),
  /** Opens the history of a recipient, or all that the service said about one. */
  v.object({ type: v.picklist(['openChat', 'showWhole']), chat: RecipientChat }),
]);
export type FromReportPage = v.InferOutput<typeof FromReportPage>;
