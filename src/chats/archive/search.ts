/** Searches the archive, through its index or, without one, message by message, and shows excerpts of what is found. */
import * as v from 'valibot';
import { originalRanges } from '../../markup/caseFolding.ts';
import { onOneLine, searchableText, shownParts } from '../../markup/rendered/shownText.ts';
import { findTerms, matchesAll, parseQuery, type Term } from '../../markup/searchTerms.ts';
import { splitText } from '../../markup/words.ts';
import type { FoundParts, FoundText } from '../../protocol/search.ts';
import type { Listed } from '../../service/message.ts';
import { characterStart, truncate } from '../../service/truncate.ts';
import {
  BUTTONS_FACET,
  COMMAND_FACET,
  chatFacet,
  kindFacet,
  type MessageIndex,
  senderFacet,
  toExpression,
} from './messageIndex.ts';
import { facetsOf, idsSince, type MessageTable, senderKey } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

/** What to search for. Lists are alternatives; an absent one doesn't filter. */
export interface SearchRequest {
  readonly text: string;
  /** The numbers of the chats to search. */
  readonly chats?: readonly number[] | undefined;
  /** The senders, as `senderKey` makes their keys. */
  readonly senders?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly hasButtons?: boolean | undefined;
  readonly isCommand?: boolean | undefined;
  /** Whether words are sought only in what messages say themselves, as in a search by sender. */
  readonly withoutQuoted?: boolean | undefined;
  /** Only messages from `since` on and before `until` are found (Unix ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly order: 'newest' | 'relevance';
}

/** Where a result ends: the next one begins after it. */
export interface Cursor {
  /** Only smaller IDs follow, so that messages that arrive meanwhile don't appear among them. */
  readonly below: number;
  /** The IDs of the results that follow in order of relevance, as messages that arrive meanwhile would change the order. */
  readonly ranked?: readonly number[];
}

/** A message that was found. */
export interface FoundMessage {
  readonly id: number;
  /** The number of the message's chat. */
  readonly chat: number;
  /** The ID; undefined for an unreadable entry. */
  readonly msgId: string | undefined;
  readonly sender: string;
  readonly senderName: string;
  readonly kind: string;
  /** When the message was sent (Unix ms), if known. */
  readonly time: number | undefined;
  readonly parts: FoundParts;
}

export interface FoundPage {
  readonly found: readonly FoundMessage[];
  /** Where the next page begins; undefined at the end. A page with fewer messages than asked for may still not be the last. */
  readonly next: Cursor | undefined;
}

interface Query {
  readonly request: SearchRequest;
  readonly terms: readonly Term[];
  readonly limit: number;
  /** The bounds of the IDs of results. */
  readonly from: number;
  readonly below: number;
}

interface Hit {
  readonly id: number;
  readonly chat: number;
  readonly entry: Listed;
}

interface HitPage {
  readonly hits: readonly Hit[];
  readonly next: Cursor | undefined;
}

/** How many of the newest results are put in order of relevance: ranking all results of a common word would take too long. */
const MAX_RANKED = 1_000;

/** How many messages a scan without an index reads at most, which takes some tenths of a second. */
const MAX_SCANNED = 10_000;

/** How many messages that only quote what was searched for are read at most, which takes some hundredths of a second. */
const MAX_REJECTED = 150;

/** Bounds of IDs as an expression of SQL. The index uses only integers for them, and `node:sqlite` binds numbers as reals. */
const WITHIN = 'rowid >= CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER)';

/** How much of a text is shown, and how much of that before the first match (UTF-16 units). */
interface Size {
  readonly length: number;
  readonly before: number;
}

const SAID: Size = { length: 240, before: 60 };
const QUOTED: Size = { length: 120, before: 30 };
/** A name, or the label of a button. */
const SHORT: Size = { length: 40, before: 10 };

/** How many buttons are shown at most. */
const MAX_BUTTONS = 5;

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
  find(request: SearchRequest, limit: number, cursor?: Cursor): FoundPage {
    const terms = parseQuery(request.text);
    const from = request.since === undefined ? 0 : idsSince(request.since);
    const until = request.until === undefined ? Number.MAX_SAFE_INTEGER : idsSince(request.until);
    const below = Math.min(until, cursor?.below ?? Number.MAX_SAFE_INTEGER);
    if (terms.length === 0 && request.text.trim()) return { found: [], next: undefined };
    const page = this.#index.isAvailable
      ? this.#findIndexed({ request, terms, limit, from, below }, cursor)
      : this.#scan({ request, terms, limit, from, below });
    // Message IDs aren't in the index: they would make up an eighth of it. A message with the sought ID is on the first page.
    const withId = this.#hits(this.#messages.withId(request.text.trim(), from, below));
    const exact = withId.filter(({ chat, entry }) => isAllowed(chat, entry, facetLists(request)));
    const others = page.hits.filter(({ id }) => exact.every((one) => one.id !== id));
    const shown = cursor ? others : [...exact, ...others];
    return { found: shown.map((hit) => foundMessage(hit, request, terms)), next: page.next };
  }

