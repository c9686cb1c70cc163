/** The archived segments of a chat: merging pages into them, and what is missing between and beyond them. */
import * as v from 'valibot';
import { type Listed, messageKey, sendTimeOf } from '../service/message.ts';
import { duplicatesIn, type Entry, mergePage } from './mergePage.ts';
import { type MessageTable, type Place, StoredJson } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

export type Side = 'older' | 'newer';

/** What is beyond a segment: not known yet, nothing, or it can't be read, or it's older than the chat's limit. */
export const EdgeState = v.picklist(['open', 'end', 'lost', 'limit']);
export type EdgeState = v.InferOutput<typeof EdgeState>;

const Segment = v.object({ id: integer, older: EdgeState, newer: EdgeState });
export type Segment = v.InferOutput<typeof Segment>;

/** The distance of new positions, which leaves room for messages between them. */
const SPACE = 2 ** 20;

/** How many times at each end of a segment decide the order of segments, so that one wrong clock doesn't. */
const SAMPLE = 9;

interface Known extends Entry {
  readonly id: number;
  readonly position: number;
}

export class Segments {
  readonly #sql: Sql;
  readonly #messages: MessageTable;

  constructor(sql: Sql, messages: MessageTable) {
    this.#sql = sql;
    this.#messages = messages;
  }

  /**
   * Adds consecutive messages of a chat, oldest first, and joins the segments that they connect. Returns their segment,
   * whether each is new, and by how many messages the chat has grown. The caller has begun a transaction.
   */
  add(chat: number, page: readonly Listed[]): { segment: number; isNew: boolean[]; grownBy: number } {
    const places = page.map((entry) => (entry.readable ? this.#messages.place(chat, entry.message.msgId) : undefined));
    const found = [...new Set(places.flatMap((place) => place?.segment ?? []))];
    const segment = found[0] ?? this.#create(chat);
    for (const other of found.slice(1)) this.join(segment, other);
    const known = found.length > 0 ? this.#known(chat, segment, page) : [];
    const merged = mergePage(known, page.map(toEntry));
    const first = this.#firstPosition(segment);
    const last = this.#lastPosition(segment);
    this.#insert({ chat, segment }, known, page, merged);
    if (this.#firstPosition(segment) !== first) this.setEdge(segment, 'older', 'open');
    if (this.#lastPosition(segment) !== last) this.setEdge(segment, 'newer', 'open');
    const duplicates = found.length > 1 ? duplicatesIn(known, merged) : [];
    for (const index of duplicates) this.#messages.remove(known[index]?.id ?? 0);
    const isNew = merged.map(({ isKnown }) => !isKnown);
    return { segment, isNew, grownBy: isNew.filter(Boolean).length - duplicates.length };
  }

  /** All segments of a chat, in order of time. */
  list(chat: number): Segment[] {
    const segments = this.#sql.all(Segment, 'SELECT id, older, newer FROM segments WHERE chat = ?', chat);
    if (segments.length < 2) return segments;
    const times = new Map(segments.map(({ id }) => [id, this.#middleTime(id)]));
    return segments.sort((one, other) => (times.get(one.id) ?? 0) - (times.get(other.id) ?? 0) || one.id - other.id);
  }

  setEdge(segment: number, side: Side, state: EdgeState): void {
    if (side === 'older') this.#sql.run('UPDATE segments SET older = ? WHERE id = ?', state, segment);
    else this.#sql.run('UPDATE segments SET newer = ? WHERE id = ?', state, segment);
  }

  /** Appends the newer of two segments to the older one. */
  join(older: number, newer: number): void {
    const shift = (this.#lastPosition(older) ?? 0) + SPACE - (this.#firstPosition(newer) ?? 0);
    this.#sql.run('UPDATE messages SET segment = ?, position = position + ? WHERE segment = ?', older, shift, newer);
    this.#sql.run(
      'UPDATE segments SET newer = (SELECT newer FROM segments WHERE id = ?) WHERE id = ?',
      ...[newer, older],
    );
    this.#sql.run('DELETE FROM segments WHERE id = ?', newer);
  }

  /** The outermost readable messages on one side, the outermost first, with the number of entries beyond each. */
  anchors(segment: number, side: Side, limit: number): { msgId: string; beyond: number }[] {
    const rows = this.#sql.iterate(
      v.object({ msgId: v.nullable(v.string()) }),
      side === 'older'
        ? 'SELECT msgId FROM messages WHERE segment = ? ORDER BY position LIMIT 10000'
        : 'SELECT msgId FROM messages WHERE segment = ? ORDER BY position DESC LIMIT 10000',
      segment,
    );
    const anchors: { msgId: string; beyond: number }[] = [];
    let beyond = 0;
    for (const { msgId } of rows) {
      if (msgId !== null) anchors.push({ msgId, beyond });
      if (anchors.length === limit) break;
      beyond++;
    }
    return anchors;
  }

  #create(chat: number): number {
    this.#sql.run('INSERT INTO segments (chat) VALUES (?)', chat);
    return this.#sql.one(v.object({ id: integer }), 'SELECT last_insert_rowid() AS id').id;
  }

  /** The known messages among which those of a page are, and as many on both sides as the page has. */
  #known(chat: number, segment: number, page: readonly Listed[]): Known[] {
    const positions = page.flatMap((entry) =>
      entry.readable ? (this.#messages.place(chat, entry.message.msgId)?.position ?? []) : [],
    );
    const select = (where: string) =>
      `SELECT m.id, position, msgId, time, CASE WHEN msgId IS NULL THEN json END AS json
       FROM messages m LEFT JOIN bodies b ON msgId IS NULL AND b.id = m.id WHERE segment = ? AND ${where}`;
    const [from, to] = [Math.min(...positions), Math.max(...positions)];
    const older = this.#sql.all(
      Row,
      select('position < ? ORDER BY position DESC LIMIT ?'),
      ...[segment, from, page.length + 1],
    );
    const between = this.#sql.all(Row, select('position BETWEEN ? AND ? ORDER BY position'), segment, from, to);
    const newer = this.#sql.all(
      Row,
      select('position > ? ORDER BY position LIMIT ?'),
      ...[segment, to, page.length + 1],
    );
    return [...older.reverse(), ...between, ...newer].map(({ id, position, msgId, time, json }) => ({
      id,
      position,
      key: msgId ?? json,
      isReadable: msgId !== null,
      time: time ?? undefined,
    }));
  }

  /** Inserts the entries of a page that aren't known where `merged` says. */
  #insert(place: Omit<Place, 'position'>, known: readonly Known[], page: readonly Listed[], merged: Merged): void {
    let positions = newPositions(known, merged);
    if (!positions) {
      this.#spread(place.segment);
      positions = newPositions(this.#refreshed(known), merged) ?? [];
    }
    let time = page.map(sendTimeOf).find((one) => one !== undefined) ?? 0;
    for (const [at, entry] of page.entries()) {
      // A message without a time is found next to its neighbor.
      time = sendTimeOf(entry) ?? time;
      const position = positions[at];
      if (position !== undefined) this.#messages.insert({ ...place, position }, entry, time);
    }
  }

  /** Gives all messages of a segment new positions, with room between them. */
  #spread(segment: number): void {
    this.#sql.run(
      `UPDATE messages SET position = ranked.rank * ${SPACE}
       FROM (SELECT id, row_number() OVER (ORDER BY position) AS rank FROM messages WHERE segment = ?) AS ranked
       WHERE messages.id = ranked.id`,
      segment,
    );
  }

  #refreshed(known: readonly Known[]): Known[] {
    return known.map((entry) => ({
      ...entry,
      position:
        this.#sql.get(v.object({ position: integer }), 'SELECT position FROM messages WHERE id = ?', entry.id)
          ?.position ?? entry.position,
    }));
  }

