import assert from 'node:assert/strict';
import { diskFiles, type NodeFiles } from '../../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../../src/platform/durableFiles.ts';
import { FileInUseError, filesInUse } from '../../../src/platform/filesInUse.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { heldFiles, type Refusal } from '../../prove/heldFiles.ts';
import { MemoryDisk, memoryFiles } from '../../prove/memoryDisk.ts';
import { heldClock, instantClock } from '../clocks.ts';
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

const onWindows = () => filesInUse({ clock: instantClock(), onWindows: true });

for (const isDone of [false, true]) {
  describeDurableFiles(
    `on a disk that refuses what it ${isDone ? 'does' : "doesn't do"} until it is tried again`,
    async () => {
      const { files } = new MemoryDisk();
      const codes = ['EPERM', 'EBUSY', 'EACCES'] as const;
      return async () => {
        const tries = new Map<string, number>();
        const held = heldFiles(files, (...what) => {
          const count = tries.get(`${what}`) ?? 0;
          tries.set(`${what}`, (count + 1) % 4);
          const code = codes[count];
          return code && { code, isDone };
        });
        return diskFiles('/files', held, onWindows());
      };
    },
  );
}

describe('A file that another program has open', () => {
  /** Files of which an old one is held until it's released. */
  const held = async (code: Refusal['code'], { isWindows = true } = {}) => {
    const { clock, pass, sleeping } = heldClock();
    let isHeld = false;
    const disk = heldFiles(new MemoryDisk().files, (operation, path) =>
      isHeld && operation !== 'open' && path.endsWith('a/b') ? { code, isDone: false } : undefined,
    );
    const files = diskFiles('C:\\Users/me', disk, filesInUse({ clock, onWindows: isWindows }));
    await files.write('a/b', 'old');
    isHeld = true;
    return { files, pass, sleeping, hold: (value: boolean) => (isHeld = value) };
  };
  /** What becomes of something: undefined as long as it's waited for. */
  const watch = (promise: Promise<unknown>) => {
    const watched: { result?: unknown } = {};
    promise.then(
      () => (watched.result = 'done'),
      (error) => (watched.result = error),
    );
    return watched;
  };

  it('is waited for as long as a minute, and then written, created or removed', async () => {
    const { files, pass, hold } = await held('EBUSY');
    const changes = {
      write: () => files.write('a/b', 'new'),
      remove: () => files.remove('a/b'),
      create: () => files.create('a/b', ''),
    };
    for (const [name, change] of Object.entries(changes)) {
      hold(true);
      const watched = watch(change());
      await pass(59_000);
      assert.equal(watched.result, undefined, name);
      hold(false);
      await pass(1_000);
      assert.equal(watched.result, 'done', name);
    }
  });

  it('is named in the error if it stays so, and is what it was', async () => {
    for (const code of ['EBUSY', 'EPERM', 'EACCES'] as const) {
      const { files, pass, hold } = await held(code);
      const watched = watch(files.write('a/b', 'new'));
      await pass(61_000);
      assert.ok(watched.result instanceof FileInUseError, `${watched.result}`);
      assert.deepEqual([watched.result.path, watched.result.code], ['C:\\Users\\me\\a\\b', code]);
      hold(false);
      assert.equal(await files.read('a/b'), 'old');
      assert.deepEqual(await files.names('a'), ['b']);
    }
  });

  it('is waited for ten seconds before a list shows that it is unreadable', async () => {
    const { files, pass } = await held('EBUSY');
    const watched = watch(files.read('a/b'));
    await pass(9_000);
    assert.deepEqual(watched, {});
    await pass(2_000);
    assert.ok(watched.result instanceof FileInUseError);
  });

  it('is waited for no longer once that is canceled', async () => {
    const { files, pass, sleeping, hold } = await held('EBUSY');
    const abort = new AbortController();
    const watched = [files.write('a/b', 'new', abort.signal), files.create('a/b', 'new', abort.signal)].map(watch);
    await pass(1_000);
    abort.abort();
    await pass(0);
    for (const { result } of watched) assert.ok(result instanceof FileInUseError, `${result}`);
    assert.equal(sleeping(), 0);
    hold(false);
    assert.deepEqual(await files.names('a'), ['b']);
  });

  it('is not waited for on a system that says the same of what its user may not do', async () => {
    for (const code of ['EPERM', 'EACCES'] as const) {
      const { files, sleeping } = await held(code, { isWindows: false });
      await assert.rejects(files.write('a/b', 'new'), { code, name: 'Error' });
      assert.equal(sleeping(), 0);
    }
  });

  it("isn't claimed twice: a link that was refused may have been made", async () => {
    const disk = new MemoryDisk();
    let refusals = 0;
    const open = (isDone: boolean) =>
      diskFiles(
        '/files',
        heldFiles(disk.files, (operation) =>
          operation === 'link' && refusals-- > 0 ? { code: 'EPERM', isDone } : undefined,
        ),
        onWindows(),
      );
    await open(false).write('a/b', '');
    for (const [number, isDone] of [false, true].entries()) {
      refusals = 2;
      assert.equal(await open(isDone).create(`a/claim-${number}`, 'claim'), true);
      // Of another window, with the same text.
      refusals = 1;
      assert.equal(await open(isDone).create(`a/claim-${number}`, 'claim'), false);
    }
    assert.deepEqual((await open(false).names('a')).toSorted(), ['b', 'claim-0', 'claim-1']);
  });
});

