import type { Clock } from './clock.ts';

/** The window in which calls are counted, in milliseconds. */
const SECOND = 1000;
/** The longest wait that the service can impose, in milliseconds. */
const LONGEST_WAIT = 60_000;

/**
 * Starts at most `perSecond` calls in any second, fewer while the service asks to slow down. Waiting callers take turns
 * (round robin), however many calls each of them has.
 */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** When the calls of the last second started. */
  readonly #starts: number[] = [];
  /** For each waiting caller, the functions that start its calls. The next caller comes first. */
  readonly #waiting = new Map<object, Set<() => void>>();
  /** Ends the sleep until the next call once no caller is waiting. */
  #sleeping: AbortController | undefined;
  #allowed: number;
  #blockedUntil = 0;
  #slowedDownAt = Number.NEGATIVE_INFINITY;

  /** `perSecond` is at least 1. With Infinity, only the waits that the service imposes apply. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#allowed = perSecond;
    this.#clock = clock;
  }

  /**
   * Resolves when a call may start. Rejects with the signal's reason as soon as it aborts. Calls of one `caller` stay in
   * order.
   */
  async acquire(caller: object = this, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.size === 0 && this.#delay() === 0) return this.#recordStart();
    await new Promise<void>((resolve, reject) => {
      const calls = this.#waiting.get(caller) ?? new Set();
      const start = () => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = () => {
        this.#remove(caller, calls, start);
        if (this.#waiting.size === 0) this.#sleeping?.abort();
        reject(signal.reason);
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(caller, calls.add(start));
      if (!this.#sleeping) void this.#serve();
    });
  }

  /** Halves the rate, and blocks all calls for `wait` milliseconds, because the service refused a call as too early. */
  slowDown(wait = SECOND): void {
    const now = this.#clock.now();
    // Calls that were in flight together are refused together, and count once.
    if (now >= Math.max(this.#blockedUntil, this.#slowedDownAt + SECOND)) {
      this.#slowedDownAt = now;
      this.#allowed = Math.max(1, this.#allowed / 2);
    }
    this.#blockedUntil = Math.max(this.#blockedUntil, now + Math.min(wait, LONGEST_WAIT));
  }

  /** Milliseconds for which the service blocks all calls. */
  blockedFor(): number {
    return Math.max(0, this.#blockedUntil - this.#clock.now());
  }

  /** Counts a successful call. A full second of them raises the rate by about one call per second, up to the limit. */
  speedUp(): void {
    this.#allowed = Math.min(this.#perSecond, this.#allowed + 1 / this.#allowed);
  }

  /** Starts calls as soon as they are allowed until no caller is waiting. */
  async #serve(): Promise<void> {
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const wait = this.#delay();
      if (wait > 0) {
        this.#sleeping = new AbortController();
        // Check again in any case: the rate and the callers may have changed.
        await this.#clock.sleep(wait, this.#sleeping.signal).catch(() => {});
        continue;
      }
      const [caller, calls] = next;
      const [start] = calls;
      if (start) this.#remove(caller, calls, start);
      // Move the caller to the end.
      this.#waiting.delete(caller);
      if (calls.size > 0) this.#waiting.set(caller, calls);
      this.#recordStart();
      start?.();
    }
    this.#sleeping = undefined;
  }

  #remove(caller: object, calls: Set<() => void>, start: () => void): void {
    calls.delete(start);
    if (calls.size === 0) this.#waiting.delete(caller);
  }

  #recordStart(): void {
    if (Number.isFinite(this.#perSecond)) this.#starts.push(this.#clock.now());
  }

  /** Milliseconds until the next call may start. */
  #delay(): number {
    const now = this.#clock.now();
    while (this.#starts[0] !== undefined && this.#starts[0] <= now - SECOND) this.#starts.shift();
    const allowed = Math.floor(this.#allowed);
    const blocking = this.#starts.length < allowed ? undefined : this.#starts.at(-allowed);
    return Math.max(this.blockedFor(), blocking === undefined ? 0 : blocking + SECOND - now);
  }
}
