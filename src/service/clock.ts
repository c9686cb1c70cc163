import delay from 'delay';

/** Time as the client needs it, so that a test can hold it. */
export interface Clock {
  /** Milliseconds since any moment; never goes back. */
  now(): number;
  /** Resolves after so many milliseconds, or rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's own time. */
export const machineClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay<void>(ms, { signal }).catch(() => Promise.reject(signal.reason)),
};
