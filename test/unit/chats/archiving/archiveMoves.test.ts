import assert from 'node:assert/strict';
import { ArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import { archiveMoves } from '../../../../src/chats/archiving/archiveMoves.ts';
import type { ArchivePart } from '../../../../src/chats/contract.ts';
import { all } from '../../deferred.ts';
import { CHAT, jsonsOf, MESSAGES, openArchive, useArchiveFile } from '../archive/archives.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const USER = { ...CHAT, kind: 'user', id: '7058314' } as const;

describe('Moving the archive to another computer', () => {
  const file = useArchiveFile();
  let archive: RemoteArchive;
  let exists: boolean;
  let changes: number;
  let closed: number;
  /** What was given to the import of messages. */
  let imported: unknown[];

  beforeEach(() => {
    ({ archive } = archiveInProcess(() => openArchive(file.path)));
    exists = true;
    changes = 0;
    closed = 0;
    imported = [];
  });

  /** Archives of which some methods do something else: that of the window, and that which is opened once more to be read. */
  function movesOf({ own = {}, opened = {} }: { own?: Partial<RemoteArchive>; opened?: Partial<RemoteArchive> } = {}) {
    const changed = (of: RemoteArchive, by: Partial<RemoteArchive>) =>
      new Proxy(of, { get: (_, name: keyof RemoteArchive) => by[name] ?? of[name] });
    const open = () => ({
      archive: changed(archiveInProcess(() => openArchive(file.path)).archive, opened),
      close: async () => void closed++,
    });
    const run = async (...args: unknown[]) => void imported.push(...args);
    return archiveMoves({ own: { archive: changed(archive, own), exists: async () => exists }, open }, { run }, () => {
      changes++;
    });
  }

  const failing = () => Promise.reject(new ArchiveError('busy'));
  const isBusy = { name: 'UserFacingError', message: /Another window is using the archive/ };

  /** An archive with two chats, of which one has so many messages. */
  async function fill(messages = 3): Promise<void> {
    const chat = await archive.addChat(CHAT, 5);
    await archive.setNames(chat, { name: 'The shop', botName: 'Order Desk' });
    await archive.addLatest(chat, jsonsOf(MESSAGES.slice(0, messages)), 7);
    await archive.addPage(await archive.addChat(USER), jsonsOf(MESSAGES.slice(0, 2)));
  }

  /** What is read, with the number of messages of each page. */
  const textOf = (part: ArchivePart) =>
    part.what === 'chat'
      ? JSON.stringify(part.chat)
      : part.what === 'page'
        ? `${part.page.jsons.length} messages`
        : part.what;

  it('says how much there is', async () => {
    await fill();
    assert.deepEqual(await movesOf().survey(), { chats: 2, messages: 5 });
  });

  it('says that nothing is there before anything is archived, and opens nothing', async () => {
    exists = false;
    const moves = movesOf({ own: { chats: () => assert.fail('it was opened') } });
    assert.deepEqual(await moves.survey(), { chats: 0, messages: 0 });
    assert.deepEqual(await all(moves.read()), []);
    assert.equal(closed, 0);
  });

  it('reads each chat with its names and times, page by page', async () => {
    await fill(1_200);
    assert.deepEqual((await all(movesOf().read())).map(textOf), [
      JSON.stringify({ botChat: CHAT, since: 5, checkedAt: 7, name: 'The shop', botName: 'Order Desk' }),
      '500 messages',
      '500 messages',
      '202 messages',
      'ended',
      JSON.stringify({ botChat: USER, name: '', botName: '' }),
      '2 messages',
      'ended',
    ]);
    assert.equal(closed, 1);
  });

  for (const method of ['freeze', 'chats', 'movedPage'] as const)
    it(`says why it can't be read, and closes what it has opened: ${method}`, async () => {
      await fill();
      await assert.rejects(all(movesOf({ opened: { [method]: failing } }).read()), isBusy);
      assert.equal(closed, 1);
    });

  it("says why it can't be counted, or begun", async () => {
    const moves = movesOf({ own: { chats: failing, beginImport: failing } });
    await assert.rejects(moves.survey(), isBusy);
    await assert.rejects(moves.begin({ botChat: CHAT, name: '', botName: '' }, 'moved.gz'), isBusy);
  });

  describe('adds what it has', () => {
    const chat = { botChat: CHAT, since: 5, checkedAt: 7, name: 'The shop', botName: 'Order Desk' };
    const page = (from: number, to: number) => ({ jsons: jsonsOf(MESSAGES.slice(from, to)) });
    const only = async () => (await archive.chats())[0] ?? assert.fail();

    it('with names and times, and notes how many messages came from the file', async () => {
      const added = await movesOf().begin(chat, 'moved.gz');
      assert.equal(await added.add(page(0, 5)), 5);
      assert.equal(await added.add(page(4, 8)), 3);
      // No archive has such a page.
      assert.equal(await added.add({ jsons: [...page(0, 1).jsons, ...page(0, 1).jsons] }), undefined);
      assert.equal(changes, 0);
      await added.end(true);
      assert.equal(changes, 1);
      const { botChat, since, checkedAt, name, botName, messages, imports } = await only();
      assert.deepEqual({ botChat, since, checkedAt, name, botName }, chat);
      assert.equal(messages, 8);
      assert.equal(imports[0]?.name, 'moved.gz');
      assert.equal(imports[0]?.messages, 8);
    });

    it("but doesn't say until when it's complete if a page is missing", async () => {
      const added = await movesOf().begin(chat, 'moved.gz');
      await added.add(page(0, 5));
      await added.end(false);
      assert.equal((await only()).checkedAt, undefined);
    });

    it('until it fails, which is said, and shows what is there', async () => {
      const added = await movesOf().begin(chat, 'moved.gz');
      const { number } = await only();
      await archive.removeChat(number);
      await assert.rejects(added.add(page(0, 5)), {
        name: 'UserFacingError',
        message: /has since been deleted from the archive/,
      });
      const failed = await movesOf({ own: { endImport: failing } }).begin(chat, 'moved.gz');
      await assert.rejects(failed.end(true), isBusy);
      assert.equal(changes, 1);
    });
  });

  it('imports messages of an exported file', async () => {
    async function* lines() {}
    await movesOf().importMessages('chat.ndjson', lines, 3);
    assert.deepEqual(imported, ['chat.ndjson', lines, 3]);
  });
});
