/** Tells time that passed from time that the clock skipped: it was set, or the computer slept. */
import type { Clock } from '../../service/clock.ts';

/** A time at which the clock was read. */
export interface Reading {
  /** Unix milliseconds. */
  readonly now: number;
  /** How far the wall clock is ahead of the time that passed, compared to other readings (milliseconds). */
  readonly ahead: number;
}

/** By how much more the wall clock may advance than time passed (milliseconds): clocks are adjusted while they run. */
export const TOLERANCE = 60_000;

/** If it isn't read for longer than this (milliseconds), the computer slept, or was as good as asleep. */
const MAX_GAP = 90_000;

export class WatchedClock {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  #last: number;
  /** Milliseconds that passed while the clock was watched. */
  #passed = 0;

  /** It has to be read at least every {@link MAX_GAP} from now on. */
  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
    this.#last = clock.now();
  }

  read(): Reading {
    const last = this.#last;
    this.#last = this.#clock.now();
    this.#passed += Math.min(this.#last - last, MAX_GAP);
    const now = this.#clock.wall();
    return { now, ahead: now - this.#passed };
  }
}
