/** The archived messages: their rows, their JSON and their words in the index. */
import * as v from 'valibot';
import { searchableText } from '../../markup/rendered/shownText.ts';
import { Listed, type Message } from '../../service/message.ts';
import { BUTTONS_FACET, COMMAND_FACET, chatFacet, kindFacet, type MessageIndex, senderFacet } from './messageIndex.ts';
import { integer, type Sql } from './sql.ts';

/** The stored JSON of a message; empty if something else is stored. */
export const StoredJson = v.fallback(v.string(), '');

/** A message from its JSON. Damaged JSON is an unreadable entry: it takes no other message with it. */
export function parseListed(json: string): Listed {
  try {
    return v.parse(Listed, JSON.parse(json));
  } catch {
    return { readable: false, raw: json };
  }
}

/** Where a message is. */
export interface Place {
  readonly chat: number;
  readonly segment: number;
  readonly position: number;
}

export class MessageTable {
  readonly #sql: Sql;
  readonly #index: MessageIndex;

  constructor(sql: Sql, index: MessageIndex) {
    this.#sql = sql;
    this.#index = index;
  }

  /** Where a message of a chat is; undefined if it isn't archived, or apart. */
  place(chat: number, msgId: string): { segment: number; position: number } | undefined {
    return this.#sql.get(
      v.object({ segment: integer, position: integer }),
      'SELECT segment, position FROM messages WHERE chat = ? AND msgId = ? AND segment > 0',
      chat,
      msgId,
    );
  }

  /** Whether a message of a chat is archived, even if it's apart. */
  has(chat: number, msgId: string): boolean {
    return this.#sql.has('SELECT 1 FROM messages WHERE chat = ? AND msgId = ?', chat, msgId);
  }

  /** The rows of messages with this ID in all chats, which are few. */
  withId(msgId: string, from: number, below: number): { id: number }[] {
    if (!msgId) return [];
    return this.#sql.all(
      v.object({ id: integer }),
      'SELECT id FROM messages WHERE chat IN (SELECT id FROM chats) AND msgId = ? AND id >= ? AND id < ?',
      msgId,
      from,
      below,
    );
  }

  /** Adds a message. `time` (Unix ms) is that of the message or of a neighbor. */
  insert({ chat, segment, position }: Place, entry: Listed, time: number): void {
    const id = freeId(time, (one) => this.#sql.has('SELECT 1 FROM messages WHERE id = ?', one));
    const message = entry.readable ? entry.message : undefined;
    if (message) this.#removeApart(chat, message.msgId);
    const sender = message ? senderKey(message) : '';
    const sendTime = storableTime(message?.sendTime);
    this.#sql.run(
      `INSERT INTO messages (id, chat, segment, position, msgId, time, sender, kind, hasButtons, command)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      chat,
      segment,
      position,
      message?.msgId ?? null,
      sendTime,
      sender,
      message?.contentType ?? '',
      hasButtons(message) ? 1 : 0,
      message?.commandName || null,
    );
    this.#sql.run('INSERT INTO bodies (id, json) VALUES (?, ?)', id, JSON.stringify(entry.raw));
    if (message?.contentType) this.#sql.run('INSERT OR IGNORE INTO kinds (kind) VALUES (?)', message.contentType);
    if (message) {
      // Older messages, which are often archived later, have older names.
      this.#sql.run(
        `INSERT INTO senders (service, sender, name, time) SELECT service, ?, ?, ? FROM chats WHERE id = ?
         ON CONFLICT DO UPDATE SET name = excluded.name, time = excluded.time
         WHERE excluded.name <> '' AND (name = '' OR time <= excluded.time)`,
        sender,
        message.senderNickname,
        sendTime ?? 0,
        chat,
      );
    }
    this.#addToIndex(id, chat, entry);
  }

  /** Removes a message that was apart, since its place is known now. */
  #removeApart(chat: number, msgId: string): void {
    const row = this.#sql.get(
      v.object({ id: integer }),
      'SELECT id FROM messages WHERE chat = ? AND msgId = ? AND segment < 0',
      chat,
      msgId,
    );
    if (!row) return;
    this.remove(row.id);
    this.#sql.run('UPDATE chats SET messages = messages - 1 WHERE id = ?', chat);
  }

  /** Adds some of the messages that the index lacks, and removes some that no longer exist. */
  indexMissing(): void {
    this.#index.addMissing((id) => this.#reindex(id));
  }

  /** Reindexes some of the messages that an older version of the extension showed differently. Returns whether there may be more. */
  indexStale(): boolean {
    return this.#index.addStale((id) => this.#reindex(id));
  }

  #reindex(id: number): void {
    this.#index.remove(id);
    const row = this.#sql.get(v.object({ chat: integer }), 'SELECT chat FROM messages WHERE id = ?', id);
    if (row) this.#addToIndex(id, row.chat, this.read(id));
  }

  /** Removes some messages of a removed chat. Returns how many. */
  remove(id: number): number {
    this.#index.remove(id);
    this.#sql.run('DELETE FROM bodies WHERE id = ?', id);
    return this.#sql.run('DELETE FROM messages WHERE id = ?', id);
  }

  /** The message of a row: an unreadable entry if what is stored is damaged. */
  read(id: number): Listed {
    const row = this.#sql.get(v.object({ json: StoredJson }), 'SELECT json FROM bodies WHERE id = ?', id);
    return parseListed(row?.json ?? '');
  }

  #addToIndex(id: number, chat: number, entry: Listed): void {
    this.#index.add(id, searchableText(entry), facetsOf(chat, entry));
  }
}

/** A time (Unix ms) as SQLite can return it; null if it's unknown or impossible. */
function storableTime(time: number | undefined): number | null {
  const whole = Math.trunc(time ?? 0);
  return Number.isSafeInteger(whole) && whole !== 0 ? whole : null;
}

/** Identifies a sender in a service. */
export const senderKey = ({ senderType, senderId }: { senderType: string; senderId: string }) =>
  `${senderType} ${senderId}`;

/** The parts of a {@link senderKey}. IDs contain no spaces. */
export function partsOf(sender: string): { type: string; id: string } {
  const space = sender.lastIndexOf(' ');
  return { type: sender.slice(0, space), id: sender.slice(space + 1) };
}

const hasButtons = (message: Message | undefined) => (message?.content.buttons?.length ?? 0) > 0;

/** The tokens by which an entry of a chat can be filtered. */
export function facetsOf(chat: number, entry: Listed): string[] {
  if (!entry.readable) return [chatFacet(chat)];
  const { message } = entry;
  return [
    chatFacet(chat),
    senderFacet(senderKey(message)),
    kindFacet(message.contentType),
    ...(hasButtons(message) ? [BUTTONS_FACET] : []),
    ...(message.commandName ? [COMMAND_FACET] : []),
  ];
}

// IDs of archived messages are in order of time, so that searching for the newest first needs no sorting.

/** How many IDs there are for each millisecond. */
const IDS = 16;

/** The latest time, as which any later one counts: IDs must be safe integers. */
const MAX_TIME = 2 ** 48;

/** The IDs of messages since a time (Unix ms), and before one. */
export const idsSince = (time: number) => Math.min(Math.max(0, Math.floor(time)), MAX_TIME) * IDS;

/**
 * A free ID for a message of a time (Unix ms). Many messages of the same time get IDs a little later, in no particular
 * order.
 */
function freeId(time: number, isTaken: (id: number) => boolean): number {
  const first = idsSince(time);
  for (let tries = 0; ; tries++) {
    const id = tries < IDS ? first + tries : first + Math.floor(Math.random() * 2 ** Math.min(4 + tries / 4, 40));
    if (!isTaken(id)) return id;
  }
}
