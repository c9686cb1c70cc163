import assert from 'node:assert/strict';
import { RelativePattern, Uri, workspace } from 'vscode';
import { Connection } from '../../src/workbench/connection.ts';
import type { Keeping } from '../../src/workbench/openService.ts';
import { keeping, type TestService, useService } from './service.ts';

describe('Names over a restart', () => {
  let service: TestService;
  let kept: Keeping;
  const connections: Connection[] = [];
  /** What a window does that is opened now, with what windows before it have kept. */
  const restart = () => {
    const connection = new Connection(kept);
    connections.push(connection);
    return connection.open();
  };

  beforeEach(async () => {
    service = await useService();
    kept = keeping();
    await workspace.fs.createDirectory(kept.folder);
  });

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.dispose();
    await service.close();
    await workspace.fs.delete(kept.folder, { recursive: true });
  });

  /** Resolves when a whole file of names has been written after `act`. */
  const written = async (act: () => Promise<unknown>) => {
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(kept.folder, 'directory-*.json'));
    try {
      const seen = new Promise<void>((resolve) => {
        watcher.onDidCreate(() => resolve());
        watcher.onDidChange(() => resolve());
      });
      await act();
      await seen;
    } finally {
      watcher.dispose();
    }
  };

  it('are there with all details before any request, and are found anew when they are asked for', async () => {
    const { directory } = await restart();
    await written(() => directory.get('group', '518204736'));
    const again = await restart();
    const remembered = again.directory.peek('group', '518204736');
    assert.equal(remembered?.kind === 'group' && remembered.resource.name, 'Fern & Kettle: the shop team');
    assert.equal(service.requests.length, 1);
    assert.equal((await again.directory.get('group', '518204736', { accept: 'new' })).kind, 'group');
    assert.equal(service.requests.length, 2);
  });

  it('of two windows are kept together', async () => {
    const [one, other] = [await restart(), await restart()];
    await written(() => one.directory.get('group', 'big'));
    await written(() => other.directory.get('user', '7058314'));
    const { directory } = await restart();
    assert.ok(directory.peek('group', 'big'));
    assert.ok(directory.peek('user', '7058314'));
  });

  it('are those of the same service alone', async () => {
    const { directory } = await restart();
    await written(() => directory.get('group', 'big'));
    const other = await useService();
    const elsewhere = await restart();
    assert.equal(elsewhere.directory.peek('group', 'big'), undefined);
    await other.close();
  });

  it('are done without where their file cannot be read', async () => {
    const { directory } = await restart();
    await written(() => directory.get('group', 'big'));
    for (const [name] of await workspace.fs.readDirectory(kept.folder)) {
      await workspace.fs.writeFile(Uri.joinPath(kept.folder, name), new TextEncoder().encode('{"version":1,"entr'));
    }
    const again = await restart();
    assert.equal(again.directory.peek('group', 'big'), undefined);
    assert.equal((await again.directory.get('group', 'big')).kind, 'group');
  });
});
