import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import {
  CHAT,
  changedDatabase,
  idsFound,
  idsOf,
  jsonsOf,
  MESSAGES,
  messageOf,
  openArchive,
  openDatabase,
  removeAll,
  useArchiveFile,
} from './archives.ts';

describe('Deleting chats from the archive', () => {
  const file = useArchiveFile();

  it('forgets the names in deleted chats of one service, though someone has the same ID in another', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const other = archive.addChat({ ...CHAT, service: 'https://other.example' });
    archive.addPage(chat, jsonsOf([messageOf('a', 'x', { senderNickname: 'Zoe' })]));
    archive.addPage(other, jsonsOf([messageOf('b', 'y', { senderNickname: 'Bo' })]));
    archive.removeChat(chat);
    removeAll(archive);
    assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name: 'Bo' }]);
  });

  it('overwrites what is deleted before the file shrinks, which leaves its end to other files', () => {
    const database = openDatabase(file.path);
    let shrunk: Buffer | undefined;
    // Few enough that nothing is written to the file by itself.
    const before = openArchive(file.path);
    const chat = before.addChat(CHAT);
    before.addPage(chat, jsonsOf(MESSAGES.slice(0, 50)));
    before.close();
    const archive = new ArchiveDatabase(
      changedDatabase(database, {
        exec(sql) {
          if (/\bVACUUM$/.test(sql)) shrunk = readFileSync(file.path);
          database.exec(sql);
        },
      }),
    );
    archive.removeChat(chat);
    removeAll(archive);
    archive.compact();
    for (const word of ['secretword', 'Ana']) assert.equal(shrunk?.indexOf(word), -1, word);
  });

  it('goes on with a deletion that was interrupted', () => {
    const archive = openArchive(file.path);
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf(MESSAGES));
    archive.removeChat(chat);
    archive.removeSome();
    archive.close();
    const reopened = openArchive(file.path);
    assert.deepEqual(reopened.chats(), []);
    // The same chat is archived again before the rest is gone.
    const again = reopened.addChat(CHAT);
    reopened.addPage(again, jsonsOf(MESSAGES.slice(0, 5)));
    assert.equal(idsOf(reopened.latest(again, 100))?.length, 5, 'messages of the removed chat are back');
    removeAll(reopened);
    assert.equal(reopened.chats()[0]?.messages, 5);
    assert.equal(idsFound(reopened, 'secretword').length, 5);
  });
});
