import type { Clock } from '../../../src/service/clock.ts';
import { settled } from '../deferred.ts';

interface Sleeper {
  until: number;
  wake(): void;
}

/** A clock that a test advances. */
export function heldClock() {
  let now = 0;
  const sleepers = new Set<Sleeper>();

  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      const end = (how: () => void) => () => {
        sleepers.delete(sleeper);
        signal.removeEventListener('abort', abort);
        how();
      };
      const abort = end(() => reject(signal.reason));
      const sleeper = { until: now + ms, wake: end(resolve) };
      signal.addEventListener('abort', abort);
      sleepers.add(sleeper);
    });

  /** Advances the time from one sleep's end to the next, and lets the effects of each happen at its time. */
  async function pass(ms: number): Promise<void> {
    const end = now + ms;
    for (;;) {
      await settled();
      const [next] = [...sleepers].sort((one, other) => one.until - other.until);
      if (!next || next.until > end) break;
      now = Math.max(now, next.until);
      next.wake();
    }
    now = end;
  }

  const clock: Clock = { now: () => now, sleep };
  return { clock, pass, sleeping: () => sleepers.size };
}
