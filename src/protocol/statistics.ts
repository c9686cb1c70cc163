/** The messages between the statistics panel and its page. Both sides validate what they receive. */
import * as v from 'valibot';
import { BotChat } from './botChat.ts';
import { count, TimeZone } from './page.ts';
import { SearchQuery } from './search.ts';

const time = v.pipe(v.number(), v.finite());

/** A ranking: the most frequent values first, then how many others there are, and how often these occur together. */
const ranking = <const E extends v.ObjectEntries>(entries: E) =>
  v.object({ top: v.array(v.object({ ...entries, count })), others: v.object({ names: count, count }) });

/** Numbers about a chat's archived messages. Days and hours are those of a time zone. */
export const Statistics = v.object({
  total: count,
  /** The number of entries that can't be read, which are only in the total. */
  unreadable: count,
  /** The number of messages without a possible time. */
  withoutTime: count,
  /** The first and the last known time (Unix ms). */
  first: v.optional(time),
  last: v.optional(time),
  /** Days with messages, in order, as the number of days since 1970-01-01. */
  days: v.array(v.object({ day: v.pipe(v.number(), v.integer()), count })),
  /** For each weekday from Monday, the number of messages in each of its 24 hours. */
  hours: v.array(v.array(count)),
  /** `sender` is the ID by which the search finds a sender. `name` may be empty. */
  senders: ranking({ sender: v.string(), type: v.string(), id: v.string(), name: v.string() }),
  /** Content types. */
  kinds: ranking({ kind: v.string() }),
  commands: ranking({ name: v.string() }),
  withButtons: count,
  /** Texts of buttons, in the newest messages with buttons: `buttonsIn` is how many of these were counted. */
  buttons: ranking({ text: v.string() }),
  buttonsIn: count,
});
export type Statistics = v.InferOutput<typeof Statistics>;

/** One of the rankings in {@link Statistics}. */
export interface Ranking<T> {
  top: (T & { count: number })[];
  others: { names: number; count: number };
}

/** The state of the page, from which VS Code restores the panel. */
export const StatisticsPageState = v.object({ place: BotChat });

export const ToStatisticsPage = v.variant('type', [
  /** The chat, and what the archive covers of it. */
  v.object({ type: v.literal('heading'), name: v.string(), summary: v.string() }),
  /** Says that the messages are being counted, perhaps again. */
  v.object({ type: v.literal('loading') }),
  v.object({ type: v.literal('statistics'), statistics: Statistics }),
  v.object({ type: v.literal('failed'), text: v.string() }),
]);
export type ToStatisticsPage = v.InferOutput<typeof ToStatisticsPage>;

export const FromStatisticsPage = v.variant('type', [
  v.object({ type: v.literal('ready'), timeZone: v.fallback(v.optional(TimeZone), undefined) }),
  v.object({ type: v.picklist(['update', 'saveCsv', 'copyCsv']) }),
  /** Searches this chat for the messages that a part of a picture stands for. */
  v.object({ type: v.literal('search'), query: v.omit(SearchQuery, ['chat', 'order']) }),
]);
export type FromStatisticsPage = v.InferOutput<typeof FromStatisticsPage>;
