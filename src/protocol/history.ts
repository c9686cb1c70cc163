/** What the history panel and its page say to each other; both sides validate what they hear. */
import * as v from 'valibot';
import { identifier } from '../service/fields.ts';
import { Message } from '../service/message.ts';

/** What a panel shows; kept by the page so that VS Code can restore the panel. Never holds a token. */
export const BotChat = v.object({
  /** Address of the service that the chat is of. */
  service: v.string(),
  type: v.picklist(['group', 'user']),
  id: identifier,
  /** The bot that reads. */
  botId: identifier,
});
export type BotChat = v.InferOutput<typeof BotChat>;

/** The newest message that was on the screen, as it is remembered. */
export const Seen = v.fallback(v.optional(v.object({ msgId: v.string(), sendTime: v.number() })), undefined);
export type Seen = { readonly msgId: string; readonly sendTime: number };

/** The state of one end of what is loaded, in words where there are any to say. */
const EdgeView = v.variant('at', [
  v.object({ at: v.picklist(['open', 'loading', 'end']) }),
  v.object({ at: v.literal('failed'), text: v.string(), needsToken: v.boolean() }),
]);
export type EdgeView = v.InferOutput<typeof EdgeView>;

/** Unique in a history. */
const key = v.pipe(v.string(), v.nonEmpty());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** One row of the history, oldest first. */
const PageItem = v.variant('type', [
  /** `raw` comes only with what the page shows as it came. */
  v.object({ type: v.literal('message'), key, message: Message, raw: v.optional(v.unknown()) }),
  v.object({ type: v.literal('unreadable'), key, raw: v.optional(v.unknown()) }),
  /** Messages that are not loaded, between those that are. */
  v.object({ type: v.literal('gap'), key, id: count, edge: EdgeView }),
]);
export type PageItem = v.InferOutput<typeof PageItem>;

/** Where the page is, kept by it over hiding and reloads; nothing of it is shown but what is loaded. */
export const PageState = v.object({
  place: BotChat,
  /** The message at the top of what is read, unless the newest is on the screen. */
  reading: v.fallback(v.optional(key), undefined),
  /** How far below the upper edge that stands, in pixels. */
  offset: v.fallback(v.number(), 0),
  sender: v.fallback(v.string(), ''),
  kind: v.fallback(v.string(), ''),
});
export type PageState = v.InferOutput<typeof PageState>;

const Profile = v.object({
  /** Whom this is about, as the page asked. */
  id: v.string(),
  name: v.string(),
  /** Why there are no facts; empty where there are. */
  trouble: v.string(),
  facts: v.array(v.object({ label: v.string(), value: v.string() })),
});
export type Profile = v.InferOutput<typeof Profile>;

export const ToPage = v.variant('type', [
  v.object({ type: v.literal('heading'), name: v.string(), summary: v.string(), readAs: v.string() }),
  /** `removed` items at a place give way to others. */
  v.object({ type: v.literal('splice'), at: count, removed: count, items: v.array(PageItem) }),
  v.object({ type: v.literal('edges'), older: EdgeView, newer: EdgeView }),
  /** The person had seen all up to this message when the history was opened. */
  v.object({ type: v.literal('seen'), msgId: v.string(), sendTime: v.number() }),
  /** Brings a message into view, and the focus to it. */
  v.object({ type: v.literal('show'), key }),
  /** What the page wanted to come back to (`reading`) is not listed any more. */
  v.object({ type: v.literal('lost') }),
  v.object({ type: v.literal('find') }),
  v.object({ type: v.literal('profile'), profile: Profile }),
]);
export type ToPage = v.InferOutput<typeof ToPage>;

export const FromPage = v.variant('type', [
  /** `reading` is to be there first. */
  v.object({ type: v.literal('ready'), reading: v.optional(key) }),
  v.object({ type: v.picklist(['older', 'newer', 'setToken']) }),
  v.object({ type: v.literal('gap'), id: count, from: v.picklist(['older', 'newer']) }),
  /** The parent of a reply, say. */
  v.object({ type: v.literal('goTo'), msgId: key }),
  /** Whether the newest message is on the screen. */
  v.object({ type: v.literal('atNewest'), is: v.boolean() }),
  v.object({ type: v.literal('profile'), kind: v.picklist(['bot', 'user']), id: identifier }),
  v.object({ type: v.literal('copy'), text: v.string() }),
  v.object({ type: v.literal('open'), url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)) }),
]);
export type FromPage = v.InferOutput<typeof FromPage>;

/** What the host decided when it made the page. */
export const PageOptions = v.object({
  /** Whether pictures may be loaded from where messages say. */
  pictures: v.boolean(),
});
export type PageOptions = v.InferOutput<typeof PageOptions>;

/** The page's own words, translated in the host. `{0}` stands for a value. */
export interface Labels {
  readonly loadOlder: string;
  readonly loading: string;
  readonly beginning: string;
  readonly empty: string;
  readonly checkNewer: string;
  readonly retry: string;
  readonly setToken: string;
  readonly jumpToNewest: string;
  readonly back: string;
  readonly readAs: string;
  readonly bot: string;
  readonly newMessages: string;
  readonly notLoaded: string;
  readonly loadBefore: string;
  readonly loadAfter: string;
  readonly findIn: string;
  readonly found: string;
  readonly nothingFound: string;
  readonly next: string;
  readonly previous: string;
  readonly close: string;
  readonly allSenders: string;
  readonly allKinds: string;
  readonly nothingLeft: string;
  readonly actions: string;
  readonly replyTo: string;
  readonly replyToUnloaded: string;
  readonly reply: string;
  readonly systemMessage: string;
  readonly command: string;
  readonly mentions: string;
  readonly image: string;
  readonly imageKey: string;
  readonly file: string;
  readonly video: string;
  readonly audio: string;
  readonly expression: string;
  readonly expressionId: string;
  readonly stickerId: string;
  readonly stickerPackId: string;
  readonly post: string;
  readonly form: string;
  readonly expired: string;
  readonly html: string;
  readonly showPage: string;
  readonly showSource: string;
  readonly showAll: string;
  readonly noContent: string;
  readonly copy: string;
  readonly otherKind: string;
  readonly unreadable: string;
  readonly unknownTime: string;
  readonly opens: string;
  readonly copies: string;
  readonly copied: string;
  readonly reports: string;
  readonly reportPreview: string;
  readonly unknownAction: string;
  readonly noAddress: string;
}
