/** The messages between the search panel and its page. Both sides validate what they receive. */
import * as v from 'valibot';
import { count, ListPosition } from './page.ts';

const time = v.pipe(v.number(), v.finite());

/** What can be searched. */
const SearchScope = v.object({
  /** What the archive covers, such as "3 of 7 chats, until yesterday". */
  summary: v.string(),
  /** How few chats of the sidebar are archived; empty if all are. */
  unarchived: v.string(),
  /** Archived chats, by their number in the archive. */
  chats: v.array(
    v.object({
      number: count,
      kind: v.picklist(['group', 'user']),
      name: v.string(),
      /** The service's own name if the user calls it something else. */
      otherName: v.optional(v.string()),
    }),
  ),
  /** Everyone who has written in these chats, with an ID that the page only returns. */
  senders: v.array(v.object({ sender: v.string(), name: v.string() })),
  /** Content types. */
  kinds: v.array(v.string()),
});
export type SearchScope = v.InferOutput<typeof SearchScope>;

/** A part of a text, and where the words that were searched for are in it. */
const FoundText = v.object({
  text: v.string(),
  ranges: v.array(v.tuple([count, count])),
  isCutBefore: v.boolean(),
  isCutAfter: v.boolean(),
});
export type FoundText = v.InferOutput<typeof FoundText>;

/** The parts of a message, each on one line. A part that it doesn't have is empty. */
const FoundParts = v.object({
  said: FoundText,
  /** The quotation, with who is quoted. */
  author: FoundText,
  quoted: FoundText,
  /** The labels of some of its buttons. */
  buttons: v.array(FoundText),
  hasMoreButtons: v.boolean(),
});
export type FoundParts = v.InferOutput<typeof FoundParts>;

/** A message that was found. */
const FoundView = v.object({
  /** Unique among the results. */
  key: v.string(),
  chat: count,
  /** The ID of the message; empty if it can't be opened. */
  msgId: v.string(),
  senderName: v.string(),
  /** When the message was sent (Unix ms), if known. */
  time: v.optional(time),
  /** The content type; empty for an ordinary text. */
  kind: v.string(),
  parts: FoundParts,
});
export type FoundView = v.InferOutput<typeof FoundView>;

/** What to search for. Absent filters, and empty lists, don't filter. */
export const SearchQuery = v.object({
  text: v.string(),
  chat: v.optional(count),
  sender: v.optional(v.string()),
  kind: v.optional(v.string()),
  hasButtons: v.optional(v.boolean()),
  isCommand: v.optional(v.boolean()),
  /** Whether words are sought only in what messages say themselves. */
  withoutQuoted: v.optional(v.boolean()),
  /** Only messages from `since` on and before `until` are found (Unix ms). */
  since: v.optional(time),
  until: v.optional(time),
  order: v.picklist(['newest', 'relevance']),
});
export type SearchQuery = v.InferOutput<typeof SearchQuery>;

/** The state of the page, which it restores when it's shown or reloaded. */
export const SearchPageState = v.object({
  query: SearchQuery,
  position: v.optional(ListPosition),
  /** Whether the filters are unfolded in a narrow window. */
  hasFilters: v.optional(v.boolean()),
});
export type SearchPageState = v.InferOutput<typeof SearchPageState>;

export const ToSearchPage = v.variant('type', [
  v.object({ type: v.literal('scope'), ...SearchScope.entries }),
  /** More results of the search with this number. `isLast` if there are no others. */
  v.object({ type: v.literal('found'), search: count, found: v.array(FoundView), isLast: v.boolean() }),
  /** The search with this number, or the request for more results, has failed. `more` asks for those again. */
  v.object({ type: v.literal('failed'), search: count, text: v.string() }),
  /** Moves the focus to the query, and fills it in if there is one. */
  v.object({ type: v.literal('focus'), query: v.optional(SearchQuery) }),
]);
export type ToSearchPage = v.InferOutput<typeof ToSearchPage>;

export const FromSearchPage = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  /** Starts a search, which replaces the one before. Numbers increase. */
  v.object({ type: v.literal('search'), search: count, query: SearchQuery }),
  /** Asks for more results of a search. */
  v.object({ type: v.literal('more'), search: count }),
  v.object({ type: v.literal('openMessage'), chat: count, msgId: v.pipe(v.string(), v.nonEmpty()) }),
  /** Chooses chats to archive. */
  v.object({ type: v.literal('archive') }),
]);
export type FromSearchPage = v.InferOutput<typeof FromSearchPage>;