describe('A folder that another program has open', () => {
  it('is removed in the end, whatever was removed of it before', async () => {
    const disk = new MemoryDisk();
    let refusals = 3;
    const files = diskFiles(
      '/files',
      {
        ...disk.files,
        async rm(path, options) {
          if (path.endsWith('/a') && refusals-- > 0) {
            if (refusals === 1) await disk.files.rm(`${path}/c`, options);
            throw Object.assign(new Error('ENOTEMPTY'), { code: 'ENOTEMPTY' });
          }
          return disk.files.rm(path, options);
        },
      },
      filesInUse({ clock: instantClock(), onWindows: false }),
    );
    for (const name of ['a/b', 'a/c', 'd']) await files.write(name, '');
    await files.remove('a');
    assert.deepEqual(await files.names(''), ['d']);
  });
});

describe('A file in the place of a folder', () => {
  /** Windows calls what would be in it missing. */
  const likeWindows = (files: NodeFiles): NodeFiles => {
    const renamed = async <T>(result: Promise<T>) =>
      result.catch((error) => {
        throw error.code === 'ENOTDIR' ? Object.assign(error, { code: 'ENOENT' }) : error;
      });
    return {
      ...files,
      readFile: (...args) => renamed(files.readFile(...args)),
      readdir: (...args) => renamed(files.readdir(...args)),
      stat: (...args) => renamed(files.stat(...args)),
      open: (...args) => renamed(files.open(...args)),
      link: (...args) => renamed(files.link(...args)),
    };
  };

  for (const [where, change] of [
    ['Windows', likeWindows] as const,
    ['other systems', (files: NodeFiles) => files] as const,
  ]) {
    it(`is damage, and isn't taken for nothing, on ${where}`, async () => {
      const files = diskFiles('/files', change(new MemoryDisk().files), onWindows());
      await files.write('a/b', 'in the way');
      for (const path of ['a/b/c', 'a/b/c/d']) {
        await assert.rejects(files.read(path), /ENOTDIR/);
        await assert.rejects(files.stat(path), /ENOTDIR/);
        await assert.rejects(files.names(path), /ENOTDIR/);
        await assert.rejects(files.write(path, ''), /ENOTDIR/);
        await assert.rejects(files.create(path, ''), /ENOTDIR/);
        await assert.rejects(files.append(path, ''), /ENOTDIR/);
        // There is nothing to remove.
        await files.remove(path);
      }
      await assert.rejects(files.names('a/b'), /ENOTDIR/);
      assert.deepEqual(
        [await files.read('c/d'), await files.names('a/c'), await files.stat('d')],
        [undefined, [], undefined],
      );
      assert.equal(await files.read('a/b'), 'in the way');
    });
  }
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

  for (const [what, store] of Object.entries({
    'writes a file there': (files: DurableFiles) => files.write('a/b/new', ''),
    'creates a file there': (files: DurableFiles) => files.create('a/b/new', ''),
    'finds the file that it would create': (files: DurableFiles) => files.create('a/b/found', ''),
    'appends to a file there': (files: DurableFiles) => files.append('a/b/found', ''),
    'finds a name taken': (files: DurableFiles) => files.move('a/c', 'a/b'),
    'syncs them': (files: DurableFiles) => files.sync('a/b'),
  }))
    it(`are in the folders that another window has just renamed, once this one ${what}`, async () => {
      const disk = new MemoryDisk();
      const files = diskFiles('/files', disk.files);
      for (const path of ['one/two/found', 'one/c/other']) await files.write(path, '');
      // Nothing syncs that.
      await disk.files.rename('/files/one/two', '/files/one/b');
      await disk.files.rename('/files/one', '/files/a');
      await store(files);
      disk.recover('posix', () => 0);
      assert.equal(await files.read('a/b/found'), '');
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
    for (const code of ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM', 'EBADF'])
      await diskFiles('/home', failing(code)).write('a/b', '');
  });
});
