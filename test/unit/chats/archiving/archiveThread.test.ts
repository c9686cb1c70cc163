import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemError, Uri, workspace } from 'vscode';
import { ArchiveError, type ArchiveProblem } from '../../../../src/chats/archive/archiveError.ts';
import { archiveErrorText } from '../../../../src/chats/archiving/archiveErrorText.ts';
import { ArchiveThread } from '../../../../src/chats/archiving/archiveThread.ts';
import { root } from '../../../host/places.ts';
import { temporaryFolder } from '../../../host/temporary.ts';
import { CHAT } from '../archive/archives.ts';
import { replaceBuiltins, restoreBuiltins, testThreads } from './testThreads.ts';

describe('The thread of the archive', () => {
  let folder: string;
  let damages: number;
  let thread: ArchiveThread;

  beforeEach(async () => {
    folder = await temporaryFolder('thread');
    damages = 0;
    thread = new ArchiveThread(Uri.file(folder), Uri.file(root), () => damages++);
  });
  afterEach(async () => {
    await thread.close();
    restoreBuiltins();
  });

  /** Resolves to what the user reads about a call that fails. */
  const textOf = (call: Promise<unknown>) =>
    call.then(
      () => assert.fail('it works'),
      (error) => archiveErrorText(error),
    );
  const problemOf = (call: Promise<unknown>): Promise<ArchiveProblem> =>
    call.then(
      () => assert.fail('it works'),
      (error) => (error instanceof ArchiveError ? error.problem : assert.fail(error)),
    );

  it('starts with the first call, and answers all', async () => {
    const started = testThreads();
    assert.equal(await thread.exists(), false);
    assert.equal(started.length, 0);
    await thread.archive.addChat(CHAT);
    assert.equal((await thread.archive.chats()).length, 1);
    assert.ok(await thread.exists());
    assert.equal(started.length, 1);
  });

  it('knows of an archive that was erased only in part', async () => {
    testThreads();
    await writeFile(join(folder, 'archive.db.erased'), 'secretword');
    assert.ok(await thread.exists());
    assert.deepEqual(await thread.archive.chats(), []);
    assert.ok(!(await readdir(folder)).includes('archive.db.erased'));
  });

  it("doesn't take an archive that can't be read for nothing", async () => {
    const { stat } = workspace.fs;
    workspace.fs.stat = async (file) => {
      throw FileSystemError.NoPermissions(file);
    };
    const exists = await thread.exists();
    workspace.fs.stat = stat;
    assert.ok(exists);
  });

  it("says so if its folder can't be made", async () => {
    testThreads();
    await writeFile(join(folder, 'a file'), '');
    const inFile = new ArchiveThread(Uri.file(join(folder, 'a file', 'archive')), Uri.file(root), () => {});
    assert.equal(await problemOf(inFile.archive.chats()), 'denied');
    await inFile.close();
  });

  it('fails every waiting call when it ends, says why, and starts anew with the next call', async () => {
    const started = testThreads();
    await thread.archive.addChat(CHAT);
    const waiting = [thread.archive.chats(), thread.archive.size()].map(textOf);
    started[0]?.end(new Error('out of memory'));
    const text = "The archive can't be used (out of memory). Try again, or reload the window.";
    assert.deepEqual(await Promise.all(waiting), [text, text]);
    assert.equal((await thread.archive.chats()).length, 1);
    assert.equal(started.length, 2);
  });

  it('says so if it ends without an error', async () => {
    const started = testThreads();
    await thread.archive.chats();
    const waiting = textOf(thread.archive.chats());
    started[0]?.end();
    assert.equal(await waiting, "The archive can't be used (its thread has ended). Try again, or reload the window.");
  });

  it("isn't started again until the user retries if it ends before it has answered anything", async () => {
    const started = testThreads({ start() {} });
    const waiting = problemOf(thread.archive.chats());
    started[0]?.end(new Error('no such module'));
    assert.equal(await waiting, 'failed');
    assert.match(await textOf(thread.archive.chats()), /no such module/);
    assert.equal(started.length, 1);
    const fixed = testThreads();
    await thread.retry();
    assert.deepEqual(await thread.archive.chats(), []);
    assert.equal(fixed.length, 1);
  });

  it('fails what it has not answered when it is closed', async () => {
    testThreads();
    await thread.archive.chats();
    const waiting = problemOf(thread.archive.chats());
    await thread.close();
    assert.equal(await waiting, 'failed');
  });

  it('is missing in a host without threads', async () => {
    replaceBuiltins({ 'node:worker_threads': { Worker: undefined } });
    assert.equal(await problemOf(thread.archive.chats()), 'unsupported');
  });

  it('tells once that the file is damaged, and again after a retry', async () => {
    testThreads();
    await writeFile(join(folder, 'archive.db'), 'This is not a database. '.repeat(1000));
    assert.equal(await problemOf(thread.archive.chats()), 'damaged');
    assert.equal(await problemOf(thread.archive.size()), 'damaged');
    assert.equal(damages, 1);
    await thread.retry();
    assert.equal(await problemOf(thread.archive.chats()), 'damaged');
    assert.equal(damages, 2);
  });

  it('tells that the next file is damaged, too', async () => {
    testThreads();
    for (const reports of [1, 2]) {
      await writeFile(join(folder, 'archive.db'), 'This is not a database. '.repeat(1000));
      assert.equal(await problemOf(thread.archive.chats()), 'damaged');
      assert.equal(damages, reports);
      await thread.archive.erase();
      assert.equal(await thread.archive.isDamaged(), false);
    }
  });
});
