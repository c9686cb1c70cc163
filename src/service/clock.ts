import delay from 'delay';

/** The time source of the client. Tests replace it. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay<void>(ms, { signal }).catch(() => Promise.reject(signal.reason)),
};
