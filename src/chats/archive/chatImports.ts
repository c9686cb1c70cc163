/** Adds messages from a file to archived chats: pages of another archive, or messages of which nothing tells their place. */
import * as v from 'valibot';
import type { BotChat } from '../../protocol/botChat.ts';
import { isWithinLimits } from '../../service/elements.ts';
import type { Listed } from '../../service/message.ts';
import type { Log } from '../log/log.ts';
import { ArchiveError } from './archiveError.ts';
import type { ChatNames, ChatTable, Import } from './chatTable.ts';
import { type MessageTable, parseListed } from './messageTable.ts';
import { type MovedPage, segmentApart } from './movedChats.ts';
import { integer, type Sql } from './sql.ts';

/** How many imports of a chat are shown. */
const MAX_IMPORTS = 5;

interface Logs {
  /** Adds consecutive messages to the log of a chat, which begins with them if `isFirst`. Returns how many are new. */
  add(chat: number, page: readonly Listed[], isFirst: boolean): number;
  logOf(chat: number): Log;
}

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
   * Begins to import a chat that is archived back to a time (Unix ms), or to its beginning. One that is here keeps its bot.
   * Returns its number.
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
      // That nothing is new would mean that all of it is there.
      if (!this.#chats.has(chat)) throw new ArchiveError('removed');
      if (!isApart) return this.#logs.add(chat, page, isFirst);
      const added = this.#addApart(chat, page);
      this.#chats.count(chat, added);
      return added;
    });
  }

  /** Keeps where new messages came from. If no page is missing, the newest ones were read at a time (Unix ms). */
  end(chat: number, { name, at, messages }: Import, checkedAt?: number): void {
    this.#sql.transaction(() => {
      if (messages > 0) {
        this.#sql.run(
          'INSERT INTO imports (chat, name, at, messages) SELECT id, ?, ?, ? FROM chats WHERE id = ?',
          ...[name, Math.trunc(at), messages, chat],
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
      ...[chat, MAX_IMPORTS],
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
