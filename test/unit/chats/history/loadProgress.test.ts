import assert from 'node:assert/strict';
import { loadEstimate } from '../../../../src/chats/history/loadProgress.ts';

describe('The estimated time of a load', () => {
  /** What an estimate says after each step: the milliseconds that have passed, and the time reached. */
  function estimates(goal: number | undefined, ...steps: [number, number | undefined][]) {
    let now = 5000;
    const estimate = loadEstimate(goal, { now: () => now });
    return steps.map(([elapsed, reached]) => {
      now = 5000 + elapsed;
      return estimate(reached);
    });
  }

  it('follows from the share of the time that is loaded', () => {
    const steps: [number, number][] = [
      [0, 1000],
      [4000, 900],
      [8000, 500],
      [9000, 200],
    ];
    assert.deepEqual(estimates(100, ...steps), [undefined, 32_000, 6400, 1125]);
  });

  it("isn't known in the first seconds", () => {
    assert.deepEqual(estimates(100, [0, 1000], [2999, 500]), [undefined, undefined]);
  });

  it("isn't known without a goal, a known time or progress", () => {
    assert.deepEqual(estimates(undefined, [0, 1000], [9000, 500]), [undefined, undefined]);
    assert.deepEqual(estimates(100, [0, undefined], [9000, undefined]), [undefined, undefined]);
    assert.deepEqual(estimates(100, [0, 1000], [9000, 1000]), [undefined, undefined]);
  });

  it("isn't known beyond the goal", () => {
    assert.deepEqual(estimates(600, [0, 1000], [9000, 600], [9999, 500]), [undefined, undefined, undefined]);
  });
});