  #firstPosition(segment: number): number | undefined {
    return this.#sql.one(Outermost, 'SELECT min(position) AS position FROM messages WHERE segment = ?', segment)
      .position;
  }

  #lastPosition(segment: number): number | undefined {
    return this.#sql.one(Outermost, 'SELECT max(position) AS position FROM messages WHERE segment = ?', segment)
      .position;
  }

  #middleTime(segment: number): number {
    const select = (order: string) =>
      `SELECT time FROM messages WHERE segment = ? AND time IS NOT NULL ORDER BY ${order} LIMIT ${SAMPLE}`;
    const rows = [
      ...this.#sql.all(v.object({ time: integer }), select('position'), segment),
      ...this.#sql.all(v.object({ time: integer }), select('position DESC'), segment),
    ];
    const times = rows.map(({ time }) => time).sort((one, other) => one - other);
    return times[Math.floor(times.length / 2)] ?? 0;
  }
}

const Row = v.object({
  id: integer,
  position: integer,
  msgId: v.nullable(v.string()),
  time: v.nullable(integer),
  json: StoredJson,
});

/** Null if there are no messages. */
const Outermost = v.object({
  position: v.pipe(
    v.nullable(integer),
    v.transform((position) => position ?? undefined),
  ),
});

type Merged = ReturnType<typeof mergePage>;

/** A position for each entry that isn't known; undefined if there's too little room between two of them. */
function newPositions(known: readonly Known[], merged: Merged): (number | undefined)[] | undefined {
  const counts = new Map<number, number>();
  const ranks = merged.map(({ isKnown, index }) => {
    if (isKnown) return undefined;
    const rank = (counts.get(index) ?? 0) + 1;
    counts.set(index, rank);
    return rank;
  });
  let hasRoom = true;
  const positions = merged.map(({ index }, at) => {
    const rank = ranks[at];
    if (rank === undefined) return undefined;
    const count = counts.get(index) ?? 1;
    const [before, after] = [known[index]?.position, known[index + 1]?.position];
    if (after === undefined) return (before ?? 0) + rank * SPACE;
    if (before === undefined) return after - (count + 1 - rank) * SPACE;
    const step = Math.floor((after - before) / (count + 1));
    if (step < 1) hasRoom = false;
    return before + rank * step;
  });
  return hasRoom ? positions : undefined;
}

const toEntry = (entry: Listed): Entry => ({
  key: messageKey(entry),
  isReadable: entry.readable,
  time: sendTimeOf(entry),
});
