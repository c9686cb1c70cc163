import assert from 'node:assert/strict';
import { systemClock } from '../../../src/service/clock.ts';
import { RateLimiter } from '../../../src/service/rateLimiter.ts';
import { heldClock } from '../clocks.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

const never = new AbortController().signal;

/** A rate limiter, and the times at which calls started. */
function heldRateLimiter(perSecond: number) {
  const { clock, pass, sleeping } = heldClock();
  const limiter = new RateLimiter(perSecond, clock);
  const turns: number[] = [];
  const ask = (count = 1, caller?: object) => {
    for (let turn = 0; turn < count; turn++) void limiter.acquire(caller, never).then(() => turns.push(clock.now()));
  };
  /** The number of calls allowed in a full second. */
  const rate = async () => {
    await pass(1000);
    const abort = new AbortController();
    let count = 0;
    for (let turn = 0; turn < 50; turn++) {
      limiter.acquire(undefined, abort.signal).then(
        () => count++,
        () => {},
      );
    }
    await settled();
    abort.abort();
    await pass(1000);
    return count;
  };
  return { clock, pass, sleeping, limiter, turns, ask, rate };
}

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
  it('starts any number of calls at once without a limit', async () => {
    const { ask, turns } = heldRateLimiter(Number.POSITIVE_INFINITY);
    ask(1000);
    await settled();
    assert.equal(turns.length, 1000);
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

describe('RateLimiter that slows down', () => {
  /** The times at which so many calls start after the service has requested these waits (milliseconds). */
  async function startsAfter(waits: (number | undefined)[], { count = 1, perSecond = 4 } = {}) {
    const { limiter, ask, pass, turns } = heldRateLimiter(perSecond);
    for (const wait of waits) limiter.slowDown(wait);
    ask(count);
    await pass(200_000);
    return turns;
  }

  it('blocks all calls for a second by default, and then allows half as many', async () => {
    assert.deepEqual(await startsAfter([undefined], { count: 6 }), [1000, 1000, 2000, 2000, 3000, 3000]);
  });

  it('blocks all calls for the time that the service requests, including waiting ones', async () => {
    const { limiter, ask, pass, turns } = heldRateLimiter(2);
    ask(3);
    await pass(500);
    limiter.slowDown(2500);
    await pass(10_000);
    assert.deepEqual(turns, [0, 0, 3000]);
  });

  it('blocks calls for at most a minute', async () => {
    for (const wait of [60_000, 60_001, 3_600_000, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(await startsAfter([wait]), [60_000], `wait ${wait}`);
    }
  });

  it('waits for the longest requested time, in any order', async () => {
    assert.deepEqual(await startsAfter([500, 4000, 1000]), [4000]);
    assert.deepEqual(await startsAfter([4000, 1000, 500]), [4000]);
  });

  it('counts calls that are refused together once, whatever the requested wait', async () => {
    for (const wait of [undefined, 0, 10, 5000]) {
      const { limiter, pass, rate } = heldRateLimiter(8);
      for (let refusal = 0; refusal < 8; refusal++) limiter.slowDown(wait);
      await pass(5000);
      assert.equal(await rate(), 4, `wait ${wait}`);
    }
  });

  it("doesn't count a refusal while calls are blocked", async () => {
    const { limiter, pass, rate } = heldRateLimiter(8);
    limiter.slowDown(5000);
    await pass(3000);
    limiter.slowDown();
    await pass(5000);
    assert.equal(await rate(), 4);
  });

  it('halves the rate again after a later refusal, down to one call a second', async () => {
    const { limiter, rate } = heldRateLimiter(10);
    const rates = [];
    for (let refusal = 0; refusal < 6; refusal++) {
      limiter.slowDown();
      rates.push(await rate());
    }
    assert.deepEqual(rates, [5, 2, 1, 1, 1, 1]);
    limiter.speedUp();
    assert.equal(await rate(), 2);
  });

  it('keeps the slower rate in any second', async () => {
    const { limiter, ask, pass, turns } = heldRateLimiter(4);
    for (let turn = 0; turn < 4; turn++) {
      ask();
      await pass(200);
    }
    limiter.slowDown(100);
    ask(4);
    await pass(10_000);
    assert.deepEqual(turns, [0, 200, 400, 600, 1400, 1600, 2400, 2600]);
  });

  it('blocks calls even without a limit', async () => {
    const starts = await startsAfter([300], { count: 20, perSecond: Number.POSITIVE_INFINITY });
    assert.deepEqual(starts, Array(20).fill(300));
  });
});

describe('RateLimiter that speeds up', () => {
  it('allows one more call a second after a full second of successful calls', async () => {
    const { limiter, rate } = heldRateLimiter(10);
    limiter.slowDown();
    for (let call = 0; call < 4; call++) limiter.speedUp();
    assert.equal(await rate(), 5);
    for (let call = 0; call < 2; call++) limiter.speedUp();
    assert.equal(await rate(), 6);
  });

  it('returns to its limit and never exceeds it', async () => {
    const { limiter, rate } = heldRateLimiter(4);
    for (let refusal = 0; refusal < 3; refusal++) {
      limiter.slowDown();
      await rate();
    }
    assert.equal(await rate(), 1);
    // A full second at each of 1, 2 and 3 calls a second, twice.
    for (let call = 0; call < 12; call++) limiter.speedUp();
    assert.equal(await rate(), 4);
    for (let call = 0; call < 1000; call++) limiter.speedUp();
    assert.equal(await rate(), 4);
    limiter.slowDown();
    assert.equal(await rate(), 2);
  });

  it("doesn't shorten a wait that the service requested", async () => {
    const { limiter, ask, pass, turns } = heldRateLimiter(4);
    limiter.slowDown(3000);
    for (let call = 0; call < 20; call++) limiter.speedUp();
    ask();
    await pass(5000);
    assert.deepEqual(turns, [3000]);
  });
});
