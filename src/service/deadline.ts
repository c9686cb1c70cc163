import { type Clock, systemClock } from './clock.ts';
import { ServiceError } from './errors.ts';

/**
 * Aborts `signal` when the caller cancels or the deadline passes. The signal's reason is the ServiceError to throw.
 * Dispose of it when the call ends, to release its timer and listener.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #after: Clock['after'];
  readonly #cancel = () => {
    // Nothing is sent before the deadline starts.
    const isUnsent = this.#stop === undefined;
    this.#controller.abort(new ServiceError({ kind: 'cancelled', ...(isUnsent && { unsent: true }) }));
  };
  #stop: (() => void) | undefined;

  constructor(caller: AbortSignal | undefined, { after }: Pick<Clock, 'after'> = systemClock) {
    this.#caller = caller;
    this.#after = after;
    if (caller?.aborted) this.#cancel();
    else caller?.addEventListener('abort', this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the deadline: `ms` milliseconds from now, less than 2³¹. */
  start(ms: number): void {
    this.#stop = this.#after(ms, () => this.#controller.abort(new ServiceError({ kind: 'timedOut', after: ms })));
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}
