import assert from 'node:assert/strict';
import { Reconnection } from '../../../src/sidebar/reconnection.ts';
import { heldClock } from '../clocks.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

/** Tries during an outage that has just begun: each fails after a second. */
function duringOutage() {
  const { clock, pass, sleeping } = heldClock();
  /** When the service was called, in seconds. */
  const calls: number[] = [];
  let hidden: Deferred<void> | undefined;
  const reconnection = new Reconnection(
    {
      callOnce: async (signal) => {
        calls.push(clock.now() / 1000);
        await clock.sleep(1000, signal);
        throw new Error('no network');
      },
      whenVisible: async () => hidden?.promise,
    },
    clock,
  );
  reconnection.start();
  const hide = () => {
    hidden = deferred();
  };
  const show = async () => {
    hidden?.resolve();
    await settled();
  };
  return { reconnection, calls, pass: (seconds: number) => pass(seconds * 1000), sleeping, hide, show };
}

describe('During an outage, the service', () => {
  it('is called after 5 seconds, then after twice as long each time, up to 5 minutes', async () => {
    const { calls, pass } = duringOutage();
    await pass(4);
    assert.deepEqual(calls, []);
    await pass(1300);
    const waits = calls.map((time, at) => time - (at === 0 ? 0 : 1 + (calls[at - 1] ?? 0)));
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it("isn't called while the result can't be seen, but then at once", async () => {
    const { calls, pass, hide, show } = duringOutage();
    hide();
    await pass(100);
    assert.deepEqual(calls, []);
    await show();
    assert.deepEqual(calls, [100]);
  });

  it('is no longer called after an answer, and from the shortest wait on in the next outage', async () => {
    const { reconnection, calls, pass, sleeping } = duringOutage();
    await pass(60);
    reconnection.stop();
    assert.deepEqual([reconnection.isRunning, sleeping()], [false, 0]);
    calls.splice(0);
    await pass(1000);
    reconnection.start();
    reconnection.start();
    assert.equal(reconnection.isRunning, true);
    await pass(5);
    assert.deepEqual(calls, [1065]);
  });
});
