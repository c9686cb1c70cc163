/** Tasks that run one after the other. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  readonly #shared = new Map<string, Promise<void>>();

  /** Runs a task when all before it have ended, whether or not they failed. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result;
    return result;
  }

  /** The same, but who asks for a task of this name before it has begun, or before it is `done`, gets that one. */
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
