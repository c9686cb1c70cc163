/** Removes chats for good: their messages are overwritten, and the space is freed, even on a full disk. */
import * as v from 'valibot';
import { ArchiveError, toArchiveError } from './archiveError.ts';
import type { ChatTable } from './chatTable.ts';
import type { MessageIndex } from './messageIndex.ts';
import type { MessageTable } from './messageTable.ts';
import { integer, type Sql } from './sql.ts';

/** The number that stands for the file among the removed chats: it's to be compacted. */
const COMPACTION = 0;

/** How many messages are removed in one transaction, and how many pages are freed in one while there's little space. */
const REMOVED_AT_ONCE = 500;
const FREED_AT_ONCE = 16;

export class Removals {
  readonly #sql: Sql;
  readonly #index: MessageIndex;
  readonly #messages: MessageTable;
  readonly #chats: ChatTable;
  /** How many messages are removed at once; fewer while the disk is full. */
  #removedAtOnce = REMOVED_AT_ONCE;

  constructor(sql: Sql, index: MessageIndex, messages: MessageTable, chats: ChatTable) {
    this.#sql = sql;
    this.#index = index;
    this.#messages = messages;
    this.#chats = chats;
  }

  /** Removes a chat. Its messages are gone once {@link removeSome} has removed them. */
  removeChat(chat: number): void {
    this.#sql.transaction(() => {
      this.#chats.remove(chat);
      this.#sql.run('INSERT OR IGNORE INTO removedChats (id) VALUES (?), (?)', chat, COMPACTION);
    });
  }

  /** Whether messages of removed chats, or their space, are still to be freed. */
  hasAny(): boolean {
    return this.#sql.has('SELECT 1 FROM removedChats LIMIT 1');
  }

  /** Removes some messages of removed chats, fewer at once on a full disk. Returns whether there may be more. */
  removeSome(): boolean {
    for (;;) {
      try {
        // A piece that found no space has left nothing but its own traces in the log.
        if (this.#removedAtOnce < REMOVED_AT_ONCE) this.#checkpoint();
        return this.#remove(this.#removedAtOnce);
      } catch (error) {
        if (this.#removedAtOnce === 1 || !isFull(error)) throw error;
        this.#removedAtOnce = Math.ceil(this.#removedAtOnce / 8);
      }
    }
  }

  #remove(count: number): boolean {
    return this.#sql.transaction(() => {
      const Row = v.object({ id: integer });
      const chat = this.#sql.get(Row, 'SELECT id FROM removedChats WHERE id <> ? LIMIT 1', COMPACTION)?.id;
      if (chat === undefined) return false;
      const rows = this.#sql.all(Row, 'SELECT id FROM messages WHERE chat = ? LIMIT ?', chat, count);
      let removed = 0;
      for (const { id } of rows) removed += this.#messages.remove(id);
      if (rows.length < count) {
        removed += this.#sql.run('DELETE FROM removedChats WHERE id = ?', chat);
        this.#sql.run(
          `DELETE FROM senders WHERE (service, sender) NOT IN
           (SELECT service, sender FROM messages JOIN chats ON chats.id = messages.chat)`,
        );
        this.#sql.run('DELETE FROM kinds WHERE kind NOT IN (SELECT kind FROM messages)');
      }
      // If an index has rows that its table lacks, going on would never end.
      if (removed === 0) throw new ArchiveError('damaged');
      return true;
    });
  }

  /** Overwrites and frees the space of removed messages. Takes seconds. @throws ArchiveError if another window reads */
  compact(): void {
    try {
      this.#index.optimize();
      // What is at the end of the file stays on the disk when the file is cut, so that it's overwritten first.
      this.#writeLog();
      this.#sql.exec('VACUUM');
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#compactInPlace(error);
    }
    this.#writeLog();
    this.#removedAtOnce = REMOVED_AT_ONCE;
    this.#sql.run('DELETE FROM removedChats WHERE id = ?', COMPACTION);
  }

  /** Overwrites and frees space in small steps, which need little space. @throws `error` if that frees nothing */
  #compactInPlace(error: unknown): void {
    this.#checkpoint();
    for (let isFirst = true; this.#index.optimizeSome(isFirst); isFirst = false) this.#checkpoint();
    const freePages = () =>
      this.#sql.one(v.object({ freelist_count: integer }), 'PRAGMA freelist_count').freelist_count;
    for (let left = freePages(); left > 0; ) {
      this.#sql.exec(`PRAGMA incremental_vacuum(${FREED_AT_ONCE})`);
      this.#checkpoint();
      const now = freePages();
      if (now === left) throw error;
      left = now;
    }
  }

  /** Overwrites in the file what was removed, which may also still be in the write-ahead log. @throws ArchiveError */
  #writeLog(): void {
    if (!this.#checkpoint()) throw new ArchiveError('busy');
  }

  /** Writes what is in the write-ahead log to the file, and frees its space. Returns whether no other window prevents it. */
  #checkpoint(): boolean {
    return this.#sql.one(v.object({ busy: integer }), 'PRAGMA wal_checkpoint(TRUNCATE)').busy === 0;
  }
}

const isFull = (error: unknown) => toArchiveError(error).problem === 'full';
