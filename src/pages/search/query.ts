/** Queries: how they change, and what they can filter by. Pure. */
import { fold } from '../../markup/caseFolding.ts';
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

/** How many senders are offered at once. */
const MAX_OFFERED = 100;

interface Option {
  /** The sender; undefined for all senders. */
  readonly sender?: string | undefined;
  readonly name: string;
}

export interface SenderOptions {
  readonly options: readonly Option[];
  /** Whether the names of more senders match. */
  readonly hasMore: boolean;
}

/** The first senders whose names contain the text, those whose names begin with it first; without a text, "all" as well. */
export function senderOptions(senders: SearchScope['senders'], text: string): SenderOptions {
  const wanted = fold(text.trim());
  if (!wanted)
    return { options: [{ name: '' }, ...senders.slice(0, MAX_OFFERED)], hasMore: senders.length > MAX_OFFERED };
  const beginning: Option[] = [];
  const containing: Option[] = [];
  for (const one of senders) {
    const place = fold(one.name).indexOf(wanted);
    if (place === 0) beginning.push(one);
    else if (place > 0) containing.push(one);
  }
  const found = [...beginning, ...containing];
  return { options: found.slice(0, MAX_OFFERED), hasMore: found.length > MAX_OFFERED };
}
