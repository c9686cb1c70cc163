/** Archived chats on their way to another computer's archive: pages are read here and added there. */
import * as v from 'valibot';
import type { BotChat } from '../../protocol/botChat.ts';
import { isWithinLimits } from '../../service/elements.ts';
import type { Listed } from '../../service/message.ts';
import type { Log } from '../log/log.ts';
import { ArchiveError } from './archiveError.ts';
import type { ChatNames, ChatTable, Import } from './chatTable.ts';
import { type MessageTable, parseListed, StoredJson } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

/** Messages of a chat, oldest first. */
export interface MovedPage {
  /**
   * The JSON of each message. Messages are consecutive, unless they're apart. A page begins with a message of the page
   * before.
   */
  readonly jsons: readonly string[];
  /** Whether the chat begins with these messages. */
  readonly isFirst?: boolean | undefined;
  /** Whether these messages are apart: nothing tells what is beside each of them. */
  readonly isApart?: boolean | undefined;
}

/** Where the next page begins. */
export interface MovedPlace {
  readonly segment: number;
  readonly position: number;
}

/** How many messages, and how much of their JSON (UTF-16 units), fill a page: two messages may do so. */
const PAGE = 500;
const PAGE_LENGTH = 1_000_000;

/** How many imports of a chat are shown. */
const MAX_IMPORTS = 5;

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
    segment.id,
    start,
  );
  const jsons: string[] = [];
  let length = 0;
  let next: MovedPlace | undefined;
  for (const { position, msgId, json } of rows) {
    jsons.push(json);
    length += json.length;
    const isFull = jsons.length >= PAGE || length >= PAGE_LENGTH;
    if (!isFull) continue;
    // The next page begins with a message of this one, by which it's found to follow.
    if (isApart) next = { segment: segment.id, position: position + 1 };
    else if (jsons.length > 1 && msgId !== null) next = { segment: segment.id, position };
    if (next) break;
  }
  const isFirst = start === START && segment.older === 'end';
  const page = { jsons, ...(isFirst && { isFirst }), ...(isApart && { isApart }) };
  return { page, next: next ?? { segment: isApart ? Number.MIN_SAFE_INTEGER : segment.id + 1, position: START } };
}

/** The first segment with this ID or a later one; after all others, the segment of messages that are apart. */
function segmentFrom(sql: Sql, chat: number, from = 0): v.InferOutput<typeof SegmentRow> | undefined {
  const apart = segmentApart(chat);
  const next =
    from < 0
      ? undefined
      : sql.get(
          SegmentRow,
          'SELECT id, older FROM segments WHERE chat = ? AND id >= ? ORDER BY id LIMIT 1',
          chat,
          from,
        );
  if (next || (from < 0 && from !== apart)) return next;
  return sql.has('SELECT 1 FROM messages WHERE segment = ?', apart) ? { id: apart, older: 'open' } : undefined;
}

interface Logs {
  /** Adds consecutive messages to the log of a chat, which begins with them if `isFirst`. Returns how many are new. */
  add(chat: number, page: readonly Listed[], isFirst: boolean): number;
  logOf(chat: number): Log;
}

/** Adds messages from a file to archived chats: pages of another archive, or messages of which nothing tells their place. */
export class ChatImports {
  readonly #sql: Sql;
  readonly #messages: MessageTable;
  readonly #chats: ChatTable;
  readonly #logs: Logs;

  constructor(sql: Sql, messages: MessageTable, chats: ChatTable, logs: Logs) {
    this.#sql = sql;
    this.#messages = messages;
    this.#chats = chats;
    this.#logs = logs;
  }

  /**
   * Begins to import a chat that is archived back to a time (Unix ms), or to its beginning. A chat that is here keeps its
   * bot. Returns the number of the chat.
   */
  begin(botChat: BotChat, since: number | undefined, names: ChatNames): number {
    return this.#sql.transaction(() => {
      const known = this.#chats.numberOf(botChat);
      if (known !== undefined) {
        if (this.#chats.extend(known, since)) this.#logs.logOf(known).reopenLimit();
        return known;
      }
      const chat = this.#chats.add(botChat, since);
      this.#chats.setNames(chat, names);
      return chat;
    });
  }

  /**
   * Adds a page. Returns how many of its messages are new; undefined if no archive has such a page.
   * @throws ArchiveError if the chat was removed meanwhile
   */
  add(chat: number, { jsons, isFirst = false, isApart = false }: MovedPage): number | undefined {
    const page = jsons.map(parseListed);
    const ids = page.flatMap((entry) => (entry.readable ? entry.message.msgId : []));
    const isEachOnce = isApart || new Set(ids).size === ids.length;
    if (!isEachOnce || !page.every(({ raw }) => isWithinLimits(raw))) return undefined;
    return this.#sql.transaction(() => {
      // In a chat that was removed, a page without new messages would look as if all of it was there.
      if (!this.#chats.has(chat)) throw new ArchiveError('removed');
      if (!isApart) return this.#logs.add(chat, page, isFirst);
      const added = this.#addApart(chat, page);
      this.#chats.count(chat, added);
      return added;
    });
  }

  /** Notes where new messages came from and, if no page is missing, when the newest ones were read (Unix ms). */
  end(chat: number, { name, at, messages }: Import, checkedAt?: number): void {
    this.#sql.transaction(() => {
      if (messages > 0) {
        this.#sql.run(
          'INSERT INTO imports (chat, name, at, messages) SELECT id, ?, ?, ? FROM chats WHERE id = ?',
          name,
          Math.trunc(at),
          messages,
          chat,
        );
      }
      if (checkedAt === undefined || checkedAt <= (this.#chats.checkedAt(chat) ?? Number.NEGATIVE_INFINITY)) return;
      this.#chats.setChecked(chat, checkedAt);
      this.#logs.logOf(chat).forgetNewest();
    });
  }

  /** The last imports of a chat, newest first, and how many of its messages are apart. */
  of(chat: number): { imports: Import[]; apart: number } {
    const imports = this.#sql.all(
      v.object({ name: v.string(), at: integer, messages: integer }),
      'SELECT name, at, messages FROM imports WHERE chat = ? ORDER BY id DESC LIMIT ?',
      chat,
      MAX_IMPORTS,
    );
    const { apart } = this.#sql.one(
      v.object({ apart: integer }),
      'SELECT count(*) AS apart FROM messages WHERE segment = ?',
      segmentApart(chat),
    );
    return { imports, apart };
  }

  /** See {@link ArchiveDatabase.chatsWith}. */
  chatsWith(msgIds: readonly string[]): { chat: number; count: number }[] {
    return this.#sql.all(
      v.object({ chat: integer, count: integer }),
      `SELECT chats.id AS chat, count(*) AS count FROM chats JOIN messages ON messages.chat = chats.id
       WHERE msgId IN (SELECT value FROM json_each(?)) GROUP BY chats.id ORDER BY count DESC`,
      JSON.stringify(msgIds),
    );
  }

  #addApart(chat: number, page: readonly Listed[]): number {
    const segment = segmentApart(chat);
    const { last } = this.#sql.one(
      v.object({ last: v.nullable(integer) }),
      'SELECT max(position) AS last FROM messages WHERE segment = ?',
      segment,
    );
    let position = last ?? 0;
    let added = 0;
    for (const entry of page) {
      if (!entry.readable || this.#messages.has(chat, entry.message.msgId)) continue;
      this.#messages.insert({ chat, segment, position: ++position }, entry, entry.message.sendTime ?? 0);
      added++;
    }
    return added;
  }
}
