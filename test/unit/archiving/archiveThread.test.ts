import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { Uri } from 'vscode';
import { ArchiveThread } from '../../../src/archiving/archiveThread.ts';
import { temporaryFolder } from '../../host/temporary.ts';

/** In place of the archive: its file is always damaged where it's read, which another file doesn't know yet. */
const WORKER = `
  const { parentPort } = require('node:worker_threads');
  let isDamaged = false;
  parentPort.on('message', ({ id, method }) => {
    if (method === 'isDamaged') return parentPort.postMessage({ id, result: isDamaged });
    isDamaged = method !== 'erase';
    parentPort.postMessage(isDamaged ? { id, problem: 'damaged', detail: '' } : { id, result: undefined });
  });
`;

describe('The thread of the archive', () => {
  let thread: ArchiveThread;
  let reports: number;

  beforeEach(async () => {
    const folder = await temporaryFolder('archive');
    await mkdir(`${folder}/dist`);
    await writeFile(`${folder}/dist/archiveWorker.js`, WORKER);
    reports = 0;
    thread = new ArchiveThread(Uri.file(folder), Uri.file(folder), () => reports++);
  });
  afterEach(() => thread.close());

  const read = () => assert.rejects(thread.archive.chats(), { problem: 'damaged' });

  it('reports once that the file is damaged', async () => {
    await read();
    assert.equal(await thread.archive.isDamaged(), true);
    await read();
    assert.equal(reports, 1);
  });

  it('reports that the next file is damaged, too', async () => {
    await read();
    await thread.archive.erase();
    assert.equal(await thread.archive.isDamaged(), false);
    await read();
    assert.equal(reports, 2);
  });
});
