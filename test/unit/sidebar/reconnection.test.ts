import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/errors.ts';
import { Reconnection } from '../../../src/sidebar/reconnection.ts';
import { heldClock } from '../clocks.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

const OUTAGE = new ServiceError({ kind: 'timedOut', after: 1 });

/** Tries during an outage that has just begun: each fails after a second. */
function duringOutage() {
  const { clock, pass, sleeping } = heldClock();
  /** When the service was called, in seconds. */
  const calls: number[] = [];
  let hidden: Deferred<void> | undefined;
  let failure = OUTAGE;
  let ended = 0;
  const reconnection = new Reconnection(
    {
      unreachedRow: () => ({ type: 'chat', kind: 'group', id: '518204736' }),
      lookUp: async (_, signal) => {
        calls.push(clock.now() / 1000);
        await clock.sleep(1000, signal);
        throw failure;
      },
      whenVisible: async () => hidden?.promise,
      ended: () => ended++,
    },
    clock,
  );
  reconnection.lookupFailed(OUTAGE);
  const hide = () => {
    hidden = deferred();
  };
  const show = async () => {
    hidden?.resolve();
    await settled();
  };
  const refuse = () => {
    failure = new ServiceError({ kind: 'notFound', what: 'group', id: '518204736' });
  };
  return {
    reconnection,
    calls,
    sleeping,
    hide,
    show,
    refuse,
    pass: (seconds: number) => pass(seconds * 1000),
    ended: () => ended,
  };
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
    const { reconnection, calls, pass, sleeping, ended } = duringOutage();
    await pass(60);
    reconnection.answered();
    assert.deepEqual([ended(), sleeping()], [1, 0]);
    calls.splice(0);
    await pass(1000);
    reconnection.lookupFailed(OUTAGE);
    reconnection.lookupFailed(OUTAGE);
    await pass(5);
    assert.deepEqual([calls, ended()], [[1065], 1]);
  });

  it('counts as answering when it refuses a lookup', async () => {
    const { pass, sleeping, refuse, ended } = duringOutage();
    refuse();
    await pass(6);
    assert.deepEqual([ended(), sleeping()], [1, 0]);
  });
});
