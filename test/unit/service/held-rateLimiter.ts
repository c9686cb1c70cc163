import { RateLimiter } from '../../../src/service/rateLimiter.ts';
import { settled } from '../deferred.ts';
import { heldClock } from './held-clock.ts';

export const never = new AbortController().signal;

/** A pace, and the times of the turns that were taken of it. */
export function heldPace(perSecond: number) {
  const { clock, pass, sleeping } = heldClock();
  const pace = new RateLimiter(perSecond, clock);
  const turns: number[] = [];
  const ask = (count = 1, caller?: object) => {
    for (let turn = 0; turn < count; turn++) void pace.acquire(caller, never).then(() => turns.push(clock.now()));
  };
  /** How many turns can be taken in a second that begins now, after one in which none was. */
  const rate = async () => {
    await pass(1000);
    const abort = new AbortController();
    let count = 0;
    for (let turn = 0; turn < 50; turn++) {
      pace.acquire(undefined, abort.signal).then(
        () => count++,
        () => {},
      );
    }
    await settled();
    abort.abort();
    await pass(1000);
    return count;
  };
  return { clock, pass, sleeping, pace, turns, ask, rate };
}
