/** What a log keeps, and how a store keeps it. */
import type { Listed } from '../../service/message.ts';
import type { Side } from '../../service/messagePages.ts';
import type { Entry } from './mergePage.ts';

/** What is beyond a segment: unknown, nothing, messages that can't be read, or messages older than the limit of the log. */
export type EdgeState = 'open' | 'end' | 'lost' | 'limit';

/** Consecutive messages. Later segments have larger `id`s. */
export interface Segment {
  readonly id: number;
  readonly older: EdgeState;
  readonly newer: EdgeState;
}

/** A known entry. Newer entries of a segment have larger positions. */
export interface Known extends Entry {
  readonly position: number;
}

/** A new entry, with its own time or that of a neighbor in its page (Unix ms), if any has one. */
export interface NewEntry {
  readonly entry: Listed;
  readonly time: number | undefined;
}

/** Keeps the entries of a log. It decides nothing. */
export interface LogStore {
  /** All segments, in any order. */
  segments(): readonly Segment[];
  /** The place of a message; undefined if it isn't known. */
  place(msgId: string): { readonly segment: number; readonly position: number } | undefined;
  /** The entries of a segment toward one side, beginning at a position, or else at its other end. */
  walk(segment: number, side: Side, from?: number): Iterable<Known>;
  /** Adds an empty segment with open edges. */
  create(): number;
  /** Appends the newer of two segments to the older one, without an edge between them. */
  join(older: number, newer: number): void;
  /** Inserts entries, oldest first, after a position, or else before all others. Earlier positions stay as they are. */
  insert(segment: number, after: number | undefined, entries: readonly NewEntry[]): void;
  /** Removes an entry. Earlier positions stay as they are. */
  remove(segment: number, position: number): void;
  setEdge(segment: number, side: Side, state: EdgeState): void;
}
