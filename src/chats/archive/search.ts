/** Searches the archive, through its index or, without one, message by message. */
import * as v from 'valibot';
import { matchesAll, parseQuery, type Term } from '../../markup/searchTerms.ts';
import { searchableText } from '../../markup/shownText.ts';
import { splitText } from '../../markup/words.ts';
import type { Listed } from '../../service/message.ts';
import {
  BUTTONS_FACET,
  COMMAND_FACET,
  chatFacet,
  kindFacet,
  type MessageIndex,
  senderFacet,
  toExpression,
} from './messageIndex.ts';
import { facetsOf, idsSince, type MessageTable } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

/** What to search for. Lists are alternatives; an absent one doesn't filter. */
export interface SearchRequest {
  readonly text: string;
  /** Numbers of chats. */
  readonly chats?: readonly number[] | undefined;
  /** As `senderKey` makes them. */
  readonly senders?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly hasButtons?: boolean | undefined;
  readonly isCommand?: boolean | undefined;
  /** Looks for words only in what messages say themselves. So does a search by sender. */
  readonly withoutQuoted?: boolean | undefined;
  /** From `since` on and before `until` (Unix ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly order: 'newest' | 'relevance';
}

/** Where a result ends: the next one begins after it. */
export interface Cursor {
  /** Results have smaller IDs, so that those of messages that arrive meanwhile don't appear among them. */
  readonly below: number;
  /** The IDs of the other results. Only in order of relevance, which messages that arrive meanwhile would change. */
  readonly ranked?: readonly number[];
}

export interface SearchHit {
  readonly id: number;
  readonly chat: number;
  readonly entry: Listed;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** Undefined at the end. A page may have fewer hits than asked for, and still not be the last. */
  readonly next: Cursor | undefined;
}

/** How many of the newest results are put in order of relevance: ranking all of a common word would take too long. */
const MAX_RANKED = 1_000;

/** How many messages a scan without an index reads at most, which takes some tenths of a second. */
const MAX_SCANNED = 10_000;

/** How many messages that only quote what was searched for are read at most, which takes some hundredths of a second. */
const MAX_REJECTED = 150;

/** Bounds of the IDs. The index uses only integers for them, and `node:sqlite` binds numbers as reals. */
const WITHIN = 'rowid >= CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER)';

export class Search {
  readonly #sql: Sql;
  readonly #index: MessageIndex;
  readonly #messages: MessageTable;

  constructor(sql: Sql, index: MessageIndex, messages: MessageTable) {
    this.#sql = sql;
    this.#index = index;
    this.#messages = messages;
  }

  /** One page of results, after the cursor if there is one. An empty text finds all messages that the rest allows. */
  find(request: SearchRequest, limit: number, cursor?: Cursor): SearchPage {
    const terms = parseQuery(request.text);
    const from = request.since === undefined ? 0 : idsSince(request.since);
    const until = request.until === undefined ? Number.MAX_SAFE_INTEGER : idsSince(request.until);
    const below = Math.min(until, cursor?.below ?? Number.MAX_SAFE_INTEGER);
    if (terms.length === 0 && request.text.trim()) return { hits: [], next: undefined };
    const page = this.#index.isAvailable
      ? this.#findIndexed(request, terms, limit, from, below, cursor)
      : this.#scan(request, terms, limit, from, below);
    // Message IDs aren't in the index: they would make up an eighth of it. They're on the first page.
    const withId = this.#hits(this.#messages.withId(request.text.trim(), from, below));
    const exact = withId.filter(({ chat, entry }) => isAllowed(chat, entry, facetLists(request)));
    const others = page.hits.filter(({ id }) => exact.every((one) => one.id !== id));
    return { ...page, hits: cursor ? others : [...exact, ...others] };
  }

  #findIndexed(
    request: SearchRequest,
    terms: readonly Term[],
    limit: number,
    from: number,
    below: number,
    cursor: Cursor | undefined,
  ): SearchPage {
    const facets = facetLists(request);
    // The index has what messages quote among the rest, which mustn't exclude a message here. What it finds is checked, so
    // that no second index is needed. Only what many quote and hardly any says takes longer.
    const isChecked = isWithoutQuoted(request) && terms.length > 0;
    const indexed = isChecked ? terms.filter(({ isExcluded }) => !isExcluded) : terms;
    const needsAll = facets.length === 0 && indexed.every(({ isExcluded }) => isExcluded);
    const all = needsAll ? this.#allChats() : [];
    if (needsAll && all.length === 0) return { hits: [], next: undefined };
    const expression = toExpression(indexed, needsAll ? [all] : facets);
    const isFound = (entry: Listed) => !isChecked || matchesAll(splitText(searchableText(entry, false)), terms);
    if (request.order === 'newest') {
      const { hits, last } = this.#read(this.#newest(expression, from, below), limit, isFound);
      return { hits, next: last && { below: last.id } };
    }
    const ranked = cursor?.ranked ?? this.#ranked(expression, from, below);
    const { hits, last } = this.#read(ranked, limit, isFound);
    const rest = last ? ranked.slice(last.count) : [];
    return { hits, next: rest.length > 0 ? { below, ranked: rest } : undefined };
  }

