import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { ArchiveError, type ArchiveProblem } from '../../../../src/chats/archive/archiveError.ts';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import { heldClock } from '../../clocks.ts';
import { archiveInProcess } from '../archiving/archiveInProcess.ts';
import { CHAT, openArchive } from './archives.ts';

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
    [problem, opened, closed, identity, version] = [undefined, 0, 0, 'one', 1];
    const open = () => {
      opened++;
      onOpen?.();
      if (problem) throw new ArchiveError(problem);
      database = new DatabaseSync(':memory:');
      return new ArchiveDatabase({
        exec: (sql) => database.exec(sql),
        prepare: (sql) => database.prepare(sql),
        close() {
          closed++;
          database.close();
        },
      });
    };
    const file = {
      identity: () => identity,
      version: () => `${identity} ${version}`,
      isReserved: () => isReserved,
    };
    ({ archive } = archiveInProcess(open, file, clock.clock));
  });

  const failsWith = (expected: ArchiveProblem, call = () => archive.chats() as Promise<unknown>) =>
    assert.rejects(call, (error) => error instanceof ArchiveError && error.problem === expected);

  it('is opened once for all calls', async () => {
    await archive.addChat(CHAT);
    assert.equal((await archive.chats()).length, 1);
    assert.deepEqual([opened, closed], [1, 0]);
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
      [problem, version] = [undefined, 3];
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
      [problem, opened] = [passing, 0];
      await failsWith(passing);
      await failsWith(passing);
      assert.equal(opened, 2, passing);
    }
  });

  it('is closed and opened again if another file has taken its place', async () => {
    await archive.addChat(CHAT);
    identity = 'two';
    assert.deepEqual(await archive.chats(), []);
    assert.deepEqual([opened, closed], [2, 1]);
  });

  it('is closed when nobody has used it for a while, so that its file can be moved, and opened again when it is used', async () => {
    await archive.chats();
    await clock.pass(4_000);
    await archive.chats();
    await clock.pass(4_000);
    assert.deepEqual([opened, closed], [1, 0]);
    await clock.pass(2_000);
    assert.deepEqual([opened, closed], [1, 1]);
    await archive.chats();
    assert.deepEqual([opened, closed], [2, 1]);
  });

  it('is closed, and not opened again, while another window is about to move its file', async () => {
    await archive.chats();
    isReserved = true;
    await failsWith('busy');
    await failsWith('busy');
    assert.deepEqual([opened, closed], [1, 1]);
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
    assert.deepEqual([opened, closed], [1, 0]);
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
      assert.deepEqual([opened, closed], [1, 1]);
    });
  }

  it('is still known to be damaged when it is opened again', async () => {
    await archive.chats();
    database.exec('DROP TABLE kinds');
    await failsWith('damaged', () => archive.filters());
    await clock.pass(6_000);
    assert.deepEqual(await archive.chats(), []);
    assert.deepEqual([opened, await archive.isDamaged()], [2, true]);
  });

  it('is closed before its file is erased or put aside, and begins anew after that', async () => {
    for (const make of [() => archive.erase(), () => archive.setAside('aside.db')]) {
      [opened, closed] = [0, 0];
      await archive.addChat(CHAT);
      await make();
      assert.deepEqual([opened, closed], [1, 1]);
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
    [problem, version] = [undefined, 2];
    assert.deepEqual(await archive.chats(), []);
    assert.equal(await archive.isDamaged(), false);
  });

  it('stays open, and damaged, if a call finds damage', async () => {
    await archive.chats();
    database.exec('DROP TABLE kinds');
    await failsWith('damaged', () => archive.filters());
    assert.deepEqual(await archive.chats(), []);
    assert.equal(await archive.isDamaged(), true);
    assert.deepEqual([opened, closed], [1, 0]);
  });
});
