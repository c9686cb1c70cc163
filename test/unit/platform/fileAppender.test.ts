import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { BufferLimitError, homeFolder, openAppender } from '../../../src/platform/fileAppender.ts';
import { temporaryFolder } from '../../host/temporary.ts';
import { inBrowser } from '../inBrowser.ts';

describe('Appending to a file', () => {
  let folder: string;
  let target: Uri;

  beforeEach(async () => {
    folder = await temporaryFolder('appended');
    target = Uri.file(join(folder, 'chat.md'));
    await writeFile(target.fsPath, 'before');
  });

  const written = () => readFile(target.fsPath, 'utf8');

  for (const [where, run] of [
    ['on this computer', (appending: () => Promise<void>) => appending()],
    ['elsewhere', inBrowser],
  ] as const) {
    it(`replaces the file when it is finished, ${where}`, () =>
      run(async () => {
        const file = await openAppender(target);
        for (const piece of ['聊', new TextEncoder().encode('ab'), '']) await file.append(piece);
        assert.equal(await written(), 'before');
        await file.finish();
        assert.equal(await written(), '聊ab');
        assert.deepEqual(await readdir(folder), ['chat.md']);
      }));

    it(`leaves nothing behind when discarded, even twice, ${where}`, () =>
      run(async () => {
        const file = await openAppender(target);
        await file.append('a');
        for (let times = 0; times < 2; times++) await file.discard();
        assert.deepEqual([await written(), await readdir(folder)], ['before', ['chat.md']]);
      }));
  }

  it('writes each piece at once on this computer', async () => {
    const file = await openAppender(target);
    await file.append('a');
    assert.equal(await readFile(`${target.fsPath}.part`, 'utf8'), 'a');
  });

  it('buffers at most 64 MB of what is elsewhere', () =>
    inBrowser(async () => {
      const file = await openAppender(target);
      const million = 'x'.repeat(1_000_000);
      for (let count = 0; count < 64; count++) await file.append(million);
      await assert.rejects(file.append('x'), BufferLimitError);
    }));

  it("begins in the user's folder, which a browser doesn't have", async () => {
    assert.ok(homeFolder());
    assert.equal(await inBrowser(async () => homeFolder()), undefined);
  });
});
