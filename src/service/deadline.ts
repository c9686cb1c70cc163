import { ServiceError } from './errors.ts';

/**
 * What ends a call before its answer is there: its caller, or its deadline. Either aborts `signal`, whose reason is
 * the ServiceError to end with. To be disposed of with the call: nothing of it is left behind then.
 */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = () => {
    // Until its time runs, nothing of the call is on its way.
    const unsent = this.#timer === undefined;
    this.#abort.abort(new ServiceError({ kind: 'cancelled', ...(unsent && { unsent }) }));
  };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted) this.#cancel();
    else caller?.addEventListener('abort', this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** From now on the call has so many milliseconds, less than 2³¹. */
  within(ms: number): void {
    this.#timer = setTimeout(() => this.#abort.abort(new ServiceError({ kind: 'timedOut', after: ms })), ms);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}
