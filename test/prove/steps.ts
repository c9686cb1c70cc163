/** What a window does, step by step: a proof says when each step is done. */
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { type Deferred, deferred } from '../unit/deferred.ts';

/** The same files, but `around` decides when each operation runs. */
export function aroundFiles(
  files: DurableFiles,
  around: (operation: () => Promise<unknown>) => Promise<unknown>,
): DurableFiles {
  const operations = Object.entries(files).map(([name, operation]) => [
    name,
    (...args: [string, string]) => around(() => operation(...args)),
  ]);
  return Object.fromEntries(operations) as DurableFiles;
}

/** Runs an operation when the proof gives its window a turn. */
export type Turn = <T>(operation: () => Promise<T>) => Promise<T>;

export class SteppedWindow {
  steps = 0;
  isDone = false;
  /** Begin the next operations; there can be several at once. */
  readonly #pending: (() => void)[] = [];
  /** Number of operations under way. */
  #running = 0;
  /** Resolves at the next change of the fields above. */
  #changed: Deferred<void> = deferred();

  /** Every operation that `act` runs through its argument is a step. */
  constructor(act: (turn: Turn) => Promise<unknown>) {
    const turn: Turn = async (operation) => {
      const { promise, resolve } = deferred<void>();
      this.#pending.push(() => resolve());
      this.#change();
      await promise;
      try {
        return await operation();
      } finally {
        this.#running--;
        this.#change();
      }
    };
    void act(turn)
      // Errors are expected; only what was sent counts.
      .catch(() => {})
      .finally(() => {
        this.isDone = true;
        this.#change();
      });
  }

  /** Runs this many steps, or until the action is done. */
  async run(steps = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#settle();
    for (let left = steps; left > 0 && !this.isDone; left--) {
      this.steps++;
      this.#running++;
      this.#pending.shift()?.();
      await this.#settle();
    }
  }

  /** Waits until no step is under way and the next one is pending, or the action is done. */
  async #settle(): Promise<void> {
    while (true) {
      const { promise } = this.#changed;
      // An operation that has ended may lead to the next one.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.isDone || (this.#running === 0 && this.#pending.length > 0)) return;
      await promise;
    }
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = deferred();
  }
}
