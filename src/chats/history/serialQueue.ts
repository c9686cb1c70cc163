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
