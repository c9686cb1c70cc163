/** The archive of one computer: messages of chats, and the index to search them. Synchronous: it runs in a worker. */
import * as v from 'valibot';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Statistics } from '../../protocol/statistics.ts';
import type { Listed } from '../../service/message.ts';
import { type Added, Log, type ReadTask } from '../log/log.ts';
import { ArchivedLog } from './archivedLog.ts';
import { type ArchivedChat, type ChatNames, ChatTable } from './chatTable.ts';
import { MessageIndex } from './messageIndex.ts';
import { MessageTable, parseListed, partsOf } from './messageTable.ts';
import { ChatImports, type MovedPage, type MovedPlace, readMoved } from './movedChats.ts';
import { type ArchivedPage, type FirstSince, PageReader } from './pageReader.ts';
import { Removals } from './removals.ts';
import { openSchema } from './schema.ts';
import { type Cursor, type FoundPage, Search, type SearchRequest } from './search.ts';
import { integer, Sql, type SqliteDatabase } from './sql.ts';
import { statisticsOf } from './statistics.ts';

/** Every method throws an error of SQLite, or an ArchiveError. */
export class ArchiveDatabase {
  readonly #sql: Sql;
  readonly #index: MessageIndex;
  readonly #messages: MessageTable;
  readonly #chats: ChatTable;
  readonly #pages: PageReader;
  readonly #search: Search;
  readonly #removals: Removals;
  readonly #imports: ChatImports;

