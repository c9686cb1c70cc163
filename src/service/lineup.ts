/** Which task goes next, where not all may run at once. */

interface Waiting {
  /** In which burst of calls it was last asked for. */
  burst: number;
  start(): Promise<unknown>;
}

/**
 * Runs so many tasks at once. Of those that wait, the ones asked for last go first; those asked for in one go, such as
 * the rows of a list, keep their order.
 */
export class Lineup {
  readonly #most: number;
  readonly #soon: (run: () => void) => unknown;
  /** In the order in which they were last asked for. */
  readonly #waiting = new Map<string, Waiting>();
  #running = 0;
  #burst = 0;
  #isBurst = false;

  /** `soon` calls back when what is being done now is done. */
  constructor(most: number, soon: (run: () => void) => unknown) {
    this.#most = most;
    this.#soon = soon;
  }

  /** Starts a task as soon as there is a place for it; it has the place until its promise is settled. */
  add(key: string, start: Waiting['start']): void {
    this.#waiting.set(key, { burst: this.#currentBurst(), start });
    this.#startNext();
  }

  /** A task that still waits is asked for again. */
  urge(key: string): void {
    const waiting = this.#waiting.get(key);
    if (!waiting) return;
    this.#waiting.delete(key);
    this.add(key, waiting.start);
  }

  /** A task is not wanted any more: it does not start if it still waits. */
  drop(key: string): void {
    this.#waiting.delete(key);
  }

  #startNext(): void {
    while (this.#running < this.#most && this.#waiting.size > 0) {
      const [key, { start }] = [...this.#waiting].reduce((first, one) => (one[1].burst > first[1].burst ? one : first));
      this.#waiting.delete(key);
      this.#running++;
      const end = () => {
        this.#running--;
        this.#startNext();
      };
      start().then(end, end);
    }
  }

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
