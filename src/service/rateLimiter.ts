/** How often calls may start: a limit that the caller sets, and that the service can tighten. */
import type { Clock } from './clock.ts';

/** Milliseconds over which calls are counted. */
const SECOND = 1000;
/** A service that asks for a longer wait is asked again all the same. */
const LONGEST_WAIT = 60_000;

/** At most `perSecond` turns in any second. Callers that wait get one each, round and round, however many they want. */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** When the turns of the last second were taken. */
  readonly #taken: number[] = [];
  /** For each caller that waits, what starts its turns; whose turn is next comes first. */
  readonly #waiting = new Map<object, Set<() => void>>();
  /** Ends the sleep until the next turn when nobody waits for it any more. */
  #sleep: AbortController | undefined;
  #allowed: number;
  #heldUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;

  /** `perSecond` is at least 1; Infinity only keeps the waits that the service asks for. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#allowed = perSecond;
    this.#clock = clock;
  }

  /**
   * Resolves when a call may start; rejects with the signal's reason as soon as that is aborted. Turns of one `caller`
   * stay in order.
   */
  async turn(caller: object = this, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.size === 0 && this.#wait() === 0) return this.#take();
    await new Promise<void>((resolve, reject) => {
      const turns = this.#waiting.get(caller) ?? new Set();
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#drop(caller, turns, start);
        if (this.#waiting.size === 0) this.#sleep?.abort();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.set(caller, turns.add(start));
      if (!this.#sleep) void this.#serve();
    });
  }

  /** The service said "too often": half as many turns from now on, and none for `wait` milliseconds. */
  slowDown(wait = SECOND): void {
    const now = this.#clock.now();
    // All calls that were under way are refused together: they count once.
    if (now >= Math.max(this.#heldUntil, this.#slowedAt + SECOND)) {
      this.#slowedAt = now;
      this.#allowed = Math.max(1, this.#allowed / 2);
    }
    this.#heldUntil = Math.max(this.#heldUntil, now + Math.min(wait, LONGEST_WAIT));
  }

  /** How many milliseconds there will be no turn for anybody, because the service asked for it. */
  heldFor(): number {
    return Math.max(0, this.#heldUntil - this.#clock.now());
  }

  /** The service took a call: after a second full of such calls, about one more is allowed in each, up to the limit. */
  speedUp(): void {
    this.#allowed = Math.min(this.#perSecond, this.#allowed + 1 / this.#allowed);
  }

  /** Gives turns as they come free until nobody waits. */
  async #serve(): Promise<void> {
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const wait = this.#wait();
      if (wait > 0) {
        this.#sleep = new AbortController();
        // Ended or not: the pace may have changed meanwhile, and others have come or left.
        await this.#clock.sleep(wait, this.#sleep.signal).catch(() => {});
        continue;
      }
      const [caller, turns] = next;
      const [start] = turns;
      if (start) this.#drop(caller, turns, start);
      // To the end of the round.
      this.#waiting.delete(caller);
      if (turns.size > 0) this.#waiting.set(caller, turns);
      this.#take();
      start?.();
    }
    this.#sleep = undefined;
  }

  #drop(caller: object, turns: Set<() => void>, start: () => void): void {
    turns.delete(start);
    if (turns.size === 0) this.#waiting.delete(caller);
  }

  #take(): void {
    if (Number.isFinite(this.#perSecond)) this.#taken.push(this.#clock.now());
  }

  /** Milliseconds until a turn is free. */
  #wait(): number {
    const now = this.#clock.now();
    while (this.#taken[0] !== undefined && this.#taken[0] <= now - SECOND) this.#taken.shift();
    const allowed = Math.floor(this.#allowed);
    const blocking = this.#taken.length < allowed ? undefined : this.#taken.at(-allowed);
    return Math.max(this.heldFor(), blocking === undefined ? 0 : blocking + SECOND - now);
  }
}
