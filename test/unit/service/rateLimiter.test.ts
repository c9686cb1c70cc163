import assert from 'node:assert/strict';
import { systemClock } from '../../../src/service/clock.ts';
import { RateLimiter } from '../../../src/service/rateLimiter.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';
import { heldRateLimiter, never } from './held-rateLimiter.ts';

/** A limiter of one call a second, whose time and first sleep a test controls. */
function byHand() {
  const clock = { now: 0 };
  const sleeps: Deferred<void>[] = [];
  const sleep = () => {
    const sleeping = deferred<void>();
    sleeps.push(sleeping);
    return sleeping.promise;
  };
  const limiter = new RateLimiter(1, { ...systemClock, now: () => clock.now, sleep });
  return { clock, limiter, wake: () => sleeps[0]?.resolve() };
}

describe('RateLimiter', () => {
  it('starts calls up to its limit at once, and each further one a second after an earlier one', async () => {
    const { ask, pass, turns } = heldRateLimiter(3);
    ask(2);
    await pass(400);
    ask(6);
    await pass(5000);
    assert.deepEqual(turns, [0, 0, 400, 1000, 1000, 1400, 2000, 2000]);
  });

  it('starts any number of calls at once without a limit', async () => {
    const { ask, turns } = heldRateLimiter(Number.POSITIVE_INFINITY);
    ask(1000);
    await settled();
    assert.equal(turns.length, 1000);
  });

  it('removes a waiting call that is canceled', async () => {
    const { limiter, ask, pass, turns, sleeping } = heldRateLimiter(1);
    ask();
    const aborts = [new AbortController(), new AbortController(), new AbortController()];
    const ended = aborts.map(({ signal }) => limiter.acquire({}, signal).catch((error: unknown) => error));
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

  it('cleans up a call that is canceled just as it starts', async () => {
    for (let ticks = 0; ticks < 10; ticks++) {
      const { clock, limiter, wake } = byHand();
      const abort = new AbortController();
      await limiter.acquire(undefined, never);
      const taken = limiter.acquire({}, abort.signal).then(
        () => true,
        () => false,
      );
      clock.now = 1000;
      wake();
      for (let tick = 0; tick < ticks; tick++) await undefined;
      abort.abort();
      if (await taken) continue;
      const next = limiter.acquire({}, never).then(() => 'free');
      assert.equal(await Promise.race([next, settled()]), 'free', `cancelled after ${ticks} ticks`);
    }
  });

  it('prefers a waiting call to a new one', async () => {
    const { clock, limiter, wake } = byHand();
    const order: string[] = [];
    await limiter.acquire({}, never);
    void limiter.acquire({}, never).then(() => order.push('waited'));
    clock.now = 1000;
    void limiter.acquire({}, never).then(() => order.push('came'));
    await settled();
    assert.deepEqual(order, []);
    wake();
    await settled();
    assert.deepEqual(order, ['waited']);
  });

  it("doesn't wake up when all waiting calls are canceled", async () => {
    const { limiter, ask, pass, sleeping } = heldRateLimiter(1);
    ask();
    const abort = new AbortController();
    for (let turn = 0; turn < 5; turn++) limiter.acquire(undefined, abort.signal).catch(() => {});
    await settled();
    abort.abort();
    await settled();
    assert.equal(sleeping(), 0);
    await pass(1000);
    assert.equal(sleeping(), 0);
  });

  it('rejects a call that was canceled before it had to wait', async () => {
    const { limiter, ask, pass, turns } = heldRateLimiter(1);
    ask();
    const signal = AbortSignal.abort();
    await assert.rejects(limiter.acquire(undefined, signal), (error) => error === signal.reason);
    ask();
    await pass(5000);
    assert.deepEqual(turns, [0, 1000]);
  });
});
