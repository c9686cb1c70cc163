/** Counts the messages of a chat. */
import * as v from 'valibot';
import { localHours, QUARTER, weekdayOf } from '../../markup/days.ts';
import { readableText } from '../../markup/messageContent.ts';
import type { Ranking, Statistics } from '../../protocol/statistics.ts';
import { isPlainObject, text } from '../../service/fields.ts';
import { truncate } from '../../service/truncate.ts';
import { partsOf, StoredJson } from './messageTable.ts';
import { segmentApart } from './movedChats.ts';
import { integer, type Sql } from './sql.ts';

/** How many messages are read at once. */
const CHUNK = 5_000;

/** How many entries a ranking has. */
const MAX_RANKED = 500;

/** In how many messages buttons are counted, since their JSON has to be parsed. */
const MAX_BUTTONS_IN = 10_000;

/** The length of a name (UTF-16 units): longer ones are cut. */
const MAX_NAME = 300;

/** Later times are impossible (Unix ms): their year has more than four digits. */
const MAX_TIME = Date.UTC(9999, 11, 31);

/** Where a chunk ends: at the position before the next one. */
const END = `SELECT position FROM messages WHERE segment = ? AND position > ? ORDER BY position LIMIT 1 OFFSET ${CHUNK - 1}`;

/** Whether a message has a possible time. */
const HAS_TIME = `time BETWEEN 0 AND ${MAX_TIME}`;

/** Reads a chunk, each column as JSON: that takes a third of the time of a row for each message, or of `GROUP BY`. */
const READ = `
  SELECT count(*) AS total,
    min(time) FILTER (WHERE ${HAS_TIME}) AS first,
    max(time) FILTER (WHERE ${HAS_TIME}) AS last,
    json_group_array(time / ${QUARTER}) FILTER (WHERE ${HAS_TIME}) AS quarters,
    json_group_array(sender) AS senders,
    json_group_array(kind) FILTER (WHERE sender <> '') AS kinds,
    json_group_array(command) FILTER (WHERE command IS NOT NULL) AS commands,
    json_group_array(id) FILTER (WHERE hasButtons) AS withButtons
  FROM messages WHERE segment = ? AND position > ? AND position <= ?`;

/** The values of a column. They have no schema each: there are millions. */
const columnOf = <T>(isValue: (value: unknown) => value is T) =>
  v.pipe(
    v.string(),
    v.parseJson(),
    v.custom<T[]>((values) => Array.isArray(values) && values.every(isValue)),
  );
const Numbers = columnOf((value): value is number => Number.isSafeInteger(value));
const Texts = columnOf((value): value is string => typeof value === 'string');

const Chunk = v.object({
  total: integer,
  first: v.nullable(integer),
  last: v.nullable(integer),
  quarters: Numbers,
  senders: Texts,
  kinds: Texts,
  commands: Texts,
  withButtons: Numbers,
});
type Chunk = v.InferOutput<typeof Chunk>;

/** Counts the messages of a chat, by the days and hours of a time zone (an IANA name). */
export function statisticsOf(sql: Sql, chat: number, timeZone: string): Statistics {
  const quarters = new Counts<number>();
  const senders = new Counts<string>();
  const kinds = new Counts<string>();
  const commands = new Counts<string>();
  const withButtons: number[] = [];
  let [total, withTime] = [0, 0];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const chunk of chunksOf(sql, chat)) {
    total += chunk.total;
    first = Math.min(first, chunk.first ?? first);
    last = Math.max(last, chunk.last ?? last);
    withTime += quarters.addAll(chunk.quarters);
    senders.addAll(chunk.senders);
    kinds.addAll(chunk.kinds);
    commands.addAll(chunk.commands);
    for (const id of chunk.withButtons) withButtons.push(id);
  }
  // Only unreadable entries have an empty sender.
  const unreadable = senders.remove('');
  // IDs are in order of time.
  const newest = withButtons.sort((one, other) => other - one).slice(0, MAX_BUTTONS_IN);
  return {
    total,
    unreadable,
    withoutTime: total - unreadable - withTime,
    ...(withTime > 0 && { first, last }),
    ...byDayAndHour(quarters, timeZone),
    senders: rankingOf(senders, (sender) => ({ sender, ...partsOf(sender), name: nameOf(sql, chat, sender) })),
    kinds: rankingOf(kinds, (kind) => ({ kind: truncate(kind, MAX_NAME) })),
    commands: rankingOf(commands, (name) => ({ name: truncate(name, MAX_NAME) })),
    withButtons: withButtons.length,
    buttons: rankingOf(buttonTexts(sql, newest), (text) => ({ text })),
    buttonsIn: newest.length,
  };
}

