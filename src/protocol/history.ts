/** The messages between the history panel and its page. Both sides validate what they receive. */
import * as v from 'valibot';
import { identifier } from '../service/fields.ts';
import { Message } from '../service/message.ts';
import { BotChat } from './botChat.ts';
import { count, TimeZone } from './page.ts';

/** The newest message that was visible. */
export const Seen = v.fallback(v.optional(v.object({ msgId: v.string(), sendTime: v.number() })), undefined);
export type Seen = { readonly msgId: string; readonly sendTime: number };

/** The state of one end of the loaded messages. */
const EdgeView = v.variant('at', [
  v.object({ at: v.picklist(['open', 'loading', 'end']) }),
  v.object({
    at: v.literal('failed'),
    text: v.string(),
    /** The action that may help besides another try. */
    fix: v.optional(v.picklist(['setToken', 'changeAddress'])),
  }),
]);
export type EdgeView = v.InferOutput<typeof EdgeView>;

/** A key that is unique in a chat. */
const key = v.pipe(v.string(), v.nonEmpty());

/** One row of the history. */
const PageItem = v.variant('type', [
  /** `raw` is set only if the page shows the raw JSON. */
  v.object({ type: v.literal('message'), key, message: Message, raw: v.optional(v.unknown()) }),
  v.object({ type: v.literal('unreadable'), key, raw: v.optional(v.unknown()) }),
  /** Missing messages between loaded ones. */
  v.object({ type: v.literal('gap'), key, id: count, edge: EdgeView }),
]);
export type PageItem = v.InferOutput<typeof PageItem>;

/** The page's state, which it restores when it's shown or reloaded. */
export const PageState = v.object({
  place: BotChat,
  /** The topmost visible message, unless the newest is visible. */
  reading: v.fallback(v.optional(key), undefined),
  /** The distance of that message from the top edge, in pixels. */
  offset: v.fallback(v.number(), 0),
  sender: v.fallback(v.string(), ''),
  kind: v.fallback(v.string(), ''),
  /** The find bar, if it's open: what it searches for, and the message with the current match. */
  find: v.fallback(v.optional(v.object({ query: v.string(), match: v.optional(key) })), undefined),
  /** The message that had the focus last, or contained the element that had it. */
  focused: v.fallback(v.optional(key), undefined),
  /** Whether the box of the find bar had the focus last. */
  hasFindFocus: v.fallback(v.boolean(), false),
});
export type PageState = v.InferOutput<typeof PageState>;

/** The sender of a message. */
const Sender = v.object({ kind: v.picklist(['bot', 'user']), id: identifier });
export type Sender = v.InferOutput<typeof Sender>;

/** A sender's avatar as a `data:` URI. */
const SenderAvatar = v.object({ ...Sender.entries, uri: v.pipe(v.string(), v.startsWith('data:image/')) });
export type SenderAvatar = v.InferOutput<typeof SenderAvatar>;

const IdActionName = v.picklist(['openHistory', 'newMessage', 'send', 'showDeliveries', 'copyId', 'addToSidebar']);
export type IdActionName = v.InferOutput<typeof IdActionName>;

const Profile = v.object({
  /** The sender that the page requested. */
  ...Sender.entries,
  name: v.string(),
  /** Why there are no facts; empty if there are. */
  failure: v.string(),
  facts: v.array(v.object({ label: v.string(), value: v.string() })),
  actions: v.array(v.object({ name: IdActionName, label: v.string() })),
});
export type Profile = v.InferOutput<typeof Profile>;

export const ToPage = v.variant('type', [
  v.object({
    type: v.literal('heading'),
    name: v.string(),
    summary: v.string(),
    readAs: v.string(),
    service: v.string(),
  }),
  /** Replaces `removed` items at an index. */
  v.object({ type: v.literal('splice'), at: count, removed: count, items: v.array(PageItem) }),
  v.object({ type: v.literal('edges'), older: EdgeView, newer: EdgeView }),
  /** Says that new messages are among the items posted last. */
  v.object({ type: v.literal('arrived'), count }),
  /** The last message that the user had seen when the history was opened. */
  v.object({ type: v.literal('seen'), msgId: v.string(), sendTime: v.number() }),
  /** Scrolls to a message, to the middle or the top of the list, and focuses it. `found` is the query that found it. */
  v.object({ type: v.literal('show'), key, isAtTop: v.optional(v.boolean()), found: v.optional(v.string()) }),
  /** Says that the message to restore (`reading`) no longer exists. */
  v.object({ type: v.literal('lost') }),
  /** The note above the messages; empty for none. */
  v.object({ type: v.literal('note'), text: v.string() }),
  v.object({ type: v.literal('find') }),
  /** Whether the chat is archived. Not posted where there's no archive. */
  v.object({ type: v.literal('archived'), is: v.boolean() }),
  v.object({ type: v.literal('profile'), profile: Profile }),
  v.object({ type: v.literal('avatar'), ...SenderAvatar.entries }),
]);
export type ToPage = v.InferOutput<typeof ToPage>;

export const FromPage = v.variant('type', [
  /** `reading` is the message to load first, `timeZone` that of the times in the page. */
  v.object({
    type: v.literal('ready'),
    reading: v.optional(key),
    timeZone: v.fallback(v.optional(TimeZone), undefined),
  }),
  v.object({
    type: v.picklist(['older', 'newer', 'setToken', 'changeAddress', 'loadHistory', 'archiveHere']),
  }),
  /** `from` is the time of the topmost visible message (Unix ms), if known. */
  v.object({ type: v.literal('goToDate'), from: v.optional(v.number()) }),
  /** Searches what is archived of the chat. */
  v.object({ type: v.literal('searchArchive'), text: v.string() }),
  v.object({ type: v.literal('gap'), id: count, from: v.picklist(['older', 'newer']) }),
  /** Navigates to a message, such as the parent of a reply. */
  v.object({ type: v.literal('goTo'), msgId: key }),
  /** Whether the newest message is visible. */
  v.object({ type: v.literal('atNewest'), is: v.boolean() }),
  v.object({ type: v.literal('profile'), ...Sender.entries }),
  /** Runs an action of a profile. */
  v.object({ type: v.literal('act'), action: IdActionName, ...Sender.entries }),
  /** Senders whose messages are shown. */
  v.object({ type: v.literal('avatars'), senders: v.array(Sender) }),
  /** Opens the image of a message. */
  v.object({ type: v.literal('openImage'), key }),
]);
export type FromPage = v.InferOutput<typeof FromPage>;
