import PQueue from 'p-queue';

/**
 * Runs a limited number of tasks at a time, last requested first. Tasks requested in one burst, such as the rows of a
 * list, keep their order.
 */
export class TaskQueue {
  readonly #queue: PQueue;
  readonly #defer: (run: () => void) => unknown;
  #burst = 0;
  #isBurst = false;

  /** `defer` calls back when the current burst is over. */
  constructor(concurrency: number, defer: (run: () => void) => unknown) {
    this.#queue = new PQueue({ concurrency });
    this.#defer = defer;
  }

  /**
   * Resolves or rejects as the task does. Rejects with the signal's reason as soon as it aborts; a waiting task is then
   * removed.
   */
  add<T>(key: string, start: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#queue.add(start, { id: key, priority: this.#currentBurst(), ...(signal && { signal }) });
  }

  /** Moves a waiting task to the front. */
  prioritize(key: string): void {
    try {
      this.#queue.setPriority(key, this.#currentBurst());
    } catch (error) {
      // The queue doesn't know tasks that have started.
      if (!(error instanceof ReferenceError)) throw error;
    }
  }

  /** One higher than in the previous burst. */
  #currentBurst(): number {
    if (!this.#isBurst) {
      this.#burst++;
      this.#isBurst = true;
      this.#defer(() => {
        this.#isBurst = false;
      });
    }
    return this.#burst;
  }
}

/** Runs tasks one at a time, in order. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  readonly #shared = new Map<string, Promise<void>>();

  /** Runs a task after all earlier ones have settled. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result;
    return result;
  }

  /** Like `run`, but shares a task of the same name that has not begun, or is not `done`. */
  share(name: string, until: 'begun' | 'done', task: () => Promise<void>): Promise<void> {
    const shared = this.#shared.get(name);
    if (shared) return shared;
    const forget = () => this.#shared.delete(name);
    const asked = this.run(async () => {
      if (until === 'begun') forget();
      try {
        await task();
      } finally {
        if (until === 'done') forget();
      }
    });
    this.#shared.set(name, asked);
    return asked;
  }
}

/** Runs tasks of the same name one at a time, in order. */
export class NamedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier ones of this name have settled. */
  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(task, task);
    this.#last.set(name, result);
    return result.finally(() => {
      if (this.#last.get(name) === result) this.#last.delete(name);
    });
  }
}