/** How often each value occurs. */
class Counts<K> {
  readonly #counts = new Map<K, number>();

  add(key: K, count = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** Counts values. Returns how many there were. */
  addAll(keys: readonly K[]): number {
    // Equal values often follow each other, and are counted together.
    let start = 0;
    keys.forEach((key, at) => {
      if (key === keys[at + 1]) return;
      this.add(key, at + 1 - start);
      start = at + 1;
    });
    return keys.length;
  }

  /** Takes a value out of the count. Returns how often it occurred. */
  remove(key: K): number {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.delete(key);
    return count;
  }

  [Symbol.iterator]() {
    return this.#counts.entries();
  }
}

/** The messages of a chat, by segments, so that other chats aren't read, and nearly in the order of the file. */
function* chunksOf(sql: Sql, chat: number): Generator<Chunk> {
  const segments = sql.all(v.object({ id: integer }), 'SELECT id FROM segments WHERE chat = ?', chat);
  for (const { id } of [...segments, { id: segmentApart(chat) }]) {
    let [after, end] = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    while (end < Number.MAX_SAFE_INTEGER) {
      end = sql.get(v.object({ position: integer }), END, id, after)?.position ?? Number.MAX_SAFE_INTEGER;
      yield sql.one(Chunk, READ, id, after, end);
      after = end;
    }
  }
}

function byDayAndHour(quarters: Counts<number>, timeZone: string): Pick<Statistics, 'days' | 'hours'> {
  const toLocal = localHours(timeZone);
  const days = new Counts<number>();
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const [quarter, count] of quarters) {
    const local = toLocal(quarter);
    const day = Math.floor(local / 24);
    days.add(day, count);
    const ofWeekday = hours[weekdayOf(day)] ?? [];
    const hour = local - day * 24;
    ofWeekday[hour] = (ofWeekday[hour] ?? 0) + count;
  }
  const inOrder = [...days].sort(([one], [other]) => one - other);
  return { days: inOrder.map(([day, count]) => ({ day, count })), hours };
}

function buttonTexts(sql: Sql, ids: readonly number[]): Counts<string> {
  const counts = new Counts<string>();
  const rows = sql.iterate(
    v.object({ json: StoredJson }),
    'SELECT json FROM bodies WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  for (const { json } of rows) {
    // The buttons in a list of rows or a flat one: read as `Buttons` in `service/message.ts` does, but much faster.
    for (const button of buttonsIn(json)) {
      const label = isPlainObject(button) ? readableText(v.parse(text, button.text)) : '';
      if (label) counts.add(truncate(label, MAX_NAME));
    }
  }
  return counts;
}

/** Every button of a message; none if its JSON is damaged. */
function buttonsIn(json: string): unknown[] {
  try {
    return JSON.parse(json).content.buttons.flat();
  } catch {
    return [];
  }
}

const nameOf = (sql: Sql, chat: number, sender: string) =>
  sql.get(
    v.object({ name: v.string() }),
    'SELECT name FROM senders WHERE service = (SELECT service FROM chats WHERE id = ?) AND sender = ?',
    chat,
    sender,
  )?.name ?? '';

function rankingOf<T>(counts: Counts<string>, entryOf: (name: string) => T): Ranking<T> {
  const ranked = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const others = ranked.slice(MAX_RANKED);
  return {
    top: ranked.slice(0, MAX_RANKED).map(([name, count]) => ({ ...entryOf(name), count })),
    others: { names: others.length, count: others.reduce((sum, [, count]) => sum + count, 0) },
  };
}
