import { type Clock, systemClock } from './clock.ts';
import { ServiceError } from './errors.ts';

/** Length of a slice in milliseconds. */
const SLICE = 8;

/** Splits long work into slices: nothing in a response may block the extension host for more than 50 ms. */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  readonly #clock: Clock;
  #startedAt: number;

  constructor(signal?: AbortSignal, clock = systemClock) {
    this.#signal = signal;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Whether {@link pause} is due. Check it between steps of the work. */
  get isOver(): boolean {
    return this.#clock.now() - this.#startedAt >= SLICE;
  }

  /** Yields to the event loop. Rejects with a ServiceError if the signal has been aborted. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.after(0, resolve));
    if (this.#signal?.aborted) throw new ServiceError({ kind: 'cancelled' });
    this.#startedAt = this.#clock.now();
  }

  /** Calls `act` with each element of a list, in slices. */
  async each<T>(list: Iterable<T>, act: (element: T) => void): Promise<void> {
    for (const element of list) {
      act(element);
      if (this.isOver) await this.pause();
    }
  }
}
