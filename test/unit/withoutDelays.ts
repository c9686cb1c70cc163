import { mock } from 'node:test';
import { timers } from '../../src/service/clock.ts';

/**
 * Does in the next turn what the product puts off for up to a second, so that many changes have one effect. What is longer
 * is a deadline. Returns what restores the clock.
 */
export function withoutDelays(): () => void {
  const { after } = timers;
  const replaced = mock.method(timers, 'after', (ms: number, run: () => void) => {
    if (ms > 1_000) return after(ms, run);
    const turn = setImmediate(run);
    return () => clearImmediate(turn);
  });
  return () => replaced.mock.restore();
}
