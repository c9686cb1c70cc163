import { RateLimiter } from '../../../src/service/rateLimiter.ts';
import { heldClock } from '../clocks.ts';
import { settled } from '../deferred.ts';

export const never = new AbortController().signal;

/** A rate limiter, and the times at which calls started. */
export function heldRateLimiter(perSecond: number) {
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
