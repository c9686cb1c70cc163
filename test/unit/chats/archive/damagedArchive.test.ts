import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { parseListed } from '../../../../src/chats/archive/messageTable.ts';
import {
  archiveWithoutIndex,
  assertProblem,
  changedDatabase,
  idsFound,
  jsonsOf,
  messageOf,
  openArchive,
  openDatabase,
  removeAll,
  useArchiveFile,
} from './archives.ts';
import { archiveMessages, assertDamageIsTold, MESSAGES, problemOf } from './damage.ts';

const TASK = { segment: 1, side: 'older' as const, anchors: [{ msgId: 'm0', beyond: 0 }] };

describe('A damaged archive', () => {
  const file = useArchiveFile();

  /** The number of a chat with all messages, whose file is then changed. */
  function damaged(sql: string, open = openArchive): number {
    const chat = archiveMessages(file.path, open);
    const database = openDatabase(file.path);
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
      const archive = openArchive(file.path);
      const ids = (page: { readonly jsons: readonly string[] } | undefined) =>
        page?.jsons.map(parseListed).map((entry) => (entry.readable ? entry.message.msgId : 'unreadable'));
      const shown = MESSAGES.map(({ msgId }) => (msgId === 'm7' ? 'unreadable' : msgId)).toReversed();
      assert.deepEqual(ids(archive.latest(chat, 100)), shown);
      assert.deepEqual(ids(archive.around(chat, 'm8', 2, 1)), ['m9', 'm8', 'unreadable', 'm6']);
      const sought = MESSAGES.map(({ msgId }) => (msgId === 'm7' ? '' : msgId)).toSorted();
      for (const order of ['newest', 'relevance'] as const)
        assert.deepEqual(idsFound(archive, { text: 'common', order }).toSorted(), sought);
      assert.deepEqual(idsFound(archive, 'm7'), ['']);
      const statistics = archive.statistics(chat, 'UTC');
      assert.deepEqual([statistics.total, statistics.buttons.top[0]?.count], [30, 29]);
      assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name: 'Ana' }]);
      assert.equal(archive.addPage(chat, jsonsOf(MESSAGES.slice(5, 20))), 0);
      assert.equal(archive.addPage(chat, jsonsOf([...MESSAGES.slice(25), messageOf('new', 'new')])), 1);
      assert.equal(archive.chats()[0]?.messages, 31);
      archive.removeChat(chat);
      removeAll(archive);
      archive.compact();
      assert.deepEqual(archive.chats(), []);
    });
  }

  it('is searched and indexed around a damaged message by hosts without an index, too', () => {
    const chat = damaged(damages['cut JSON'], archiveWithoutIndex);
    const plain = archiveWithoutIndex(file.path);
    assert.equal(idsFound(plain, 'common ').length, 29);
    plain.close();
    const archive = openArchive(file.path);
    assert.equal(idsFound(archive, 'common ').length, 29);
    assert.equal(archive.latest(chat, 100)?.jsons.length, 30);
  });

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
      const copy = join(file.folder, 'copy.db');
      copyFileSync(file.path, copy);
      const changed = openDatabase(copy);
      changed.exec('PRAGMA foreign_keys = OFF');
      try {
        changed.exec(sql);
        assertProblem('damaged', () => call(new ArchiveDatabase(changed)), sql);
      } finally {
        if (changed.isOpen) changed.close();
      }
      rmSync(copy, { force: true });
    }
  });

  for (const table of ['messages', 'removedChats']) {
    it(`says so if what it removes stays: ${table}`, () => {
      const chat = damaged('');
      const archive = openArchive(file.path);
      archive.addPage(chat, jsonsOf(Array.from({ length: 600 }, (_, at) => messageOf(`more${at}`, 'more'))));
      openDatabase(file.path).exec(`CREATE TRIGGER kept BEFORE DELETE ON ${table} BEGIN SELECT RAISE(IGNORE); END`);
      archive.removeChat(chat);
      assertProblem('damaged', () => {
        for (let times = 0; times < 10; times++) archive.removeSome();
      });
    });
  }

  it('says so if what is still to be indexed stays so', () => {
    damaged(`CREATE TRIGGER kept BEFORE DELETE ON unindexed BEGIN SELECT RAISE(IGNORE); END`, archiveWithoutIndex);
    const database = openDatabase(file.path);
    let transactions = 0;
    const bounded = changedDatabase(database, {
      exec(sql) {
        if (sql.startsWith('BEGIN')) assert.ok(++transactions < 10, 'it never ends');
        database.exec(sql);
      },
    });
    assertProblem('damaged', () => new ArchiveDatabase(bounded));
  });

  // The proof `archive` tries many others.
  it('says so, or works, wherever its bytes are damaged', () => {
    const chat = archiveMessages(file.path);
    const whole = readFileSync(file.path);
    // At the end of each page of 4,096 bytes, and a little further from it each time: into the header of the next.
    for (let at = 0; at < whole.length; at += 4_093)
      assertDamageIsTold(file.path, chat, Buffer.from(whole).fill(0xa5, at, at + 16), `damage at ${at}`);
  });

  it('says so if its file was cut', async () => {
    damaged('');
    await truncate(file.path, 5_000);
    assert.equal(
      problemOf(file.path, (archive) => archive.chats()),
      'damaged',
    );
  });
});