  /** Sets up the database, and closes it if that fails. @throws ArchiveError if a newer version has written it */
  constructor(database: SqliteDatabase) {
    this.#sql = new Sql(database);
    try {
      openSchema(this.#sql);
      this.#index = new MessageIndex(this.#sql);
      this.#messages = new MessageTable(this.#sql, this.#index);
      this.#chats = new ChatTable(this.#sql);
      this.#pages = new PageReader(this.#sql, this.#messages);
      this.#search = new Search(this.#sql, this.#index, this.#messages);
      this.#removals = new Removals(this.#sql, this.#index, this.#messages, this.#chats);
      const add = (chat: number, page: readonly Listed[], isFirst: boolean) =>
        this.#add(chat, page, (log) => (isFirst ? log.addFirst(page) : log.add(page)));
      this.#imports = new ChatImports(this.#sql, this.#messages, this.#chats, {
        add,
        logOf: (chat) => this.#log(chat),
      });
      this.#indexMissing();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  chats(): ArchivedChat[] {
    return this.#chats.list().map((chat) => {
      const gaps = this.#log(chat.number).gaps();
      const lostGaps = gaps.filter(({ isLost }) => isLost).length;
      return { ...chat, openGaps: gaps.length - lostGaps, lostGaps, ...this.#imports.of(chat.number) };
    });
  }

  /** The number of a chat; undefined if it isn't archived. */
  numberOf(botChat: BotChat): number | undefined {
    return this.#chats.numberOf(botChat);
  }

  /** Begins to archive a chat, back to a time (Unix ms) or to its beginning. Returns its number. */
  addChat(botChat: BotChat, since?: number): number {
    return this.#sql.transaction(() => {
      const chat = this.#chats.add(botChat, since);
      this.#log(chat).reopenLimit();
      return chat;
    });
  }

  /** Keeps the names of a chat, for when its service isn't connected. */
  setNames(chat: number, names: ChatNames): void {
    this.#chats.setNames(chat, names);
  }

  /** Adds consecutive messages of a chat, by their JSON, oldest first. Returns the number of new ones. */
  addPage(chat: number, jsons: readonly string[]): number {
    return this.#sql.transaction(() => this.#add(chat, jsons.map(parseListed), (log, page) => log.add(page)));
  }

  /** Adds the newest messages of a chat, oldest first, as of a time (Unix ms). Returns the number of new ones. */
  addLatest(chat: number, jsons: readonly string[], at: number): number {
    return this.#sql.transaction(() => {
      const added = this.#add(chat, jsons.map(parseListed), (log, page) => log.addLatest(page));
      this.#chats.setChecked(chat, at);
      return added;
    });
  }

  /** Begins to catch up: tries again what couldn't be read before. */
  reopen(chat: number): void {
    this.#sql.transaction(() => this.#log(chat).reopen());
  }

  /** The page to read next; undefined if there's nothing left to try. */
  nextTask(chat: number): ReadTask | undefined {
    return this.#sql.transaction(() => this.#log(chat).nextTask());
  }

  /** Adds the page that was read for a task, oldest first. Returns the number of new messages. */
  extend(chat: number, task: ReadTask, jsons: readonly string[], anchorIndex: number): number {
    return this.#sql.transaction(() =>
      this.#add(chat, jsons.map(parseListed), (log, page) => log.extend(task, page, anchorIndex)),
    );
  }

  /** Notes that the service no longer has the anchors of a task. */
  lose(chat: number, task: ReadTask): void {
    this.#sql.transaction(() => this.#log(chat).lose(task));
  }

  /** The newest archived messages of a chat; undefined if there are none. */
  latest(chat: number, count: number): ArchivedPage | undefined {
    const newest = this.#log(chat).segments().at(-1);
    return newest && this.#pages.latest(newest.id, count);
  }

  /** A message with the messages before and after it; undefined if it isn't archived. */
  around(chat: number, msgId: string, before: number, after: number): ArchivedPage | undefined {
    return this.#pages.around(chat, msgId, before, after);
  }

  /** The message before the gap that precedes the consecutive messages around this one, if there's such a gap. */
  beforeGap(chat: number, msgId: string): string | undefined {
    const place = this.#messages.place(chat, msgId);
    const log = this.#log(chat);
    const segments = log.segments();
    const older = segments[segments.findIndex(({ id }) => id === place?.segment) - 1];
    return older && log.task(older.id, 'newer').anchors[0]?.msgId;
  }

  /** The first message since a time (Unix ms), among those before which nothing is missing. */
  firstSince(chat: number, time: number): FirstSince | undefined {
    const newest = this.#log(chat).segments().at(-1);
    return newest && this.#pages.firstSince(newest, time);
  }

  /** One page of results. */
  search(request: SearchRequest, limit: number, cursor?: Cursor): FoundPage {
    this.#indexMissing();
    return this.#search.find(request, limit, cursor);
  }

  /** What messages can be filtered by: senders, by name or else by ID, and content types. */
  filters(): { senders: { sender: string; name: string }[]; kinds: string[] } {
    const senders = this.#sql.all(
      v.object({ sender: v.string(), name: v.string() }),
      // The name is that of the row with the maximum: the newest one, of whatever service.
      "SELECT sender, name, max(CASE WHEN name <> '' THEN time END) FROM senders GROUP BY sender ORDER BY name",
    );
    return {
      senders: senders.map(({ sender, name }) => ({ sender, name: name || partsOf(sender).id })),
      kinds: this.#sql
        .all(v.object({ kind: v.string() }), 'SELECT kind FROM kinds ORDER BY kind')
        .map(({ kind }) => kind),
    };
  }

  /** Counts the messages of a chat, by the days and hours of a time zone (an IANA name). */
  statistics(chat: number, timeZone: string): Statistics {
    return this.#sql.snapshot(() => statisticsOf(this.#sql, chat, timeZone));
  }

  /** From now on, reads everything as it is now, whatever other windows change. Called once, before an export. */
  freeze(): void {
    this.#sql.exec('BEGIN');
  }

  /** See {@link readMoved}. */
  movedPage(chat: number, from?: MovedPlace): { page: MovedPage; next: MovedPlace } | undefined {
    return readMoved(this.#sql, chat, from);
  }

  /** See {@link ChatImports.begin}. */
  beginImport(...args: Parameters<ChatImports['begin']>): number {
    return this.#imports.begin(...args);
  }

  /** See {@link ChatImports.add}. */
  importPage(...args: Parameters<ChatImports['add']>): number | undefined {
    return this.#imports.add(...args);
  }

  /** See {@link ChatImports.end}. */
  endImport(...args: Parameters<ChatImports['end']>): void {
    this.#imports.end(...args);
  }

  /** How many of these messages are in each chat that has any. */
  chatsWith(msgIds: readonly string[]): { chat: number; count: number }[] {
    return this.#imports.chatsWith(msgIds);
  }

  /** The size of the file (bytes). */
  size(): number {
    return this.#sql.one(
      v.object({ size: integer }),
      'SELECT page_count * page_size AS size FROM pragma_page_count(), pragma_page_size()',
    ).size;
  }

  /** See {@link Removals.removeChat}. */
  removeChat(chat: number): void {
    this.#removals.removeChat(chat);
  }

  /** See {@link Removals.hasAny}. */
  hasRemovals(): boolean {
    return this.#removals.hasAny();
  }

  /** See {@link Removals.removeSome}. */
  removeSome(): boolean {
    return this.#removals.removeSome();
  }

  /** See {@link Removals.compact}. */
  compact(): void {
    this.#removals.compact();
  }

  /** See {@link MessageTable.indexStale}. */
  indexStale(): boolean {
    return this.#messages.indexStale();
  }

  close(): void {
    this.#sql.close();
  }

  /** Indexes what a host without FTS5 has added, before this window opened the file or since. */
  #indexMissing(): void {
    while (this.#index.isIncomplete) this.#sql.transaction(() => this.#messages.indexMissing());
  }

  /** Adds a page, unless another window has removed its chat. Returns the number of new messages. */
  #add(chat: number, page: readonly Listed[], add: (log: Log, page: readonly Listed[]) => Added): number {
    if (!this.#chats.has(chat)) return 0;
    // If no entry of a page has an ID, nothing tells whether the page is known.
    if (!page.some(({ readable }) => readable)) return 0;
    const { grownBy } = add(this.#log(chat), page);
    this.#chats.count(chat, grownBy);
    return grownBy;
  }

  #log(chat: number): Log {
    return new Log(new ArchivedLog(this.#sql, this.#messages, chat), this.#chats.since(chat));
  }
}
