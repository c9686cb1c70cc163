/** The archived chats. */
import * as v from 'valibot';
import { BotChat } from '../../protocol/botChat.ts';
import { integer, type Sql } from './sql.ts';

/** The last known names of a chat and of the bot that reads it; empty if they aren't known. */
export interface ChatNames {
  readonly name: string;
  readonly botName: string;
}

/** An import that has added something to a chat. */
export interface Import {
  /** The name of the file. */
  readonly name: string;
  /** When the file was imported (Unix ms). */
  readonly at: number;
  /** How many messages were new. */
  readonly messages: number;
}

/** A chat in the archive, as its bot reads it. */
export interface ArchivedChat extends ChatNames {
  /** The number of the chat in this archive. */
  readonly number: number;
  readonly botChat: BotChat;
  /** How far back the chat is archived (Unix ms); undefined for its beginning. */
  readonly since: number | undefined;
  /** When the newest messages of the chat were last read (Unix ms), if ever. */
  readonly checkedAt: number | undefined;
  readonly messages: number;
  /** Gaps that can still be closed, and gaps that couldn't be when that was last tried. */
  readonly openGaps: number;
  readonly lostGaps: number;
  /** How many of the messages are apart: nothing tells what is beside each of them. */
  readonly apart: number;
  /** The last imports, newest first. */
  readonly imports: readonly Import[];
}

const Row = v.object({
  id: integer,
  service: v.string(),
  kind: BotChat.entries.kind,
  chatId: BotChat.entries.id,
  botId: BotChat.entries.botId,
  since: v.nullable(integer),
  checkedAt: v.nullable(integer),
  messages: integer,
  name: v.string(),
  botName: v.string(),
});

const COLUMNS = 'id, service, type AS kind, chatId, botId, since, checkedAt, messages, name, botName';

export class ChatTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** All chats, without what their messages tell. */
  list(): Omit<ArchivedChat, 'openGaps' | 'lostGaps' | 'apart' | 'imports'>[] {
    const rows = this.#sql.all(Row, `SELECT ${COLUMNS} FROM chats ORDER BY id`);
    return rows.map(({ id, service, kind, chatId, botId, since, checkedAt, ...row }) => ({
      number: id,
      botChat: { service, kind, id: chatId, botId },
      since: since ?? undefined,
      checkedAt: checkedAt ?? undefined,
      ...row,
    }));
  }

  /** The number of a chat; undefined if it isn't archived. Any bot may read a group. */
  numberOf({ service, kind, id, botId }: BotChat): number | undefined {
    return this.#sql.get(
      v.object({ id: integer }),
      'SELECT id FROM chats WHERE service = ? AND type = ? AND chatId = ? AND owner = ?',
      service,
      kind,
      id,
      ownerOf({ kind, botId }),
    )?.id;
  }

  has(chat: number): boolean {
    return this.#sql.has('SELECT 1 FROM chats WHERE id = ?', chat);
  }

  /** Adds a chat, or changes the bot that reads it and how far back it's archived (Unix ms). Returns its number. */
  add({ service, kind, id, botId }: BotChat, since: number | undefined): number {
    const limit = since === undefined ? null : Math.trunc(since);
    this.#sql.run(
      `INSERT INTO chats (service, type, chatId, owner, botId, since) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET botId = excluded.botId, since = excluded.since,
         botName = CASE botId WHEN excluded.botId THEN botName ELSE '' END`,
      service,
      kind,
      id,
      ownerOf({ kind, botId }),
      botId,
      limit,
    );
    return this.numberOf({ service, kind, id, botId }) ?? 0;
  }

  since(chat: number): number | undefined {
    return this.#sql.get(Row, `SELECT ${COLUMNS} FROM chats WHERE id = ?`, chat)?.since ?? undefined;
  }

  /** Also keeps older messages, since a time (Unix ms) or from the beginning. Returns whether that is more than before. */
  extend(chat: number, since: number | undefined): boolean {
    return (
      this.#sql.run(
        'UPDATE chats SET since = ?1 WHERE id = ?2 AND since IS NOT NULL AND (?1 IS NULL OR ?1 < since)',
        since === undefined ? null : Math.trunc(since),
        chat,
      ) > 0
    );
  }

  checkedAt(chat: number): number | undefined {
    return this.#sql.get(Row, `SELECT ${COLUMNS} FROM chats WHERE id = ?`, chat)?.checkedAt ?? undefined;
  }

  /** Notes that the newest messages were read at a time (Unix ms). */
  setChecked(chat: number, at: number): void {
    this.#sql.run('UPDATE chats SET checkedAt = ? WHERE id = ?', Math.trunc(at), chat);
  }

  setNames(chat: number, { name, botName }: ChatNames): void {
    this.#sql.run('UPDATE chats SET name = ?, botName = ? WHERE id = ?', name, botName, chat);
  }

  count(chat: number, added: number): void {
    if (added !== 0) this.#sql.run('UPDATE chats SET messages = messages + ? WHERE id = ?', added, chat);
  }

  remove(chat: number): void {
    this.#sql.run('DELETE FROM chats WHERE id = ?', chat);
  }
}

/** The owner of a conversation: the bot, or nobody for a group. */
const ownerOf = ({ kind, botId }: Pick<BotChat, 'kind' | 'botId'>) => (kind === 'group' ? '' : botId);
