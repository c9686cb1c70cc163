import assert from 'node:assert/strict';
import { RateLimiter } from '../../../src/service/rateLimiter.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';
import { heldPace, never } from './held-rateLimiter.ts';

/** A pace of one turn a second, whose time and whose first sleep a test ends by itself. */
function byHand() {
  const clock = { now: 0 };
  const sleeps: Deferred<void>[] = [];
  const sleep = () => {
    const sleeping = deferred<void>();
    sleeps.push(sleeping);
    return sleeping.promise;
  };
  const pace = new RateLimiter(1, { now: () => clock.now, sleep });
  return { clock, pace, wake: () => sleeps[0]?.resolve() };
}

describe('Pace', () => {
  it('gives as many turns at once as its limit is, and each further one a second after another', async () => {
    const { ask, pass, turns } = heldPace(3);
    ask(2);
    await pass(400);
    ask(6);
    await pass(5000);
    assert.deepEqual(turns, [0, 0, 400, 1000, 1000, 1400, 2000, 2000]);
  });

  it('gives any number of turns at once where there is no limit', async () => {
    const { ask, turns } = heldPace(Number.POSITIVE_INFINITY);
    ask(1000);
    await settled();
    assert.equal(turns.length, 1000);
  });

  it('has no place for a turn that is cancelled while it waits, first or not', async () => {
    const { pace, ask, pass, turns, sleeping } = heldPace(1);
    ask();
    const aborts = [new AbortController(), new AbortController(), new AbortController()];
    const ended = aborts.map(({ signal }) => pace.acquire({}, signal).catch((error: unknown) => error));
    ask();
    await pass(300);
    for (const abort of aborts) {
      abort.abort();
      await settled();
    }
    for (const [number, end] of ended.entries()) assert.equal(await end, aborts[number]?.signal.reason);
    await pass(5000);
    assert.deepEqual(turns, [0, 1000]);
    assert.equal(sleeping(), 0);
  });

  it('has nothing left of a turn that is cancelled just as it comes', async () => {
    for (let ticks = 0; ticks < 10; ticks++) {
      const { clock, pace, wake } = byHand();
      const abort = new AbortController();
      await pace.acquire(undefined, never);
      const taken = pace.acquire({}, abort.signal).then(
        () => true,
        () => false,
      );
      clock.now = 1000;
      wake();
      for (let tick = 0; tick < ticks; tick++) await undefined;
      abort.abort();
      if (await taken) continue;
      const next = pace.acquire({}, never).then(() => 'free');
      assert.equal(await Promise.race([next, settled()]), 'free', `cancelled after ${ticks} ticks`);
    }
  });

  it('gives a turn that comes free to who waits, not to who comes just then', async () => {
    const { clock, pace, wake } = byHand();
    const order: string[] = [];
    await pace.acquire({}, never);
    void pace.acquire({}, never).then(() => order.push('waited'));
    clock.now = 1000;
    void pace.acquire({}, never).then(() => order.push('came'));
    await settled();
    assert.deepEqual(order, []);
    wake();
    await settled();
    assert.deepEqual(order, ['waited']);
  });

  it('wakes nobody when all have left', async () => {
    const { pace, ask, pass, sleeping } = heldPace(1);
    ask();
    const abort = new AbortController();
    for (let turn = 0; turn < 5; turn++) pace.acquire(undefined, abort.signal).catch(() => {});
    await settled();
    abort.abort();
    await settled();
    assert.equal(sleeping(), 0);
    await pass(1000);
    assert.equal(sleeping(), 0);
  });

  it('rejects a turn that was cancelled before it was asked for, where it has to wait', async () => {
    const { pace, ask, pass, turns } = heldPace(1);
    ask();
    const signal = AbortSignal.abort();
    await assert.rejects(pace.acquire(undefined, signal), (error) => error === signal.reason);
    ask();
    await pass(5000);
    assert.deepEqual(turns, [0, 1000]);
  });
});
