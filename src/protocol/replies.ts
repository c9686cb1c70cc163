/** The messages between the replies to a delivery and their page. Both sides validate what they receive. */
import * as v from 'valibot';
import { Message } from '../service/message.ts';
import { count, ListPosition, RecipientChat } from './page.ts';

const text = v.string();

/** The state of a recipient, who has answered or not, or whose chat couldn't be read, or wasn't yet. */
export const ReplyState = v.picklist(['answered', 'unanswered', 'failed', 'unread']);
export type ReplyState = v.InferOutput<typeof ReplyState>;

const RepliesRow = v.variant('type', [
  v.object({
    type: v.literal('chat'),
    key: text,
    ...RecipientChat.entries,
    name: text,
    state: ReplyState,
    /** How many answers there are, whether listed or not. */
    count,
    /** Why the chat couldn't be read the last time, or that it doesn't have the message any more; empty if neither. */
    error: text,
    /** How many messages can't be read: they may be answers. */
    unreadable: count,
  }),
  /** An answer, below its chat. `raw` is set only if the page shows the raw JSON. */
  v.object({
    type: v.literal('reply'),
    key: text,
    ...RecipientChat.entries,
    message: Message,
    raw: v.optional(v.unknown()),
  }),
]);
export type RepliesRow = v.InferOutput<typeof RepliesRow>;

/**
 * Which chats are listed: those in one of these states, or in any if there are none, with answers that have the words and
 * are this one.
 */
const RepliesQuery = v.object({ states: v.array(ReplyState), text, answer: v.optional(text) });
export type RepliesQuery = v.InferOutput<typeof RepliesQuery>;

/** The state of the page, from which VS Code restores the panel. */
export const RepliesPageState = v.object({
  delivery: text,
  query: v.fallback(RepliesQuery, { states: [], text: '' }),
  /** The position in the list, unless the page is at its top. */
  position: v.fallback(v.optional(ListPosition), undefined),
});
export type RepliesPageState = v.InferOutput<typeof RepliesPageState>;

const RepliesAction = v.picklist([
  'find',
  'pause',
  'resume',
  'cancel',
  'watch',
  'unwatch',
  'remindUnanswered',
  'remindAnswered',
  'openReport',
  'copyCsv',
]);
export type RepliesAction = v.InferOutput<typeof RepliesAction>;

const RepliesSummary = v.object({
  type: v.literal('summary'),
  title: text,
  /** When the delivery was sent, by which bot and through which service. */
  origin: text,
  /** The recipients that were reached, by state. */
  counts: v.array(v.object({ state: ReplyState, count })),
  /** How many answers there are. */
  total: count,
  poll: v.array(v.object({ key: text, label: text, count, isButton: v.boolean() })),
  /** How many answers the poll doesn't count, by reason; empty if it counts all. */
  uncounted: text,
  run: v.object({ is: v.picklist(['idle', 'reading', 'paused']), done: count, total: count }),
  /** Why the run has stopped; empty if it hasn't. */
  error: text,
  /** When all chats were tried last (Unix ms). */
  doneAt: v.optional(v.number()),
  /** Whether replies are read again while the page is visible. */
  isWatched: v.boolean(),
});
export type RepliesSummary = v.InferOutput<typeof RepliesSummary>;

/** The number of a list, which grows with each that the page asks for. */
const list = count;

export const ToRepliesPage = v.variant('type', [
  RepliesSummary,
  /** A new list: how many rows it has, and the first ones. */
  v.object({ type: v.literal('list'), list, total: count, rows: v.array(RepliesRow) }),
  /** The rows that follow. */
  v.object({ type: v.literal('more'), list, rows: v.array(RepliesRow) }),
  /** Chats that the page has, as they are now. */
  v.object({ type: v.literal('changed'), list, rows: v.array(v.object({ at: count, row: RepliesRow })) }),
  /** Why the delivery can't be read, and which list that was for, if any. */
  v.object({ type: v.literal('failed'), text, list: v.optional(list) }),
  /** What was to be copied is in the clipboard. */
  v.object({ type: v.literal('copied') }),
]);
export type ToRepliesPage = v.InferOutput<typeof ToRepliesPage>;

export const FromRepliesPage = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('retry') }),
  v.object({ type: v.literal('list'), list, query: RepliesQuery }),
  v.object({ type: v.literal('more'), list }),
  v.object({ type: v.literal('act'), action: RepliesAction }),
  /** Opens the history of a chat at an answer, or at the delivered message. */
  v.object({ type: v.literal('openChat'), chat: RecipientChat, msgId: v.optional(text) }),
]);
export type FromRepliesPage = v.InferOutput<typeof FromRepliesPage>;
