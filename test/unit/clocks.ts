import { type Clock, systemClock, timers } from '../../src/service/clock.ts';
import { settled } from './deferred.ts';

/** Sleeps by the timers of a clock. */
export function sleepBy(after: Clock['after'], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = after(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** A clock that a test advances. */
export function heldClock() {
  let now = 0;
  const waiting = new Set<{ at: number; run: () => void }>();

  const after = (ms: number, run: () => void) => {
    const one = { at: now + ms, run };
    waiting.add(one);
    return () => void waiting.delete(one);
  };

  /** Advances the time from what happens next to the one after, and lets the effects of each happen at its time. */
  async function pass(ms: number): Promise<void> {
    const end = now + ms;
    for (;;) {
      await settled();
      const [next] = [...waiting].sort((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      now = Math.max(now, next.at);
      waiting.delete(next);
      next.run();
    }
    now = end;
  }

  const clock: Clock = { now: () => now, wall: () => now, sleep: (...args) => sleepBy(after, ...args), after };
  return { clock, pass, sleeping: () => waiting.size };
}

/** A clock that only sleeps advance. They end at once. It shows the system's time by default (Unix milliseconds). */
export function instantClock(wall: () => number = systemClock.wall): Clock {
  let now = 0;
  return {
    ...clockAt(wall),
    now: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      now += ms;
    },
  };
}

/** The system's clock, but it shows another time (Unix milliseconds). */
export const clockAt = (wall: () => number): Clock => ({ ...systemClock, wall });

/** In the tests of a suite, the system's clock stands still at a time (Unix milliseconds) until a test sets another one. */
export function useWallClock(start: number): { now: number } {
  const clock = { now: start };
  const { wall } = systemClock;
  beforeEach(() => {
    clock.now = start;
    systemClock.wall = () => clock.now;
  });
  afterEach(() => {
    systemClock.wall = wall;
  });
  return clock;
}

/** Holds what the product puts off, in scope; only pauses in its work pass. */
export function holdTimers() {
  const { after } = timers;
  const waiting = new Set<() => void>();
  timers.after = (ms, run) => {
    if (ms === 0) return after(ms, run);
    waiting.add(run);
    return () => void waiting.delete(run);
  };
  return {
    waiting,
    [Symbol.dispose]() {
      timers.after = after;
    },
  };
}
