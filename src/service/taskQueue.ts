/** A queue of tasks in which the newest requests go first. */
import PQueue from 'p-queue';

/**
 * Runs a limited number of tasks at once. Of those that wait, the ones requested last go first; those requested in one
 * burst, such as the rows of a list, keep their order.
 */
export class TaskQueue {
  readonly #queue: PQueue;
  readonly #soon: (run: () => void) => unknown;
  #burst = 0;
  #isBurst = false;

  /** `soon` calls back when the current burst is over. */
  constructor(concurrency: number, soon: (run: () => void) => unknown) {
    this.#queue = new PQueue({ concurrency });
    this.#soon = soon;
  }

  /**
   * Resolves or rejects as the task does. Rejects with the signal's reason as soon as that is aborted; a task that still
   * waits then never starts.
   */
  add<T>(key: string, start: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#queue.add(start, { id: key, priority: this.#currentBurst(), ...(signal && { signal }) });
  }

  /** Requests a task again, which moves it to the front if it still waits. */
  urge(key: string): void {
    try {
      this.#queue.setPriority(key, this.#currentBurst());
    } catch (error) {
      // The queue knows no task that has started.
      if (!(error instanceof ReferenceError)) throw error;
    }
  }

  /** A priority above all earlier ones, the same for all requests of one burst. */
  #currentBurst(): number {
    if (!this.#isBurst) {
      this.#burst++;
      this.#isBurst = true;
      this.#soon(() => {
        this.#isBurst = false;
      });
    }
    return this.#burst;
  }
}
