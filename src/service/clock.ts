/** Time: whatever reads it or waits is handed a clock, so that nothing depends on how fast the machine is. */
import delay from 'delay';

/** What tells the time and waits. Tests hand in one that they move themselves. */
export interface Clock {
  /** Milliseconds since any moment, which only grow. On some systems, they also count while the computer sleeps. */
  now(): number;
  /** The time that users see, in Unix milliseconds. It may be set. */
  wall(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `run` after `ms` milliseconds, at once if negative, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** The part of the system's clock that needs no library: activation uses only this. */
export const timers: Pick<Clock, 'after'> = {
  after(ms, run) {
    const timer = setTimeout(run, Math.max(ms, 0));
    return () => clearTimeout(timer);
  },
};

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) => delay<void>(ms, { signal }).catch(() => Promise.reject(signal.reason)),
  after: (ms, run) => timers.after(ms, run),
};

/** Does something a while after it was asked for, once for all who ask meanwhile. */
export class Timer {
  readonly #act: () => void;
  readonly #after: Clock['after'];
  #cancel: (() => void) | undefined;

  constructor(act: () => void, clock: Pick<Clock, 'after'> = timers) {
    this.#act = act;
    this.#after = clock.after;
  }

  /** Acts in `ms` milliseconds, or earlier if it was asked to before. */
  start(ms: number): void {
    this.#cancel ??= this.#after(ms, () => {
      this.#cancel = undefined;
      this.#act();
    });
  }

  /** Acts in `ms` milliseconds, whatever it was asked before. */
  restart(ms: number): void {
    this.stop();
    this.start(ms);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
