/** Tries to reach the service again during an outage. */
import { type Clock, systemClock } from '../service/clock.ts';

/** Milliseconds before the first try, and at most between two tries. Each wait is twice as long as the one before. */
const FIRST_WAIT = 5_000;
const MAX_WAIT = 300_000;

export interface ReconnectionOptions {
  /** Calls the service once. May fail. */
  callOnce(signal: AbortSignal): Promise<unknown>;
  /** Resolves when the user can see the result, at once if that's now. */
  whenVisible(): Promise<void>;
}

export class Reconnection {
  readonly #options: ReconnectionOptions;
  readonly #clock: Clock;
  #abort: AbortController | undefined;

  constructor(options: ReconnectionOptions, clock = systemClock) {
    this.#options = options;
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#abort !== undefined;
  }

  /** Starts trying, unless that's under way. */
  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    void this.#run(this.#abort.signal);
  }

  /** Stops trying: the service has answered, or another one is used. */
  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(2 * wait, MAX_WAIT)) {
      await this.#clock.sleep(wait, signal).catch(() => {});
      await this.#options.whenVisible();
      if (!signal.aborted) await this.#options.callOnce(signal).catch(() => {});
    }
  }
}
