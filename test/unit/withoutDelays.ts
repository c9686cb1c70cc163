import { timers } from '../../src/service/clock.ts';

/**
 * In the tests of a suite, does in the next turn what the product puts off for up to a second, so that many changes have one
 * effect. What is longer is a deadline.
 */
export function withoutDelays(): void {
  const { after } = timers;
  beforeEach(() => {
    timers.after = (ms, run) => {
      if (ms > 1_000) return after(ms, run);
      const turn = setImmediate(run);
      return () => clearImmediate(turn);
    };
  });
  afterEach(() => {
    timers.after = after;
  });
}
