/** Changes queries. Pure. */
import type { SearchQuery, SearchScope } from '../../protocol/search.ts';

export const EMPTY: SearchQuery = { text: '', order: 'newest' };

/** New values of filters. `undefined` and `false` remove a filter. */
export type QueryChanges = { readonly [Name in keyof SearchQuery]?: SearchQuery[Name] | undefined };

export function changedQuery(query: SearchQuery, changes: QueryChanges): SearchQuery {
  const parts = Object.entries({ ...query, ...changes });
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && value !== false)) as SearchQuery;
}

/** How many filters a query has. */
export function activeFilters({ text: _, order: __, ...filters }: SearchQuery): number {
  return Object.keys(filters).length;
}

/** The query without filters that can't be chosen anymore, such as a chat removed from the archive. */
export function availableQuery(query: SearchQuery, { chats, senders, kinds }: SearchScope): SearchQuery {
  const { chat, sender, kind } = query;
  const gone: QueryChanges = {
    ...(chat !== undefined && !chats.some(({ number }) => number === chat) && { chat: undefined }),
    ...(sender !== undefined && !senders.some((one) => one.sender === sender) && { sender: undefined }),
    ...(kind !== undefined && !kinds.includes(kind) && { kind: undefined }),
  };
  return Object.keys(gone).length > 0 ? changedQuery(query, gone) : query;
}
