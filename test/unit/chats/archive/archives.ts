// Archives for tests, and messages for them.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { type ArchiveProblem, toArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { ArchiverOptions } from '../../../../src/chats/archive/archiver.ts';
import type { Cursor, SearchRequest } from '../../../../src/chats/archive/search.ts';
import type { SqliteDatabase } from '../../../../src/chats/archive/sql.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { temporaryFolder } from '../../../host/temporary.ts';

export const CHAT: BotChat = { service: 'https://chat.example', kind: 'group', id: '100000001', botId: '20000001' };

const opened = new Set<DatabaseSync>();

/** A database that {@link closeDatabases} closes. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  for (const one of opened) if (!one.isOpen) opened.delete(one);
  if (path !== ':memory:') opened.add(database);
  return database;
}

/** Closes what a test has left open, so that its folder can be removed on Windows, too. */
function closeDatabases(): void {
  for (const database of opened) if (database.isOpen) database.close();
}

/** A place for an archive, which is new for each test of a suite. */
export function useArchiveFile(): { folder: string; path: string } {
  const place = { folder: '', path: '' };
  beforeEach(async () => {
    place.folder = await temporaryFolder('archive');
    place.path = join(place.folder, 'archive.db');
  });
  afterEach(async () => {
    closeDatabases();
    await rm(place.folder, { recursive: true, force: true });
  });
  return place;
}

/** A database that does some things in another way. */
export const changedDatabase = (database: DatabaseSync, change: Partial<SqliteDatabase>): SqliteDatabase => ({
  exec: (sql) => database.exec(sql),
  prepare: (sql) => database.prepare(sql),
  close: () => database.close(),
  ...change,
});

/** Checks that a call fails with a problem. */
export const assertProblem = (problem: ArchiveProblem, call: () => unknown, what?: string) =>
  assert.throws(call, (error) => toArchiveError(error).problem === problem, what);

/** An archive in a file, or in memory. */
export const openArchive = (path = ':memory:') => new ArchiveDatabase(openDatabase(path));

/** An archive whose SQLite has no full-text search. */
export const archiveWithoutIndex = (path = ':memory:') => new ArchiveDatabase(withoutFts(openDatabase(path)));

/** The methods of an archive, which answer later. */
export function remote(archive: ArchiveDatabase): ArchiverOptions['archive'] {
  return {
    addLatest: async (...args) => archive.addLatest(...args),
    extend: async (...args) => archive.extend(...args),
    lose: async (...args) => archive.lose(...args),
    nextTask: async (...args) => archive.nextTask(...args),
    reopen: async (...args) => archive.reopen(...args),
  };
}

function withoutFts(database: DatabaseSync): SqliteDatabase {
  const check = (sql: string) => {
    if (/\bwords\b/.test(sql)) throw new Error('no such module: fts5');
  };
  return changedDatabase(database, {
    exec(sql) {
      check(sql);
      database.exec(sql);
    },
    prepare(sql) {
      check(sql);
      return database.prepare(sql.includes('pragma_module_list') ? 'SELECT 1 WHERE 0' : sql);
    },
  });
}

/** A message as the service lists it (contract 2.6). */
export function messageOf(msgId: string, text: string, more: Record<string, unknown> = {}) {
  return {
    msgId,
    parentId: '',
    senderId: '3000001',
    senderType: 'user',
    senderNickname: 'Ana',
    contentType: 'text',
    content: { text },
    sendTime: 1_700_000_000_000,
    commandName: '',
    commandId: 0,
    ...more,
  };
}

/** More than are indexed at once, with a word that is nowhere else. */
export const MESSAGES = Array.from({ length: 2000 }, (_, at) =>
  messageOf(`m${at}`, `secretword number ${at}`, { sendTime: 1_700_000_000_000 + at * 1000 }),
);

export const jsonsOf = (messages: readonly unknown[]) => messages.map((message) => JSON.stringify(message));

/** The IDs of a page, newest first; undefined for unreadable entries. */
export const idsOf = (page: { readonly jsons: readonly string[] } | undefined) =>
  page?.jsons.map((json) => (JSON.parse(json) as { msgId?: string }).msgId);

/** The IDs of all results, page by page: of a request, or of a text, newest first. */
export function idsFound(archive: ArchiveDatabase, sought: string | SearchRequest, limit = 1000): string[] {
  const request: SearchRequest = typeof sought === 'string' ? { text: sought, order: 'newest' } : sought;
  const ids: string[] = [];
  let next: Cursor | undefined;
  do {
    const page = archive.search(request, limit, next);
    assert.ok(page.found.length <= limit);
    ids.push(...page.found.map(({ msgId }) => msgId ?? ''));
    next = page.next;
  } while (next);
  return ids;
}

/** Removes all messages of removed chats. */
export function removeAll(archive: ArchiveDatabase): void {
  while (archive.removeSome());
}

/** An archive on a disk that has no more room. */
export function openLimited(path: string): ArchiveDatabase {
  const database = openDatabase(path);
  const archive = new ArchiveDatabase(database);
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  return archive;
}

/**
 * An archive on a disk with this much room (bytes) beside the file. As on a real one, a change is written to the log
 * first, which grows until it's written to the file and freed.
 */
export function openWithRoom(path: string, room: number) {
  const database = openDatabase(path);
  const disk = { room };
  const sizeOf = (part: string) => statSync(part, { throwIfNoEntry: false })?.size ?? 0;
  /** Runs a statement that changes something, in a transaction of its own if there's none. */
  const change = <T>(run: () => T): T => {
    const isAlone = !database.isTransaction;
    if (isAlone) database.exec('BEGIN IMMEDIATE');
    const result = run();
    if (sizeOf(`${path}-wal`) > disk.room) {
      database.exec('ROLLBACK');
      throw fullDisk();
    }
    if (isAlone) database.exec('COMMIT');
    return result;
  };
  const archive = new ArchiveDatabase({
    exec(sql) {
      // It needs room for a copy of the file.
      if (/\bVACUUM$/.test(sql) && sizeOf(path) > disk.room) throw fullDisk();
      if (sql.includes('incremental_vacuum')) change(() => database.exec(sql));
      else database.exec(sql);
    },
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => change(() => statement.run(...values)),
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
        iterate: (...values) => statement.iterate(...values),
      };
    },
    close: () => database.close(),
  });
  // What is changed goes to the log at once.
  database.exec('PRAGMA cache_size = 1; PRAGMA cache_spill = 1; PRAGMA synchronous = OFF');
  return { archive, disk };
}

/** What SQLite throws on a full disk. */
export const fullDisk = () => Object.assign(new Error('database or disk is full'), { errcode: 13 });
