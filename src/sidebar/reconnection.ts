/** Tries to reach the service again during an outage, and looks up afterwards the rows that the outage left open. */
import { type Clock, systemClock } from '../service/clock.ts';
import { isOutage } from '../service/errors.ts';
import type { ChatRow } from './rows.ts';

/** Milliseconds before the first try, and at most between two tries. Each wait is twice as long as the one before. */
const FIRST_WAIT = 5_000;
const MAX_WAIT = 300_000;

interface ReconnectionOptions {
  /** A row that the outage left without an answer; undefined if no such row is left. */
  unreachedRow(): ChatRow | undefined;
  /** Looks up a row without showing progress. An answer changes the directory. */
  lookUp(row: ChatRow, signal: AbortSignal): Promise<void>;
  /** Resolves when the user can see the result: at once if the view is visible. */
  whenVisible(): Promise<void>;
  /** The outage is over. */
  ended(): void;
}

export class Reconnection {
  readonly #options: ReconnectionOptions;
  readonly #clock: Clock;
  #abort: AbortController | undefined;

  constructor(options: ReconnectionOptions, clock = systemClock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** A lookup has failed: an outage begins or goes on, or else the service has answered. */
  lookupFailed(error: unknown): void {
    if (!isOutage(error)) this.answered();
    else if (!this.#abort) {
      this.#abort = new AbortController();
      void this.#run(this.#abort.signal);
    }
  }

  /** The service has answered, which ends an outage. */
  answered(): void {
    if (!this.#abort) return;
    this.stop();
    this.#options.ended();
  }

  /** Stops trying: there's nothing left to look up, or another service is used. */
  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  /** Tries until the outage is over. Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(2 * wait, MAX_WAIT)) {
      await this.#clock.sleep(wait, signal).catch(() => {});
      await this.#options.whenVisible();
      if (!signal.aborted) await this.#try(signal);
    }
  }

  async #try(signal: AbortSignal): Promise<void> {
    const row = this.#options.unreachedRow();
    if (!row) return this.stop();
    try {
      await this.#options.lookUp(row, signal);
    } catch (error) {
      if (!isOutage(error)) this.answered();
    }
  }
}