  #findIndexed({ request, terms, limit, from, below }: Query, cursor: Cursor | undefined): HitPage {
    const facets = facetLists(request);
    // In the index, quotations are among the other words, but mustn't exclude a message here. Each message that the index
    // finds is checked, so that no second index is needed. Only words that many quote and few say take longer.
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
      expression,
      from,
      below,
    );
    for (const { id } of rows) yield id;
  }

  /** Reads a number of messages up to the `last` one; undefined if there are no more. */
  #read(ids: Iterable<number>, limit: number, isFound: (entry: Listed) => boolean) {
    const hits: Hit[] = [];
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
      expression,
      from,
      below,
      MAX_RANKED,
    );
    // A lower rank is better. The sort is stable: among equals, the newest is first.
    return rows.sort((one, other) => one.rank - other.rank).map(({ id }) => id);
  }

  /** Reads the newest messages one by one. */
  #scan({ request, terms, limit, from, below }: Query): HitPage {
    const facets = facetLists(request);
    const hits: Hit[] = [];
    let left = MAX_SCANNED;
    const rows = this.#sql.iterate(
      v.object({ id: integer, chat: integer }),
      'SELECT id, chat FROM messages WHERE id >= ? AND id < ? AND chat IN (SELECT id FROM chats) ORDER BY id DESC',
      from,
      below,
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

  #hits(rows: readonly { id: number }[]): Hit[] {
    return rows.flatMap(({ id }) => {
      // Messages of a removed chat may still be in the table.
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

/** Whether words are sought only in what messages say themselves, as quotations aren't what a sender said. */
const isWithoutQuoted = ({ withoutQuoted, senders }: SearchRequest) => withoutQuoted === true || senders !== undefined;

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

function foundMessage({ id, chat, entry }: Hit, request: SearchRequest, terms: readonly Term[]): FoundMessage {
  const message = entry.readable ? entry.message : undefined;
  return {
    id,
    chat,
    msgId: message?.msgId,
    sender: message ? senderKey(message) : '',
    senderName: message?.senderNickname ?? '',
    kind: message?.contentType ?? '',
    time: message?.sendTime,
    parts: excerptsOf(entry, terms, isWithoutQuoted(request) ? [] : terms),
  };
}

/** Excerpts of what is shown of a message, with the terms that were looked for in its quotation. */
function excerptsOf(entry: Listed, terms: readonly Term[], quotedTerms: readonly Term[]): FoundParts {
  const { said, buttons, author, quoted } = shownParts(entry);
  const labels = buttons.filter(Boolean).map((label) => excerptOf(label, terms, SHORT));
  const matchesFirst = labels.toSorted((one, other) => Number(hasMatch(other)) - Number(hasMatch(one)));
  const shown = new Set(matchesFirst.slice(0, MAX_BUTTONS));
  return {
    said: excerptOf(said, terms, SAID),
    author: excerptOf(author, quotedTerms, SHORT),
    quoted: excerptOf(quoted, quotedTerms, QUOTED),
    buttons: labels.filter((label) => shown.has(label)),
    hasMoreButtons: labels.length > MAX_BUTTONS,
  };
}

const hasMatch = ({ ranges }: FoundText) => ranges.length > 0;

/** The part of a text around the first match, or its beginning if there's none. */
function excerptOf(shown: string, terms: readonly Term[], { length, before }: Size): FoundText {
  const text = onOneLine(shown);
  const folded = findTerms(splitText(text), terms);
  const limit = (folded[0]?.[0] ?? 0) + length;
  const found = originalRanges(
    text,
    folded.filter(([from]) => from < limit),
  );
  const first = found[0]?.[0] ?? 0;
  const from = first <= before ? 0 : wordStart(text, first - before, first);
  const to = from + truncate(text.slice(from), length).length;
  return {
    text: text.slice(from, to),
    ranges: found.filter(([start]) => start < to).map(([start, end]) => [start - from, Math.min(end, to) - from]),
    isCutBefore: from > 0,
    isCutAfter: to < text.length,
  };
}

/** The first beginning of a word between two positions; without any, the beginning of the character at the first one. */
function wordStart(text: string, from: number, to: number): number {
  // An excerpt doesn't begin with the separator of two lines.
  const space = text.slice(from, to).search(/\s[^\s·]/);
  return space >= 0 ? from + space + 1 : characterStart(text, from);
}
