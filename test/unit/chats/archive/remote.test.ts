import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { ArchiveError, type ArchiveProblem } from '../../../../src/chats/archive/archiveError.ts';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import { heldClock } from '../../clocks.ts';
import { archiveInProcess } from '../archiving/archiveInProcess.ts';
import { CHAT, changedDatabase, openArchive } from './archives.ts';

describe('The archive in its thread', () => {
  /** The problem of opening the file as it is now. */
  let problem: ArchiveProblem | undefined;
  let database: DatabaseSync;
  let onOpen: (() => void) | undefined;
  let opened: number;
  let closed: number;
  let identity: string;
  let version: number;
  let isReserved: boolean;
  let clock: ReturnType<typeof heldClock>;
  let archive: RemoteArchive;

  beforeEach(() => {
    onOpen = undefined;
    isReserved = false;
    clock = heldClock();
    problem = undefined;
    opened = 0;
    closed = 0;
    identity = 'one';
    version = 1;
    const open = () => {
      opened++;
      onOpen?.();
      if (problem) throw new ArchiveError(problem);
      database = new DatabaseSync(':memory:');
      const counting = changedDatabase(database, {
        close() {
          closed++;
          database.close();
        },
      });
      return new ArchiveDatabase(counting);
    };
    const file = {
      identity: () => identity,
      version: () => `${identity} ${version}`,
      isReserved: () => isReserved,
    };
    ({ archive } = archiveInProcess(open, file, clock.clock));
  });

  /** Checks how often the archive was opened and closed. */
  const assertUses = (expected: { opened: number; closed: number }) => assert.deepEqual({ opened, closed }, expected);

  const failsWith = (expected: ArchiveProblem, call = () => archive.chats() as Promise<unknown>) =>
    assert.rejects(call, (error) => error instanceof ArchiveError && error.problem === expected);

  it('is opened once for all calls', async () => {
    await archive.addChat(CHAT);
    assert.equal((await archive.chats()).length, 1);
    assertUses({ opened: 1, closed: 0 });
  });

  for (const lasting of ['newer', 'damaged'] as const) {
    it(`is tried once as long as its file is ${lasting}, and again when that has changed`, async () => {
      problem = lasting;
      await failsWith(lasting);
      await failsWith(lasting, () => archive.size());
      assert.equal(opened, 1);
      version++;
      await failsWith(lasting);
      assert.equal(opened, 2);
      problem = undefined;
      version = 3;
      assert.deepEqual(await archive.chats(), []);
    });

    it(`is tried again if the user wants that, even if its file is ${lasting}`, async () => {
      problem = lasting;
      await failsWith(lasting);
      await archive.retry();
      assert.equal(opened, 1, 'it is opened only for a call');
      await failsWith(lasting);
      assert.equal(opened, 2);
    });
  }

  it('is tried again if the file was written while it was opened', async () => {
    problem = 'damaged';
    onOpen = () => version++;
    await failsWith('damaged');
    onOpen = undefined;
    await failsWith('damaged');
    assert.equal(opened, 2);
    await failsWith('damaged');
    assert.equal(opened, 2);
  });

  it('is tried at each call if what prevents it may pass without a change of the file', async () => {
    for (const passing of ['busy', 'full', 'denied', 'disk', 'failed'] as const) {
      problem = passing;
      opened = 0;
      await failsWith(passing);
      await failsWith(passing);
      assert.equal(opened, 2, passing);
    }
  });

  it('is closed and opened again if another file has taken its place', async () => {
    await archive.addChat(CHAT);
    identity = 'two';
    assert.deepEqual(await archive.chats(), []);
    assertUses({ opened: 2, closed: 1 });
  });

  it('is closed when nobody has used it for a while, so that its file can be moved, and opened again when it is used', async () => {
    await archive.chats();
    await clock.pass(4_000);
    await archive.chats();
    await clock.pass(4_000);
    assertUses({ opened: 1, closed: 0 });
    await clock.pass(2_000);
    assertUses({ opened: 1, closed: 1 });
    await archive.chats();
    assertUses({ opened: 2, closed: 1 });
  });

  it('is closed, and not opened again, while another window is about to move its file', async () => {
    await archive.chats();
    isReserved = true;
    await failsWith('busy');
    await failsWith('busy');
    assertUses({ opened: 1, closed: 1 });
    isReserved = false;
    assert.deepEqual(await archive.chats(), []);
    assert.equal(opened, 2);
  });

  it('stays open once it is frozen, however long a page of it takes to be written', async () => {
    await archive.addChat(CHAT);
    await archive.freeze();
    const [chat] = await archive.chats();
    await clock.pass(60_000);
    assert.deepEqual(await archive.chats(), [chat]);
    assertUses({ opened: 1, closed: 0 });
  });

  for (const [what, change] of [
    ['another file has taken its place', () => (identity = 'two')],
    ['another window is about to move its file', () => (isReserved = true)],
  ] as const) {
    it(`goes on with nothing else if ${what} while it is frozen`, async () => {
      const chat = await archive.addChat(CHAT);
      await archive.freeze();
      change();
      await failsWith('busy', () => archive.movedPage(chat));
      isReserved = false;
      await failsWith('busy', () => archive.movedPage(chat));
      assertUses({ opened: 1, closed: 1 });
    });
  }

  it('is still known to be damaged when it is opened again', async () => {
    await archive.chats();
    database.exec('DROP TABLE kinds');
    await failsWith('damaged', () => archive.filters());
    await clock.pass(6_000);
    assert.deepEqual(await archive.chats(), []);
    assert.equal(opened, 2);
    assert.equal(await archive.isDamaged(), true);
  });

  it('is closed before its file is erased or put aside, and begins anew after that', async () => {
    for (const make of [() => archive.erase(), () => archive.setAside('aside.db')]) {
      opened = 0;
      closed = 0;
      await archive.addChat(CHAT);
      await make();
      assertUses({ opened: 1, closed: 1 });
      assert.deepEqual(await archive.chats(), []);
      assert.equal(opened, 2);
      await archive.erase();
    }
  });

  it('is opened again after its file could not be erased', async () => {
    const broken = archiveInProcess(openArchive, {
      erase() {
        throw Object.assign(new Error('busy'), { code: 'EBUSY' });
      },
    });
    await failsWith('busy', () => broken.archive.erase());
    assert.deepEqual(await broken.archive.chats(), []);
  });

  it('knows that its file is damaged until another one takes its place', async () => {
    assert.equal(await archive.isDamaged(), false);
    problem = 'damaged';
    await failsWith('damaged');
    assert.equal(await archive.isDamaged(), true);
    identity = 'two';
    assert.equal(await archive.isDamaged(), false);
    await failsWith('damaged');
    // A file system may call a new file the same.
    problem = undefined;
    version = 2;
    assert.deepEqual(await archive.chats(), []);
    assert.equal(await archive.isDamaged(), false);
  });

  it('stays open, and damaged, if a call finds damage', async () => {
    await archive.chats();
    database.exec('DROP TABLE kinds');
    await failsWith('damaged', () => archive.filters());
    assert.deepEqual(await archive.chats(), []);
    assert.equal(await archive.isDamaged(), true);
    assertUses({ opened: 1, closed: 0 });
  });

  it('names its file if that is denied, and says what else went wrong', async () => {
    problem = 'denied';
    await assert.rejects(archive.chats(), { name: 'ArchiveError', message: 'archive: denied: archive.db' });
    problem = 'full';
    await assert.rejects(archive.chats(), { name: 'ArchiveError', message: 'archive: full' });
  });

  it('is put aside under the path that is given', async () => {
    const paths: string[] = [];
    const moved = archiveInProcess(openArchive, { setAside: (path) => paths.push(path) });
    await moved.archive.setAside('aside.db');
    assert.deepEqual(paths, ['aside.db']);
  });

  it('answers each call with its own result, also when several wait, and none once its thread has ended', async () => {
    const one = archiveInProcess();
    const chat = await one.archive.addChat(CHAT);
    assert.deepEqual(await Promise.all([one.archive.numberOf(CHAT), one.archive.hasRemovals()]), [chat, false]);
    const waiting = [one.archive.chats(), one.archive.size()];
    one.caller.fail(new ArchiveError('failed', 'the thread has ended'));
    for (const call of waiting) await assert.rejects(call, { problem: 'failed', message: 'the thread has ended' });
    // Awaiting the archive itself is no call.
    assert.equal(await one.archive, one.archive);
  });
});
