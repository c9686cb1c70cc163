/** The tables of the archive, and how they are created. */
import * as v from 'valibot';
import { ArchiveError, toArchiveError } from './archiveError.ts';
import { integer, type Sql } from './sql.ts';

/** The version in the file. Once this is released, other tables need a higher number, and a migration of older files. */
const VERSION = 1;

/**
 * - `chats`: a group, or a conversation of the bot `owner` with a user. `botId` reads it. `since` limits how far back
 *   (Unix ms). `checkedAt` is when its newest messages were last read (Unix ms), `messages` how many there are. `name`
 *   and `botName` are the last known names, or empty.
 * - `segments`: consecutive messages without gaps. `older` and `newer` say what is beyond: `open` isn't known, `end` is
 *   nothing, `lost` can't be read, `limit` is before `since`. Their IDs aren't used again, as messages of a removed chat
 *   may still have them.
 * - `messages`: one row for each. `id` is also their order by time, see `messageTable.ts`; `position` is the order of the
 *   service in a segment. Unreadable entries have no `msgId`. Those of the segment −`chat` are apart: see `movedChats.ts`.
 * - `bodies`: the JSON of each message, as it came.
 * - `senders`, `kinds`: who has written in the chats of a service, with the name in the newest message (at `time`, Unix
 *   ms, or 0), and all content types, for filters.
 * - `imports`: the files (`name`) from which a chat got new messages, so many, and when (Unix ms).
 * - `removedChats`: chats some of whose messages are still to be removed. 0 is the file itself, to be compacted.
 * - `unindexed`: messages that a host without FTS5 has added or removed. The index itself is in `messageIndex.ts`,
 *   which also says which messages must be reindexed.
 */
const TABLES = `
  CREATE TABLE chats (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    type TEXT NOT NULL,
    chatId TEXT NOT NULL,
    owner TEXT NOT NULL,
    botId TEXT NOT NULL,
    since INTEGER,
    checkedAt INTEGER,
    messages INTEGER NOT NULL DEFAULT 0,
    name TEXT NOT NULL DEFAULT '',
    botName TEXT NOT NULL DEFAULT '',
    UNIQUE (service, type, chatId, owner)
  ) STRICT;
  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
    older TEXT NOT NULL DEFAULT 'open',
    newer TEXT NOT NULL DEFAULT 'open'
  ) STRICT;
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    msgId TEXT,
    time INTEGER,
    sender TEXT NOT NULL,
    kind TEXT NOT NULL,
    hasButtons INTEGER NOT NULL,
    command TEXT
  ) STRICT;
  CREATE UNIQUE INDEX messagesById ON messages (chat, msgId);
  CREATE INDEX messagesByPosition ON messages (segment, position);
  CREATE TABLE bodies (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE senders (
    service TEXT NOT NULL,
    sender TEXT NOT NULL,
    name TEXT NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (service, sender)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE imports (
    id INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
    name TEXT NOT NULL,
    at INTEGER NOT NULL,
    messages INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE removedChats (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE unindexed (id INTEGER PRIMARY KEY) STRICT;
`;

/** How long a change waits for another window (milliseconds), and how often for one that creates the file. */
const BUSY_TIMEOUT = 10_000;
const TRIES = 100;

/** The largest number before those of the chats of a new file. */
const MAX_START = 2 ** 40;

/** Sets up a connection, and creates the tables of a new file. @throws ArchiveError if a newer version has written it */
export function openSchema(sql: Sql): void {
  sql.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  const version = versionOf(sql);
  if (version > VERSION) throw new ArchiveError('newer');
  // With this setting, space is freed in small steps, without a copy of the file. Only a new file can get it.
  if (version === 0) sql.exec('PRAGMA auto_vacuum = INCREMENTAL');
  useWriteAheadLog(sql);
  sql.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -16000;
  `);
  if (version === 0) sql.transaction(() => create(sql));
}

function create(sql: Sql): void {
  // Another window may have created the tables meanwhile.
  if (versionOf(sql) !== 0) return;
  sql.exec(TABLES);
  startNumbers(sql);
  sql.exec(`PRAGMA user_version = ${VERSION}`);
}

/** Chats of a new file have other numbers than those of an earlier one, which windows may still know. */
function startNumbers(sql: Sql): void {
  const start = Math.floor(Math.random() * MAX_START);
  sql.exec(`INSERT INTO sqlite_sequence (name, seq) VALUES ('chats', ${start})`);
}

const versionOf = (sql: Sql) => sql.one(v.object({ user_version: integer }), 'PRAGMA user_version').user_version;

/** Lets windows read while another one writes. */
function useWriteAheadLog(sql: Sql): void {
  for (let tries = 1; ; tries++) {
    try {
      sql.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      // SQLite fails at once if another window sets the same mode, although a transaction would wait.
      if (tries === TRIES || toArchiveError(error).problem !== 'busy') throw error;
      sql.transaction(() => {});
    }
  }
}
