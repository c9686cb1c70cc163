/** Archived chats on their way to another computer's archive, page by page. */
import * as v from 'valibot';
import { StoredJson } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

/** Messages of a chat, oldest first. */
export interface MovedPage {
  /** The JSON of each. Consecutive ones, unless they're apart. A page begins with a message of the one before. */
  readonly jsons: readonly string[];
  /** The chat begins with them. */
  readonly isFirst?: boolean | undefined;
  /** Nothing tells what is beside each of them. */
  readonly isApart?: boolean | undefined;
}

/** Where the next page begins. */
export interface MovedPlace {
  readonly segment: number;
  readonly position: number;
}

/** A page is full with so many messages, or with their JSON (UTF-16 units): two may fill it by themselves. */
const PAGE = 500;
const PAGE_LENGTH = 1_000_000;

const Row = v.object({ position: integer, msgId: v.nullable(v.string()), json: StoredJson });
const SegmentRow = v.object({ id: integer, older: v.string() });
const START = Number.MIN_SAFE_INTEGER;

/**
 * The segment of the messages of a chat that are apart: a file had them, which can't prove what is beside each. Searches and
 * statistics have them, the log doesn't. A message leaves it as soon as the service lists it.
 */
export const segmentApart = (chat: number) => -chat;

/** The page of a chat at a place, by default the first. Undefined after the last one. */
export function readMoved(
  sql: Sql,
  chat: number,
  from?: MovedPlace,
): { page: MovedPage; next: MovedPlace } | undefined {
  const segment = segmentFrom(sql, chat, from?.segment);
  if (!segment) return undefined;
  const isApart = segment.id < 0;
  const start = segment.id === from?.segment ? from.position : START;
  const rows = sql.iterate(
    Row,
    `SELECT position, msgId, json FROM messages LEFT JOIN bodies USING (id)
     WHERE segment = ? AND position >= ? ORDER BY position`,
    ...[segment.id, start],
  );
  const jsons: string[] = [];
  let length = 0;
  let next: MovedPlace | undefined;
  for (const { position, msgId, json } of rows) {
    jsons.push(json);
    length += json.length;
    const isFull = jsons.length >= PAGE || length >= PAGE_LENGTH;
    if (!isFull) continue;
    // The next page begins with a message by which it's found to follow.
    if (isApart) next = { segment: segment.id, position: position + 1 };
    else if (jsons.length > 1 && msgId !== null) next = { segment: segment.id, position };
    if (next) break;
  }
  const isFirst = start === START && segment.older === 'end';
  const page = { jsons, ...(isFirst && { isFirst }), ...(isApart && { isApart }) };
  return { page, next: next ?? { segment: isApart ? Number.MIN_SAFE_INTEGER : segment.id + 1, position: START } };
}

/** The first segment with this ID or a later one; at last the one apart. */
function segmentFrom(sql: Sql, chat: number, from = 0): v.InferOutput<typeof SegmentRow> | undefined {
  const apart = segmentApart(chat);
  const next =
    from < 0
      ? undefined
      : sql.get(
          SegmentRow,
          'SELECT id, older FROM segments WHERE chat = ? AND id >= ? ORDER BY id LIMIT 1',
          ...[chat, from],
        );
  if (next || (from < 0 && from !== apart)) return next;
  return sql.has('SELECT 1 FROM messages WHERE segment = ?', apart) ? { id: apart, older: 'open' } : undefined;
}
