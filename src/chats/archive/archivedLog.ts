/** Keeps the log of a chat in the archive. */
import * as v from 'valibot';
import type { Side } from '../../service/messagePages.ts';
import type { EdgeState, Known, LogStore, NewEntry, Segment } from '../log/logStore.ts';
import { type MessageTable, StoredJson } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

export const StoredEdge = v.picklist(['open', 'end', 'lost', 'limit'] satisfies EdgeState[]);

const SegmentRow = v.object({ id: integer, older: StoredEdge, newer: StoredEdge });

const KnownRow = v.object({
  id: integer,
  position: integer,
  msgId: v.nullable(v.string()),
  time: v.nullable(integer),
  json: StoredJson,
});

/** The first or last position; null if there are no messages. */
const Position = v.object({
  position: v.pipe(
    v.nullable(integer),
    v.transform((position) => position ?? undefined),
  ),
});

/** The distance of new positions, which leaves room for messages between them. */
const SPACE = 2 ** 20;

/** The store of a log. Its caller begins a transaction before it changes anything. */
export class ArchivedLog implements LogStore {
  readonly #sql: Sql;
  readonly #messages: MessageTable;
  readonly #chat: number;

  constructor(sql: Sql, messages: MessageTable, chat: number) {
    this.#sql = sql;
    this.#messages = messages;
    this.#chat = chat;
  }

  segments(): Segment[] {
    return this.#sql.all(SegmentRow, 'SELECT id, older, newer FROM segments WHERE chat = ?', this.#chat);
  }

  place(msgId: string): { segment: number; position: number } | undefined {
    return this.#messages.place(this.#chat, msgId);
  }

  *walk(segment: number, side: Side, from?: number): Generator<Known> {
    const select = (range: string) =>
      `SELECT m.id, position, msgId, time, CASE WHEN msgId IS NULL THEN json END AS json
       FROM messages m LEFT JOIN bodies b ON msgId IS NULL AND b.id = m.id WHERE segment = ? AND position ${range}`;
    const rows =
      side === 'older'
        ? this.#sql.iterate(KnownRow, select('<= ? ORDER BY position DESC'), segment, from ?? Number.MAX_SAFE_INTEGER)
        : this.#sql.iterate(KnownRow, select('>= ? ORDER BY position'), segment, from ?? Number.MIN_SAFE_INTEGER);
    for (const { position, msgId, time, json } of rows) {
      yield { position, key: msgId ?? json, isReadable: msgId !== null, time: time ?? undefined };
    }
  }

  create(): number {
    this.#sql.run('INSERT INTO segments (chat) VALUES (?)', this.#chat);
    return this.#sql.one(v.object({ id: integer }), 'SELECT last_insert_rowid() AS id').id;
  }

  join(older: number, newer: number): void {
    const shift = (this.#outermost('max', older) ?? 0) + SPACE - (this.#outermost('min', newer) ?? 0);
    this.#sql.run('UPDATE messages SET segment = ?, position = position + ? WHERE segment = ?', older, shift, newer);
    this.#sql.run('UPDATE segments SET newer = (SELECT newer FROM segments WHERE id = ?) WHERE id = ?', newer, older);
    this.#sql.run('DELETE FROM segments WHERE id = ?', newer);
  }

  insert(segment: number, after: number | undefined, entries: readonly NewEntry[]): void {
    const room = entries.length + 1;
    let next = this.#sql.one(
      Position,
      'SELECT min(position) AS position FROM messages WHERE segment = ? AND position > ?',
      segment,
      after ?? Number.MIN_SAFE_INTEGER,
    ).position;
    if (after !== undefined && next !== undefined && next - after < room) {
      this.#sql.run(
        'UPDATE messages SET position = position + ? WHERE segment = ? AND position > ?',
        SPACE * room,
        segment,
        after,
      );
      next += SPACE * room;
    }
    const step = after !== undefined && next !== undefined ? Math.floor((next - after) / room) : SPACE;
    const start = after ?? (next === undefined ? 0 : next - SPACE * room);
    for (const [at, { entry, time }] of entries.entries()) {
      const position = start + step * (at + 1);
      this.#messages.insert({ chat: this.#chat, segment, position }, entry, time ?? 0);
    }
  }

  remove(segment: number, position: number): void {
    const row = this.#sql.get(
      v.object({ id: integer }),
      'SELECT id FROM messages WHERE segment = ? AND position = ?',
      segment,
      position,
    );
    if (row) this.#messages.remove(row.id);
  }

  setEdge(segment: number, side: Side, state: EdgeState): void {
    if (side === 'older') this.#sql.run('UPDATE segments SET older = ? WHERE id = ?', state, segment);
    else this.#sql.run('UPDATE segments SET newer = ? WHERE id = ?', state, segment);
  }

  #outermost(which: 'min' | 'max', segment: number): number | undefined {
    return this.#sql.one(
      Position,
      which === 'min'
        ? 'SELECT min(position) AS position FROM messages WHERE segment = ?'
        : 'SELECT max(position) AS position FROM messages WHERE segment = ?',
      segment,
    ).position;
  }
}