  *#newest(expression: string, from: number, below: number): Generator<number> {
    const rows = this.#sql.iterate(
      v.object({ id: integer }),
      `SELECT rowid AS id FROM words WHERE words MATCH ? AND ${WITHIN} ORDER BY rowid DESC`,
      ...[expression, from, below],
    );
    for (const { id } of rows) yield id;
  }

  /** Reads messages up to the `last` one, of so many; undefined if these are all. */
  #read(ids: Iterable<number>, limit: number, isFound: (entry: Listed) => boolean) {
    const hits: SearchHit[] = [];
    let count = 0;
    for (const id of ids) {
      count++;
      hits.push(...this.#hits([{ id }]).filter(({ entry }) => isFound(entry)));
      if (hits.length === limit || count - hits.length === MAX_REJECTED) return { hits, last: { id, count } };
    }
    return { hits, last: undefined };
  }

  /** The IDs of the newest results, in order of relevance. */
  #ranked(expression: string, from: number, below: number): number[] {
    const rows = this.#sql.all(
      v.object({ id: integer, rank: v.number() }),
      `SELECT rowid AS id, bm25(words) AS rank FROM words
       WHERE words MATCH ? AND ${WITHIN} ORDER BY rowid DESC LIMIT ?`,
      ...[expression, from, below, MAX_RANKED],
    );
    // Lower is better. The sort is stable: among equals, the newest is first.
    return rows.sort((one, other) => one.rank - other.rank).map(({ id }) => id);
  }

  /** Reads the newest messages one by one. */
  #scan(request: SearchRequest, terms: readonly Term[], limit: number, from: number, below: number): SearchPage {
    const facets = facetLists(request);
    const hits: SearchHit[] = [];
    let left = MAX_SCANNED;
    const rows = this.#sql.iterate(
      v.object({ id: integer, chat: integer }),
      'SELECT id, chat FROM messages WHERE id >= ? AND id < ? AND chat IN (SELECT id FROM chats) ORDER BY id DESC',
      ...[from, below],
    );
    for (const { id, chat } of rows) {
      const entry = this.#messages.read(id);
      const isFound =
        isAllowed(chat, entry, facets) &&
        matchesAll(splitText(searchableText(entry, !isWithoutQuoted(request))), terms);
      if (isFound) hits.push({ id, chat, entry });
      if (hits.length === limit || --left === 0) return { hits, next: { below: id } };
    }
    return { hits, next: undefined };
  }

  #hits(rows: readonly { id: number }[]): SearchHit[] {
    return rows.flatMap(({ id }) => {
      // Messages of a removed chat may still be there.
      const chat = this.#sql.get(
        v.object({ chat: integer }),
        'SELECT chat FROM messages WHERE id = ? AND chat IN (SELECT id FROM chats)',
        id,
      )?.chat;
      return chat === undefined ? [] : { id, chat, entry: this.#messages.read(id) };
    });
  }

  #allChats(): string[] {
    return this.#sql.all(v.object({ id: integer }), 'SELECT id FROM chats').map(({ id }) => chatFacet(id));
  }
}

/** Whether words are looked for only in what messages say themselves: that of others isn't what a sender said. */
export const isWithoutQuoted = ({ withoutQuoted, senders }: SearchRequest) =>
  withoutQuoted === true || senders !== undefined;

function facetLists({ chats, senders, kinds, hasButtons, isCommand }: SearchRequest): string[][] {
  return [
    chats?.map(chatFacet),
    senders?.map(senderFacet),
    kinds?.map(kindFacet),
    hasButtons ? [BUTTONS_FACET] : undefined,
    isCommand ? [COMMAND_FACET] : undefined,
  ].filter((list) => list !== undefined);
}

/** Whether an entry has one facet of each list. */
function isAllowed(chat: number, entry: Listed, lists: readonly (readonly string[])[]): boolean {
  const own = facetsOf(chat, entry);
  return lists.every((list) => list.some((facet) => own.includes(facet)));
}
