import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { CHAT, closeDatabases, idsOf, jsonsOf, MESSAGES, messageOf, openArchive, openDatabase } from './archives.ts';

describe('Deleting chats from the archive', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-chats-removals-'));
    path = join(folder, 'archive.db');
  });
  afterEach(async () => {
    closeDatabases();
    await rm(folder, { recursive: true, force: true });
  });

  it('overwrites what is deleted, and frees its space', async () => {
    const archive = openArchive(path);
    const chat = archive.addChat(CHAT);
    const other = archive.addChat({ ...CHAT, id: '100000002' });
    archive.addPage(chat, jsonsOf(MESSAGES));
    archive.addPage(other, jsonsOf([messageOf('kept', 'ordinary', { senderNickname: 'Bo', senderId: '4' })]));
    archive.removeChat(chat);
    assert.deepEqual(
      archive.search({ text: 'secretword', order: 'newest' }, 10).found,
      [],
      'a removed chat is still found',
    );
    while (archive.removeSome());
    assert.ok(archive.hasRemovals(), 'the space is not freed yet');
    archive.compact();
    assert.ok(!archive.hasRemovals());
    for (const file of [path, `${path}-wal`]) {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0));
      for (const word of ['secretword', 'Ana']) assert.equal(bytes.indexOf(word), -1, `${word} is in ${file}`);
    }
    assert.ok((await stat(path)).size < 200_000);
    assert.deepEqual(archive.search({ text: 'ordinary', order: 'newest' }, 10).found.length, 1);
  });

  it('forgets the names in deleted chats of one service, though someone has the same ID in another', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const other = archive.addChat({ ...CHAT, service: 'https://other.example' });
    archive.addPage(chat, jsonsOf([messageOf('a', 'x', { senderNickname: 'Zoe' })]));
    archive.addPage(other, jsonsOf([messageOf('b', 'y', { senderNickname: 'Bo' })]));
    archive.removeChat(chat);
    while (archive.removeSome());
    assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name: 'Bo' }]);
  });

  it('overwrites what is deleted before the file shrinks, which leaves its end to other files', () => {
    const database = openDatabase(path);
    let shrunk: Buffer | undefined;
    // Few enough that nothing is written to the file by itself.
    const before = openArchive(path);
    const chat = before.addChat(CHAT);
    before.addPage(chat, jsonsOf(MESSAGES.slice(0, 50)));
    before.close();
    const archive = new ArchiveDatabase({
      exec(sql) {
        if (/\bVACUUM$/.test(sql)) shrunk = readFileSync(path);
        database.exec(sql);
      },
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
    });
    archive.removeChat(chat);
    while (archive.removeSome());
    archive.compact();
    for (const word of ['secretword', 'Ana']) assert.equal(shrunk?.indexOf(word), -1, word);
  });

  it('goes on with a deletion that was interrupted', () => {
    const archive = openArchive(path);
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf(MESSAGES));
    archive.removeChat(chat);
    archive.removeSome();
    archive.close();
    const reopened = openArchive(path);
    assert.deepEqual(reopened.chats(), []);
    // The same chat is archived again before the rest is gone.
    const again = reopened.addChat(CHAT);
    reopened.addPage(again, jsonsOf(MESSAGES.slice(0, 5)));
    assert.equal(idsOf(reopened.latest(again, 100))?.length, 5, 'messages of the removed chat are back');
    while (reopened.removeSome());
    assert.equal(reopened.chats()[0]?.messages, 5);
    assert.equal(reopened.search({ text: 'secretword', order: 'newest' }, 100).found.length, 5);
  });
});
