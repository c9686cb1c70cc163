import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import {
  assertProblem,
  CHAT,
  idsFound,
  jsonsOf,
  messageOf,
  openArchive,
  openDatabase,
  openWithRoom,
  removeAll,
  useArchiveFile,
} from './archives.ts';

const OTHER = { ...CHAT, id: '100000002' };

/** Too little for a copy of the file or its index, and for more than some dozen messages at once (bytes). */
const LITTLE = 40 * 4096;

describe('An archive on a full disk', () => {
  const file = useArchiveFile();
  let chat: number;
  beforeEach(() => {
    const archive = openArchive(file.path);
    chat = archive.addChat(CHAT);
    archive.addPage(chat, messages('secretword', 'Ana', '3'));
    archive.addPage(archive.addChat(OTHER), messages('ordinary', 'Bo', '4'));
    archive.close();
  });

  const messages = (word: string, senderNickname: string, senderId: string, length = 500) =>
    jsonsOf(
      Array.from({ length }, (_, at) =>
        messageOf(`${word}${at}`, `${word} number ${at}`, {
          senderNickname,
          senderId,
          sendTime: 1_700_000_000_000 + at * 1000,
        }),
      ),
    );

  const remove = (archive: ArchiveDatabase, removed = chat) => {
    archive.removeChat(removed);
    removeAll(archive);
    archive.compact();
  };

  async function assertGone(archive: ArchiveDatabase): Promise<void> {
    assert.ok(!archive.hasRemovals());
    for (const part of [file.path, `${file.path}-wal`]) {
      const bytes = await readFile(part);
      for (const word of ['secretword', 'Ana']) assert.equal(bytes.indexOf(word), -1, `${word} is in ${part}`);
    }
    assert.deepEqual(
      archive.chats().map(({ botChat, messages }) => [botChat.id, messages]),
      [[OTHER.id, 500]],
    );
    assert.deepEqual(idsFound(archive, '"ordinary number 499"'), ['ordinary499']);
  }

  it('overwrites a chat in pieces, and frees its space in steps', async () => {
    const { size } = await stat(file.path);
    const { archive } = openWithRoom(file.path, LITTLE);
    remove(archive);
    await assertGone(archive);
    assert.ok((await stat(file.path)).size < size);
  });

  it('overwrites the words of a few messages, which the index merges only if asked', async () => {
    const before = openArchive(file.path);
    const small = before.addChat({ ...CHAT, id: '100000003' });
    before.addPage(small, messages('rareword', 'Cy', '5', 3));
    // Merged with many others, they alone are no reason to merge again.
    before.compact();
    before.close();
    const { archive } = openWithRoom(file.path, LITTLE);
    remove(archive, small);
    assert.equal((await readFile(file.path)).indexOf('rareword'), -1);
  });

  it('says so if not even one message can be removed, and goes on once there is room', async () => {
    const { archive, disk } = openWithRoom(file.path, LITTLE);
    archive.removeChat(chat);
    archive.removeSome();
    disk.room = 4096;
    assertProblem('full', () => archive.removeSome());
    assert.ok(archive.hasRemovals());
    disk.room = LITTLE;
    removeAll(archive);
    archive.compact();
    await assertGone(archive);
  });

  it('keeps a chat whole if it has no room to begin', () => {
    const { archive } = openWithRoom(file.path, 0);
    assertProblem('full', () => archive.removeChat(chat));
    assert.ok(!archive.hasRemovals());
    assert.equal(archive.latest(chat, 1_000)?.jsons.length, 500);
  });

  it('frees the space of a file that another program has compacted only with room for a copy', async () => {
    const other = openDatabase(file.path);
    other.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM');
    other.close();
    const { archive, disk } = openWithRoom(file.path, LITTLE);
    assertProblem('full', () => remove(archive));
    assert.ok(archive.hasRemovals());
    disk.room = Number.POSITIVE_INFINITY;
    archive.compact();
    await assertGone(archive);
  });
});
