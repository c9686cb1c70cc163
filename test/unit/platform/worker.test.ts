import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Uri } from 'vscode';
import { startWorker, workerParent } from '../../../src/platform/worker.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { inBrowser } from '../inBrowser.ts';

describe('A thread', () => {
  const start = async (script: string, data?: unknown) => {
    const file = Uri.file(`${temporaryPath('thread')}.cjs`);
    await writeFile(file.fsPath, script);
    return startWorker(file, data) ?? assert.fail();
  };

  it('is given data, gets and sends messages, and ends when it is stopped', async () => {
    const worker = await start(
      `
      const { parentPort, workerData } = require('node:worker_threads');
      parentPort.on('message', (message) => parentPort.postMessage([workerData, message]));`,
      'data',
    );
    const answer = new Promise((resolve) => worker.onMessage(resolve));
    worker.post({ asked: 1 });
    assert.deepEqual(await answer, ['data', { asked: 1 }]);
    const ended = new Promise((resolve) => worker.onExit(resolve));
    await worker.stop();
    assert.equal(await ended, undefined);
  });

  it('says why it has crashed', async () => {
    const worker = await start(`throw 'no memory'`);
    const error = await new Promise((resolve) => worker.onExit(resolve));
    assert.match(`${error}`, /no memory/);
  });

  it("isn't there in a browser, and a script of one runs nowhere else", async () => {
    assert.equal(await inBrowser(async () => startWorker(Uri.file('/a.js'), 1)), undefined);
    assert.throws(workerParent, /runs in a worker/);
  });
});
