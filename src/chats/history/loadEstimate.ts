/** Estimates how long a history still takes to load, from how far it has come. */
import { type Clock, systemClock } from '../../service/clock.ts';

/** An estimate after a shorter time (ms) would be a guess. */
const MIN_ELAPSED = 3_000;

export class LoadEstimate {
  readonly #goal: number | undefined;
  readonly #now: () => number;
  #start: { readonly reached: number; readonly at: number } | undefined;

  /** `goal` is the time (Unix ms) back to which messages are loaded, if known;  */
  constructor(goal: number | undefined, { now }: Pick<Clock, 'now'> = systemClock) {
    this.#goal = goal;
    this.#now = now;
  }

  /** The milliseconds left when all messages since `reached` (Unix ms) are loaded; undefined if they can't be estimated. */
  update(reached: number | undefined): number | undefined {
    if (this.#goal === undefined || reached === undefined) return undefined;
    this.#start ??= { reached, at: this.#now() };
    const covered = this.#start.reached - reached;
    const elapsed = this.#now() - this.#start.at;
    if (elapsed < MIN_ELAPSED || covered <= 0 || reached <= this.#goal) return undefined;
    return (elapsed * (reached - this.#goal)) / covered;
  }
}
