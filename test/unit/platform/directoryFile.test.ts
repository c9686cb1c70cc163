import assert from 'node:assert/strict';
import { workspace } from 'vscode';
import type { Connection } from '../../../src/platform/service.ts';
import { configure, keeping, newConnection, startService, type TestService } from '../test-service.ts';

describe('Names after a restart', () => {
  let service: TestService;
  let kept: ReturnType<typeof keeping>;
  const windows: Connection[] = [];
  /** Opens a window with the storage of earlier windows. */
  const openWindow = async () => {
    const connection = newConnection(kept);
    windows.push(connection);
    return { ...(await connection.open()), close: () => connection.close() };
  };

  beforeEach(async () => {
    service = await startService();
    kept = keeping();
    await workspace.fs.createDirectory(kept.folder);
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) {
      // Finishes writing before the files are removed.
      await window.close();
      window.dispose();
    }
    await service.close();
    await workspace.fs.delete(kept.folder, { recursive: true });
  });

  it('are there with all details before any request, and can be refreshed', async () => {
    const before = await openWindow();
    await before.directory.get('group', '518204736');
    await before.close();
    const { directory } = await openWindow();
    const remembered = directory.peek('group', '518204736');
    assert.equal(remembered?.kind === 'group' && remembered.resource.name, 'Fern & Kettle: the shop team');
    assert.equal(service.requests.length, 1);
    assert.equal((await directory.get('group', '518204736', { accept: 'new' })).kind, 'group');
    assert.equal(service.requests.length, 2);
  });

  it('are there when the service is reopened in the same window', async () => {
    const { directory } = await openWindow();
    await directory.get('group', 'big');
    await configure({ 'service.callsPerSecond': 20 });
    const [window] = windows;
    assert.ok((await window?.open())?.directory.peek('group', 'big'));
    await configure({ 'service.callsPerSecond': undefined });
  });

  it('of two windows are merged', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    await one.directory.get('group', 'big');
    await other.directory.get('user', '7058314');
    await one.close();
    await other.close();
    const { directory } = await openWindow();
    assert.ok(directory.peek('group', 'big'));
    assert.ok(directory.peek('user', '7058314'));
  });

  it('are looked up again if they can’t be read or saved, which the log says', async () => {
    const fails = () => Promise.reject(new Error('EIO'));
    const warnings: string[] = [];
    const log = { ...kept.log, warn: (text: string) => void warnings.push(text) };
    kept = { ...kept, log, files: { ...kept.files, read: fails, write: fails } };
    const { directory, close } = await openWindow();
    assert.equal((await directory.get('group', 'big')).kind, 'group');
    await close();
    assert.deepEqual(warnings, ["names can't be saved: EIO"]);
  });

  it('are kept for each service separately', async () => {
    const { directory, close } = await openWindow();
    await directory.get('group', 'big');
    await close();
    const other = await startService();
    assert.equal((await openWindow()).directory.peek('group', 'big'), undefined);
    await other.close();
  });
});
