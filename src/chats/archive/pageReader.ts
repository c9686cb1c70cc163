/** Reads pages of a chat from the archive, as the service would list them (contract 4.4). */
import * as v from 'valibot';
import { firstSince } from '../../service/messagePages.ts';
import type { EdgeState, Segment } from '../log/logStore.ts';
import { StoredEdge } from './archivedLog.ts';
import { type MessageTable, StoredJson } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

/** Consecutive messages of a chat. */
export interface ArchivedPage {
  /** The JSON of each message, newest first. */
  readonly jsons: readonly string[];
  /** What is before the page if the archive has nothing there; undefined if the archive has older messages. */
  readonly older: EdgeState | undefined;
}

/** The first message since a time. */
export interface FirstSince {
  readonly msgId: string;
  /** When the message was sent (Unix ms). */
  readonly sendTime: number;
  /** Whether the chat has nothing older. */
  readonly isFirst: boolean;
}

const Row = v.object({ id: integer, json: StoredJson });
type Row = v.InferOutput<typeof Row>;

export class PageReader {
  readonly #sql: Sql;
  readonly #messages: MessageTable;

  constructor(sql: Sql, messages: MessageTable) {
    this.#sql = sql;
    this.#messages = messages;
  }

  /** The newest messages of a segment. */
  latest(segment: number, count: number): ArchivedPage {
    return this.#page(segment, this.#rows(segment, '<', Number.MAX_SAFE_INTEGER, count));
  }

  /** A message with the messages before and after it; undefined if it isn't archived. */
  around(chat: number, msgId: string, before: number, after: number): ArchivedPage | undefined {
    const place = this.#messages.place(chat, msgId);
    if (!place) return undefined;
    const { segment, position } = place;
    const newer = this.#rows(segment, '>', position, after).reverse();
    return this.#page(segment, [...newer, ...this.#rows(segment, '<=', position, before + 1)]);
  }

  /** The first message of a segment that was sent at a time (Unix ms) or later. */
  firstSince({ id, older }: Segment, time: number): FirstSince | undefined {
    const messages = this.#sql.iterate(
      v.object({ msgId: v.string(), sendTime: integer }),
      `SELECT msgId, time AS sendTime FROM messages
       WHERE segment = ? AND time IS NOT NULL AND msgId IS NOT NULL ORDER BY position`,
      id,
    );
    const found = firstSince(messages, time, ({ sendTime }) => sendTime);
    return found && { ...found.item, isFirst: found.index === 0 && older === 'end' };
  }

  #rows(segment: number, compare: '<' | '<=' | '>', position: number, limit: number): Row[] {
    const order = compare === '>' ? '' : 'DESC';
    return this.#sql.all(
      Row,
      `SELECT id, json FROM messages LEFT JOIN bodies USING (id)
       WHERE segment = ? AND position ${compare} ? ORDER BY position ${order} LIMIT ?`,
      segment,
      position,
      limit,
    );
  }

  /** The page of these `rows`, which are newest first. */
  #page(segment: number, rows: readonly Row[]): ArchivedPage {
    const edge = this.#sql.get(
      v.object({ older: StoredEdge, oldest: v.nullable(integer) }),
      `SELECT older, (SELECT id FROM messages WHERE segment = segments.id ORDER BY position LIMIT 1) AS oldest
       FROM segments WHERE id = ?`,
      segment,
    );
    return {
      jsons: rows.map(({ json }) => json),
      older: rows.at(-1)?.id === edge?.oldest ? edge?.older : undefined,
    };
  }
}
