/** Long work in slices, between which the event loop has a turn: whatever an answer holds, nobody waits for all of it. */
import { ServiceError } from './errors.ts';

/** How long a slice lasts before a turn is due, in milliseconds. */
const SLICE = 8;

export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  #began = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** To be asked between pieces of work: {@link turn} is due. */
  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE;
  }

  /** Lets all others have their turn. Rejects with a ServiceError where the signal is aborted by then. */
  async turn(): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve));
    if (this.#signal?.aborted) throw new ServiceError({ kind: 'cancelled' });
    this.#began = performance.now();
  }

  /** Does something with each element of a list, in slices. */
  async each<T>(list: Iterable<T>, act: (one: T) => void): Promise<void> {
    for (const one of list) {
      act(one);
      if (this.isOver) await this.turn();
    }
  }
}
