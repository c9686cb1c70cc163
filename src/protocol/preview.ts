/** The messages between the preview panel and its page. Both sides validate what they receive. */
import * as v from 'valibot';
import { Message } from '../service/message.ts';
import { count, RecipientChat } from './page.ts';

/** A line of the file of recipients, from 1. */
const line = v.pipe(v.number(), v.integer(), v.minValue(1));

/** One of the recipients, each of whom gets a message of their own. */
const RecipientStep = v.object({
  ...RecipientChat.entries,
  name: v.string(),
  /** The position of the recipient from 1, among all or, if only these are shown, among those with problems. */
  position: count,
  total: count,
  /** The values that are missing in this recipient's message. */
  problems: v.array(v.string()),
  /** How many recipients have problems. */
  withProblems: count,
  onlyWithProblems: v.boolean(),
  /** Why this one gets nothing. */
  leftOut: v.optional(v.string()),
  /** How many recipients get nothing. Recipients with problems aren't among them. */
  leftOutCount: count,
  /** Says in the user's language that some recipients weren't looked up. Missing if all were. */
  unchecked: v.optional(v.string()),
});
export type RecipientStep = v.InferOutput<typeof RecipientStep>;

export const ShownDraft = v.object({
  type: v.literal('draft'),
  /** The message as a history would list it, for the recipient in `step` if there is one. Missing if nothing can be read. */
  message: v.optional(Message),
  /** The visible recipients, in document order. */
  recipients: v.array(
    v.object({
      ...RecipientChat.entries,
      name: v.string(),
      /** Why the name of the recipient is unknown. */
      problem: v.optional(v.string()),
      /** Why this one gets nothing. */
      leftOut: v.optional(v.string()),
    }),
  ),
  /** The number of all recipients. */
  total: count,
  /** Says in the user's language how many recipients get nothing, and why. Missing if nobody is left out. */
  leftOut: v.optional(v.string()),
  /** Whether the document says who sends it and who receives it, even where that can't be read. */
  namesBot: v.boolean(),
  namesRecipients: v.boolean(),
  /** Says in the user's language that the document isn't the current version, or which message it edits. */
  note: v.optional(v.string()),
  /** Whether each recipient gets a message of their own. */
  varies: v.boolean(),
  /** The recipient whose message is shown. Missing if all get the same, or if there are no recipients. */
  step: v.optional(RecipientStep),
  canSend: v.boolean(),
  /** The problems: errors first, each kind in document order. */
  problems: v.array(
    v.object({
      text: v.string(),
      severity: v.picklist(['error', 'warning']),
      /** The place in the document, as offsets in UTF-16 units. */
      start: count,
      end: count,
      /** Where the problem is in the file of recipients, or in that of a rule. */
      line: v.optional(line),
      rule: v.optional(v.string()),
    }),
  ),
});
export type ShownDraft = v.InferOutput<typeof ShownDraft>;

/** The recipients that were found for a typed text. */
const Matches = v.object({
  type: v.literal('matches'),
  /** The number of the search. */
  search: count,
  recipients: v.pipe(v.array(v.object({ ...RecipientChat.entries, name: v.string() })), v.maxLength(20)),
  hasMore: v.boolean(),
});
export type Matches = v.InferOutput<typeof Matches>;

export const ToPreview = v.variant('type', [ShownDraft, Matches]);
export type ToPreview = v.InferOutput<typeof ToPreview>;

/** The state of the page that VS Code keeps: the address of its document. */
export const PreviewPageState = v.object({ document: v.pipe(v.string(), v.nonEmpty()) });

export const FromPreview = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  /** `more` requests the names of more recipients. */
  v.object({ type: v.picklist(['more', 'send']) }),
  /** Shows the message of the next recipient, or of the previous one. */
  v.object({ type: v.literal('step'), by: v.picklist([1, -1]) }),
  v.object({ type: v.literal('goTo'), ...RecipientChat.entries }),
  v.object({ type: v.literal('onlyWithProblems'), isOn: v.boolean() }),
  /** Searches for recipients by a part of a name or an ID. */
  v.object({ type: v.literal('find'), search: count, text: v.pipe(v.string(), v.maxLength(300)) }),
  /** Reveals a range of the document. */
  v.object({ type: v.literal('place'), start: count, end: count }),
  /** Opens the file of recipients, or that of a rule. */
  v.object({ type: v.literal('row'), line, rule: v.optional(v.string()) }),
]);
export type FromPreview = v.InferOutput<typeof FromPreview>;
