import { ServiceError } from './errors.ts';

/**
 * Aborts `signal` when the caller cancels or the deadline passes. The signal's reason is the ServiceError to throw.
 * Dispose of it when the call ends, to release its timer and listener.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = () => {
    // Nothing is sent before the deadline starts.
    const isUnsent = this.#timer === undefined;
    this.#controller.abort(new ServiceError({ kind: 'cancelled', ...(isUnsent && { unsent: true }) }));
  };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted) this.#cancel();
    else caller?.addEventListener('abort', this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the deadline: `ms` milliseconds from now, less than 2³¹. */
  start(ms: number): void {
    this.#timer = setTimeout(() => this.#controller.abort(new ServiceError({ kind: 'timedOut', after: ms })), ms);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}
