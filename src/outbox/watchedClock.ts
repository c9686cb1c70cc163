/** Tells time that passed from time that the clock skipped: it was set, or the computer slept. */

/** The clocks of a computer. */
export interface Clocks {
  /** The time that users see, in Unix milliseconds. It may be set. */
  wall(): number;
  /** Milliseconds since any moment, which only grow. On some systems, they also count while the computer sleeps. */
  steady(): number;
}

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
  readonly #clocks: Clocks;
  #lastSteady: number;
  /** Milliseconds that passed while the clock was watched. */
  #passed = 0;

  /** It has to be read at least every {@link MAX_GAP} from now on. */
  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#lastSteady = clocks.steady();
  }

  read(): Reading {
    const steady = this.#clocks.steady();
    this.#passed += Math.min(steady - this.#lastSteady, MAX_GAP);
    this.#lastSteady = steady;
    const now = this.#clocks.wall();
    return { now, ahead: now - this.#passed };
  }
}
