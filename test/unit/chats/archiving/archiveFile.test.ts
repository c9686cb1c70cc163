import assert from 'node:assert/strict';
import {
  copyFileSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveFile } from '../../../../src/chats/archiving/archiveFile.ts';
import { filesInUseSync } from '../../../../src/platform/filesInUse.ts';
import { temporaryFolder } from '../../../host/temporary.ts';
import { CHAT, jsonsOf, messageOf } from '../archive/archives.ts';
import { replaceBuiltins, restoreBuiltins } from './testThreads.ts';

const failWith = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe('The file of the archive', () => {
  let folder: string;
  let path: string;
  let file: ReturnType<typeof archiveFile>;
  beforeEach(async () => {
    folder = await temporaryFolder('file');
    path = join(folder, 'archive.db');
    file = archiveFile(folder, 'archive.db');
    const archive = file.open();
    archive.addPage(archive.addChat(CHAT), jsonsOf([messageOf('a', 'secretword')]));
    archive.close();
  });
  afterEach(async () => {
    restoreBuiltins();
    await rm(folder, { recursive: true, force: true });
  });

  const messageCount = () => {
    const archive = file.open();
    const count = archive.chats()[0]?.messages;
    archive.close();
    return count;
  };

  /** A file with two chats, the second of which is only in its log. */
  function afterCrash() {
    const copy = join(folder, 'copy');
    const archive = file.open();
    archive.addChat({ ...CHAT, id: '100000002' });
    mkdirSync(copy);
    for (const part of ['', '-wal']) copyFileSync(path + part, join(copy, `archive.db${part}`));
    archive.close();
    return { folder: copy, file: archiveFile(copy, 'archive.db') };
  }

  it('is overwritten where it is, cut and removed', () => {
    const { size } = statSync(path);
    let cutBytes = Buffer.alloc(0);
    const cut = (opened: number) => {
      cutBytes = Buffer.alloc(fstatSync(opened).size);
      readSync(opened, cutBytes, 0, cutBytes.length, 0);
      ftruncateSync(opened);
    };
    replaceBuiltins({ 'node:fs': { ftruncateSync: cut } });
    const other = join(folder, 'opened by another window');
    linkSync(path, other);
    file.erase();
    assert.ok(cutBytes.equals(Buffer.alloc(size)));
    assert.equal(statSync(other).size, 0);
    rmSync(other);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is in a folder that only the user may read, with all folders above it', () => {
    const inner = join(folder, 'not', 'yet', 'there');
    archiveFile(inner, 'archive.db').open().close();
    // Windows has no such modes.
    if (process.platform !== 'win32') assert.equal(statSync(inner).mode & 0o777, 0o700);
  });

  it('has another version once it is written, and another identity once another one takes its place', () => {
    const before = { identity: file.identity(), version: file.version() };
    const archive = file.open();
    archive.addPage(
      archive.addChat(CHAT),
      jsonsOf(Array.from({ length: 500 }, (_, at) => messageOf(`m${at}`, 'more'))),
    );
    archive.close();
    assert.equal(file.identity(), before.identity);
    assert.notEqual(file.version(), before.version);
    file.setAside(join(folder, 'aside.db'));
    assert.equal(file.identity(), undefined);
    assert.equal(file.version(), undefined);
    file.open().close();
    assert.notEqual(file.identity(), before.identity);
  });

  it('is missing where there is no SQLite, and where there are no files', () => {
    for (const name of ['node:sqlite', 'node:fs']) {
      const { getBuiltinModule } = process;
      process.getBuiltinModule = ((asked: string) =>
        asked === name ? undefined : getBuiltinModule(asked)) as typeof getBuiltinModule;
      assert.throws(() => file.open(), { problem: 'unsupported' });
      restoreBuiltins();
    }
  });

  it('needs nothing to be put aside where it is not', () => {
    const none = archiveFile(folder, 'none.db');
    none.setAside(join(folder, 'aside.db'));
    none.erase();
    assert.deepEqual(readdirSync(folder), ['archive.db']);
  });

  it('is erased with the log that a crash has left', () => {
    const crashed = afterCrash();
    crashed.file.erase();
    assert.deepEqual(readdirSync(crashed.folder), []);
  });

  it('is removed where a full disk lets nothing be overwritten', () => {
    replaceBuiltins({ 'node:fs': { writeSync: failWith('ENOSPC') } });
    file.erase();
    assert.deepEqual(readdirSync(folder), []);
  });

  /** The same file on Windows, in virtual time: `during` is called while it is waited for. */
  const onWindows = (during: (passed: number) => void) => {
    let now = 0;
    const sleep = (ms: number) => {
      now += ms;
      during(now);
    };
    return archiveFile(folder, 'archive.db', filesInUseSync({ clock: { now: () => now, sleep }, onWindows: true }));
  };

  it('stays as it is where it cannot be moved, since another window keeps it open', () => {
    for (const code of ['EBUSY', 'EPERM']) {
      for (const move of ['erase', 'setAside'] as const) {
        let waited = 0;
        replaceBuiltins({ 'node:fs': { renameSync: failWith(code) } });
        const held = onWindows((passed) => {
          waited = passed;
        });
        assert.throws(() => held[move](join(folder, 'aside.db')), { problem: 'busy' });
        assert.ok(waited > 10_000, `${waited}`);
        restoreBuiltins();
        assert.equal(messageCount(), 1);
        assert.deepEqual(readdirSync(folder), ['archive.db']);
      }
    }
  });

  it('is reserved until another window has closed it, and then erased or put aside', () => {
    for (const move of ['erase', 'setAside'] as const) {
      const archive = file.open();
      archive.close();
      let isOpen = true;
      replaceBuiltins({
        'node:fs': {
          renameSync: (...names: [string, string]) => (isOpen ? failWith('EBUSY')() : renameSync(...names)),
        },
      });
      assert.equal(file.isReserved(), false);
      onWindows((passed) => {
        assert.ok(file.isReserved());
        isOpen = passed < 5_000;
      })[move](join(folder, 'aside.db'));
      assert.equal(file.isReserved(), false);
      assert.deepEqual(readdirSync(folder), move === 'erase' ? [] : ['aside.db']);
    }
  });

  it('is erased or put aside although another window has it open, which closes it soon', () => {
    for (const move of ['erase', 'setAside'] as const) {
      const archive = file.open();
      let now = 0;
      let isOpen = true;
      const close = () => {
        if (isOpen) archive.close();
        isOpen = false;
      };
      const clock = {
        now: () => now,
        sleep(ms: number) {
          now += ms;
          if (now > 5_000) close();
        },
      };
      // Windows itself refuses this before.
      archiveFile(folder, 'archive.db', filesInUseSync({ clock }))[move](join(folder, 'aside.db'));
      close();
      assert.ok(process.platform !== 'win32' || now > 5_000, `${now}`);
      assert.deepEqual(
        readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name)),
        move === 'erase' ? [] : ['aside.db'],
      );
    }
  });

  it("isn't reserved any more by a window that has died", () => {
    const reserved = `${path}.reserved`;
    writeFileSync(reserved, '');
    assert.ok(file.isReserved());
    // The clock may have been wrong.
    for (const long of ['2001-02-03', '2101-02-03'].map((day) => new Date(day))) {
      utimesSync(reserved, long, long);
      assert.equal(file.isReserved(), false);
    }
    assert.equal(messageCount(), 1);
    assert.deepEqual(readdirSync(folder), ['archive.db']);
  });

  it('is erased to its end by the next one to open the archive if that was interrupted', () => {
    replaceBuiltins({ 'node:fs': { rmSync: failWith('EIO') } });
    assert.throws(() => file.erase(), { code: 'EIO' });
    restoreBuiltins();
    assert.equal(messageCount(), undefined);
    assert.deepEqual(readdirSync(folder), ['archive.db']);
  });

  it('is put aside with the log that a crash has left', () => {
    const crashed = afterCrash();
    crashed.file.setAside(join(crashed.folder, 'aside.db'));
    const aside = archiveFile(crashed.folder, 'aside.db').open();
    assert.equal(aside.chats().length, 2);
    aside.close();
  });
});
