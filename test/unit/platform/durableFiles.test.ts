import assert from 'node:assert/strict';
import { diskFiles, type NodeFiles } from '../../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../../src/platform/durableFiles.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { MemoryDisk, memoryFiles } from '../../prove/memoryDisk.ts';
import { describeDurableFiles } from './durableFilesContract.ts';

describeDurableFiles('on a disk', async () => {
  const folder = temporaryPath('files');
  return async () => diskFiles(folder);
});

// The proofs rely on them.
describeDurableFiles('in memory', async () => {
  const files = memoryFiles();
  return async () => files;
});

describe('Durable files after a loss of power', () => {
  /** What is left if nothing is kept that wasn't synced. */
  const afterLoss = async (act: (files: DurableFiles) => Promise<unknown>) => {
    const disk = new MemoryDisk();
    await diskFiles('/home', disk.files).write('settings.json', '');
    const files = diskFiles('/home/user/storage/bot-chats', disk.files);
    await act(files);
    disk.recover('posix', () => 0);
    return files;
  };

  it('are all there, also in folders that were made for them', async () => {
    const files = await afterLoss(async (files) => {
      await files.write('a/b/written', 'one');
      await files.create('a/b/created', 'two');
      await files.append('a/b/appended', 'three');
    });
    assert.deepEqual(await Promise.all(['written', 'created', 'appended'].map((name) => files.read(`a/b/${name}`))), [
      'one',
      'two',
      'three',
    ]);
  });

  it('stay removed', async () => {
    const files = await afterLoss(async (files) => {
      for (const name of ['a/file', 'b/c/d', 'b/e']) await files.write(name, '');
      await files.remove('a/file');
      await files.remove('b');
    });
    assert.deepEqual([await files.names(''), await files.names('a')], [['a'], []]);
  });
});

describe('A sync of names that fails', () => {
  const failing = (code: string): NodeFiles => {
    const { files } = new MemoryDisk();
    return {
      ...files,
      async open(path, flags) {
        const handle = await files.open(path, flags);
        const error = Object.assign(new Error(code), { code });
        return flags === 'r' ? { ...handle, sync: () => Promise.reject(error) } : handle;
      },
    };
  };

  it('is an error: what was stored may be gone after a loss of power', async () => {
    const files = diskFiles('/home', failing('EIO'));
    await assert.rejects(files.write('a/b', ''), /EIO/);
    await assert.rejects(files.append('a/b', ''), /EIO/);
    await assert.rejects(files.remove('a/b'), /EIO/);
  });

  it('is none where folders have no sync', async () => {
    for (const code of ['EINVAL', 'ENOTSUP', 'EPERM']) await diskFiles('/home', failing(code)).write('a/b', '');
  });
});
