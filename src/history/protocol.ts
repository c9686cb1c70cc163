/** What the history panel and its page say to each other; both sides validate what they hear. */
import * as v from 'valibot';
import { Message } from '../service/message.ts';

/** What a panel shows; kept by the page so that VS Code can restore the panel. Never holds a token. */
export const Place = v.object({
  /** Address of the service that the chat is of. */
  service: v.string(),
  type: v.picklist(['group', 'user']),
  id: v.pipe(v.string(), v.nonEmpty()),
  /** The bot that reads. */
  botId: v.pipe(v.string(), v.nonEmpty()),
});
export type Place = v.InferOutput<typeof Place>;

const Entry = v.variant('readable', [
  v.object({ readable: v.literal(true), message: Message, raw: v.unknown() }),
  v.object({ readable: v.literal(false), raw: v.unknown() }),
]);
export type Entry = v.InferOutput<typeof Entry>;

/** The state of one end of the history, in words where there are any to say. */
const EdgeView = v.variant('at', [
  v.object({ at: v.picklist(['open', 'loading', 'end']) }),
  v.object({ at: v.literal('failed'), text: v.string(), needsToken: v.boolean() }),
]);
export type EdgeView = v.InferOutput<typeof EdgeView>;

export const ToPage = v.variant('type', [
  v.object({ type: v.literal('heading'), name: v.string(), summary: v.string(), readAs: v.string() }),
  /** `all` replaces what is shown; entries are oldest first. */
  v.object({ type: v.literal('entries'), where: v.picklist(['all', 'older', 'newer']), entries: v.array(Entry) }),
  v.object({ type: v.literal('edges'), older: EdgeView, newer: EdgeView }),
]);
export type ToPage = v.InferOutput<typeof ToPage>;

export const FromPage = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'older', 'newer', 'setToken']) }),
  /** Whether the newest message is on the screen. */
  v.object({ type: v.literal('atNewest'), is: v.boolean() }),
  v.object({ type: v.literal('copy'), text: v.string() }),
  v.object({ type: v.literal('open'), url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)) }),
]);
export type FromPage = v.InferOutput<typeof FromPage>;

/** The page's own words, translated in the host. `{0}` stands for a value. */
export const Labels = v.object({
  loadOlder: v.string(),
  loading: v.string(),
  beginning: v.string(),
  empty: v.string(),
  checkNewer: v.string(),
  upToDate: v.string(),
  retry: v.string(),
  setToken: v.string(),
  jumpToNewest: v.string(),
  readAs: v.string(),
  bot: v.string(),
  replyTo: v.string(),
  replyToUnloaded: v.string(),
  command: v.string(),
  image: v.string(),
  imageKey: v.string(),
  file: v.string(),
  htmlSource: v.string(),
  otherKind: v.string(),
  unreadable: v.string(),
  unknownTime: v.string(),
  opens: v.string(),
  copies: v.string(),
  copied: v.string(),
  reports: v.string(),
  reportPreview: v.string(),
  unknownAction: v.string(),
  noAddress: v.string(),
});
export type Labels = v.InferOutput<typeof Labels>;
