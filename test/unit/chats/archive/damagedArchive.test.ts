import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { toArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import { parseListed } from '../../../../src/chats/archive/messageTable.ts';
import type { SqliteDatabase } from '../../../../src/chats/archive/sql.ts';
import { archiveWithoutIndex, closeDatabases, jsonsOf, messageOf, openArchive, openDatabase } from './archives.ts';
import { archiveMessages, assertDamageIsTold, MESSAGES, problemOf } from './damage.ts';

const TASK = { segment: 1, side: 'older' as const, anchors: [{ msgId: 'm0', beyond: 0 }] };

describe('A damaged archive', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-chats-damaged-'));
    path = join(folder, 'archive.db');
  });
  afterEach(async () => {
    closeDatabases();
    await rm(folder, { recursive: true, force: true });
  });

  /** The number of a chat with all messages, whose file is then changed. */
  function damaged(sql: string, open = openArchive): number {
    const chat = archiveMessages(path, open);
    const database = openDatabase(path);
    database.exec(sql);
    database.close();
    return chat;
  }

  const bodyOf = (msgId: string) => `id = (SELECT id FROM messages WHERE msgId = '${msgId}')`;
  const damages = {
    'cut JSON': `UPDATE bodies SET json = substr(json, 1, 40) WHERE ${bodyOf('m7')}`,
    'JSON of something else': `UPDATE bodies SET json = '[1]' WHERE ${bodyOf('m7')}`,
    'no text': `UPDATE bodies SET json = '' WHERE ${bodyOf('m7')}`,
    'bytes that are no text': `UPDATE bodies SET json = CAST(x'ff00fe' AS TEXT) WHERE ${bodyOf('m7')}`,
    'another type': `CREATE TABLE other AS SELECT * FROM bodies; DROP TABLE bodies; ALTER TABLE other RENAME TO bodies;
      UPDATE bodies SET json = x'ff00' WHERE ${bodyOf('m7')}`,
    'nothing at all': `DELETE FROM bodies WHERE ${bodyOf('m7')}`,
  };
  for (const [name, sql] of Object.entries(damages)) {
    it(`shows one damaged message as unreadable, and all others as they are: ${name}`, () => {
      const chat = damaged(sql);
      const archive = openArchive(path);
      const others = MESSAGES.map(({ msgId }) => (msgId === 'm7' ? undefined : msgId)).toReversed();
      const ids = (page: { readonly jsons: readonly string[] } | undefined) =>
        page?.jsons.map(parseListed).map((entry) => (entry.readable ? entry.message.msgId : undefined));
      assert.deepEqual(ids(archive.latest(chat, 100)), others);
      assert.deepEqual(ids(archive.around(chat, 'm8', 2, 1)), ['m9', 'm8', undefined, 'm6']);
      for (const order of ['newest', 'relevance'] as const) {
        const { found } = archive.search({ text: 'common', order }, 100);
        assert.deepEqual(found.map(({ msgId }) => msgId).toSorted(), others.toSorted());
      }
      assert.deepEqual(
        archive.search({ text: 'm7', order: 'newest' }, 100).found.map(({ msgId, kind }) => [msgId, kind]),
        [[undefined, '']],
      );
      const statistics = archive.statistics(chat, 'UTC');
      assert.deepEqual([statistics.total, statistics.buttons.top[0]?.count], [30, 29]);
      assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name: 'Ana' }]);
      assert.equal(archive.addPage(chat, jsonsOf([...MESSAGES.slice(5, 20)])), 0);
      assert.equal(archive.addPage(chat, jsonsOf([...MESSAGES.slice(25), messageOf('new', 'new')])), 1);
      assert.equal(archive.chats()[0]?.messages, 31);
      archive.removeChat(chat);
      while (archive.removeSome());
      archive.compact();
      assert.deepEqual(archive.chats(), []);
    });
  }

  it('is searched and indexed around a damaged message by hosts without an index, too', () => {
    const chat = damaged(damages['cut JSON'], archiveWithoutIndex);
    const plain = archiveWithoutIndex(path);
    assert.equal(countOf(plain, 'common '), 29);
    plain.close();
    const archive = openArchive(path);
    assert.equal(countOf(archive, 'common '), 29);
    assert.equal(archive.latest(chat, 100)?.jsons.length, 30);
  });

  /** The number of results. A search without an index may end early, and goes on then. */
  function countOf(archive: ArchiveDatabase, text: string): number {
    let count = 0;
    let from: ReturnType<typeof archive.search>['next'];
    do {
      const { found, next } = archive.search({ text, order: 'newest' }, 100, from);
      count += found.length;
      from = next;
    } while (from);
    return count;
  }

  it('says so if anything else than a message is not what was written', () => {
    const chat = damaged('');
    const calls: [sql: string, call: (archive: ArchiveDatabase) => unknown][] = [
      ["UPDATE chats SET type = 'channel'", (archive) => archive.chats()],
      ["UPDATE chats SET chatId = ''", (archive) => archive.chats()],
      ['UPDATE chats SET messages = 9223372036854775807', (archive) => archive.chats()],
      ['UPDATE chats SET since = 9007199254740993', (archive) => archive.addLatest(chat, jsonsOf(MESSAGES), 2)],
      ["UPDATE segments SET older = 'closed'", (archive) => archive.chats()],
      ["UPDATE segments SET newer = ''", (archive) => archive.latest(chat, 10)],
      ["UPDATE segments SET newer = ''", (archive) => archive.nextTask(chat)],
      ['UPDATE messages SET time = 9223372036854775807', (archive) => archive.extend(chat, TASK, jsonsOf(MESSAGES), 0)],
      ['UPDATE messages SET position = 9223372036854775807', (archive) => archive.addPage(chat, jsonsOf(MESSAGES))],
      ['UPDATE messages SET id = 9007199254740993 + id', (archive) => archive.latest(chat, 10)],
      ['DROP TABLE kinds', (archive) => archive.filters()],
      ['DROP TABLE senders', (archive) => archive.filters()],
      ['DROP TABLE removedChats', (archive) => archive.hasRemovals()],
      ['DROP TABLE unindexed', (archive) => archive.chats()],
      ['DROP TABLE messages', (archive) => archive.statistics(chat, 'UTC')],
      [
        "CREATE TRIGGER refused BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no'); END",
        (archive) => archive.addLatest(chat, jsonsOf([messageOf('new', 'new')]), 2),
      ],
    ];
    for (const [sql, call] of calls) {
      const copy = join(folder, 'copy.db');
      copyFileSync(path, copy);
      const changed = openDatabase(copy);
      changed.exec('PRAGMA foreign_keys = OFF');
      try {
        changed.exec(sql);
        assert.throws(
          () => call(new ArchiveDatabase(changed)),
          (error) => toArchiveError(error).problem === 'damaged',
          sql,
        );
      } finally {
        if (changed.isOpen) changed.close();
      }
      rmSync(copy, { force: true });
    }
  });

  for (const table of ['messages', 'removedChats']) {
    it(`says so if what it removes stays: ${table}`, () => {
      const chat = damaged('');
      const archive = openArchive(path);
      archive.addPage(chat, jsonsOf(Array.from({ length: 600 }, (_, at) => messageOf(`more${at}`, 'more'))));
      openDatabase(path).exec(`CREATE TRIGGER kept BEFORE DELETE ON ${table} BEGIN SELECT RAISE(IGNORE); END`);
      archive.removeChat(chat);
      const removeAll = () => {
        for (let times = 0; times < 10; times++) archive.removeSome();
      };
      assert.throws(removeAll, { problem: 'damaged' });
    });
  }

  it('says so if what is still to be indexed stays so', () => {
    damaged(`CREATE TRIGGER kept BEFORE DELETE ON unindexed BEGIN SELECT RAISE(IGNORE); END`, archiveWithoutIndex);
    const database = openDatabase(path);
    let transactions = 0;
    const bounded: SqliteDatabase = {
      exec(sql) {
        if (sql.startsWith('BEGIN')) assert.ok(++transactions < 10, 'it never ends');
        database.exec(sql);
      },
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
    };
    assert.throws(() => new ArchiveDatabase(bounded), { problem: 'damaged' });
  });

  // The proof `archive` tries many others.
  it('says so, or works, wherever its bytes are damaged', () => {
    const chat = archiveMessages(path);
    const whole = readFileSync(path);
    // At the end of each page of 4,096 bytes, and a little further from it each time: into the header of the next.
    for (let at = 0; at < whole.length; at += 4_093)
      assertDamageIsTold(path, chat, Buffer.from(whole).fill(0xa5, at, at + 16), `damage at ${at}`);
  });

  it('says so if its file was cut', async () => {
    damaged('');
    await truncate(path, 5_000);
    assert.equal(
      problemOf(path, (archive) => archive.chats()),
      'damaged',
    );
  });
});
