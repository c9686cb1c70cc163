import assert from 'node:assert/strict';
import { TimeSlices } from '../../../src/service/timeSlices.ts';
import { heldClock } from '../clocks.ts';
import { failureOf } from './answering.ts';

describe('Long work', () => {
  /** Work in slices, each step of which takes 3 milliseconds, and what was done when others got their turn. */
  function working(signal?: AbortSignal) {
    const { clock, pass } = heldClock();
    let now = 0;
    const pauses: string[] = [];
    let done = '';
    const after = (ms: number, run: () => void) => {
      pauses.push(done);
      return clock.after(ms, run);
    };
    const slices = new TimeSlices(signal, { ...clock, now: () => now, after });
    const ended = slices.each('abcdefgh', (step) => {
      done += step;
      now += 3;
    });
    return { ended, pass, pauses };
  }

  it('lets others have a turn every 8 milliseconds', async () => {
    const { ended, pass, pauses } = working();
    await pass(0);
    await ended;
    assert.deepEqual(pauses, ['abc', 'abcdef']);
  });

  it('ends in its next pause once it is canceled', async () => {
    const abort = new AbortController();
    const { ended, pass, pauses } = working(abort.signal);
    const failure = failureOf(ended);
    abort.abort();
    await pass(0);
    assert.deepEqual([await failure, pauses], [{ kind: 'cancelled' }, ['abc']]);
  });
});
