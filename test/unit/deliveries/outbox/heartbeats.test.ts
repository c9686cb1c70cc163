import assert from 'node:assert/strict';
import { Heartbeats } from '../../../../src/deliveries/outbox/heartbeats.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { memoryFiles } from '../../../prove/memoryDisk.ts';
import { heldClock } from '../../clocks.ts';
import { deferred, settled } from '../../deferred.ts';
import { dieSending, idOf } from './testDeliveries.ts';

const [ID, OTHER] = [idOf('one'), idOf('other')];

describe('The heartbeats of windows that send', () => {
  let files: DurableFiles;
  let held: ReturnType<typeof heldClock>;
  /** How often one was written. */
  let beats: number;
  const window = () => new Heartbeats(files, held.clock);
  /** A window that has died after one heartbeat. */
  const die = (id = ID) => dieSending(id, files, held.clock.wall());
  const known = async () => [await window().isAlive(ID), await window().silent()];

  beforeEach(() => {
    files = memoryFiles();
    held = heldClock();
    beats = 0;
    const { write } = files;
    files.write = (...args) => {
      beats++;
      return write.apply(files, args);
    };
  });

  it('say that a delivery is being sent, and was interrupted once there was none for 12 seconds', async () => {
    await die();
    await held.pass(11_999);
    assert.deepEqual(await known(), [true, []]);
    await held.pass(1);
    assert.deepEqual(await known(), [false, [ID]]);
    await window().clearSilent(OTHER);
    assert.deepEqual([await window().silent(), await window().any()], [[ID], true]);
    await window().clearSilent(ID);
    assert.deepEqual([await window().silent(), await window().any()], [[], false]);
  });

  it('come every 3 seconds until the delivery ends, and are gone then', async () => {
    const end = await window().start(ID);
    for (let seconds = 0; seconds < 30; seconds += 3) {
      await held.pass(2_999);
      assert.equal(beats, 1 + seconds / 3);
      await held.pass(1);
    }
    assert.deepEqual(await known(), [true, []]);
    await end();
    await held.pass(30_000);
    assert.deepEqual([beats, await window().any(), held.sleeping()], [11, false, 0]);
  });

  it('stay after an interruption, which is reported until the delivery was resumed', async () => {
    const end = await window().start(ID);
    await end(true);
    await held.pass(30_000);
    assert.deepEqual([beats, ...(await known())], [1, false, [ID]]);
    const endAgain = await window().start(ID);
    assert.deepEqual(await known(), [true, []]);
    await endAgain();
    assert.equal(await window().any(), false);
  });

  it('tell windows apart: one that goes on is known while another clears away, or gives up', async () => {
    await die();
    await held.pass(12_000);
    const ends = [await window().start(ID), await window().start(ID)];
    await window().clearSilent(ID);
    assert.deepEqual(await known(), [true, []]);
    await ends[0]?.();
    assert.deepEqual(await known(), [true, []]);
    await ends[1]?.();
    assert.equal(await window().any(), false);
  });

  it('are those of one delivery, and all of them go when it is deleted', async () => {
    await die();
    await die(OTHER);
    await window().clear(ID);
    assert.deepEqual([await window().isAlive(ID), await window().isAlive(OTHER)], [false, true]);
    await assert.rejects(window().start('../escape'), /no delivery/);
  });

  it('go on after one that could not be written, and none overtakes one that waits for its file', async () => {
    const end = await window().start(ID);
    const { write } = files;
    files.write = () => Promise.reject(new Error('in use'));
    await held.pass(3_000);
    const isFree = deferred<void>();
    let signal: AbortSignal | undefined;
    files.write = async (...args) => {
      beats++;
      signal = args[2];
      await isFree.promise;
      await write.apply(files, args);
    };
    await held.pass(9_000);
    let hasEnded = false;
    const ending = end().then(() => (hasEnded = true));
    await settled();
    assert.deepEqual([beats, signal?.aborted, hasEnded], [2, true, false]);
    isFree.resolve();
    await ending;
    assert.equal(await window().any(), false);
  });

  it('count as none if they can’t be read, are from a clock that was ahead, or have other names', async () => {
    const name = `running/${ID}-00000000`;
    const aliveWith = async (text: string) => {
      await files.write(name, text);
      return window().isAlive(ID);
    };
    const alive: boolean[] = [];
    for (const text of ['{"at":11999}', '{"at":12000}', 'damaged', '{"at":"1"}']) alive.push(await aliveWith(text));
    assert.deepEqual(alive, [true, false, false, false]);
    files.read = () => Promise.reject(new Error('EIO'));
    assert.deepEqual(await known(), [false, [ID]]);
    await files.remove(name);
    for (const other of [`${ID}-0000000`, `x${ID}-00000000`, `${ID}-00000000.tmp`])
      await files.write(`running/${other}`, '');
    assert.equal(await window().any(), false);
  });
});
