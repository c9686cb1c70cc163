/** What a window knows of a scheduled delivery: whether it saw the time pass, and what it did when the time came. */
import type { ScheduledEntry } from './outbox.ts';
import { type Reading, TOLERANCE } from './watchedClock.ts';

/** Why a window doesn't send a delivery by itself although its time has come. */
export type Hindrance =
  /** This window opened later. */
  | { why: 'closed' }
  /** The clock was set, or the computer slept. */
  | { why: 'skipped' }
  /** Another window was about to send it, but didn't. */
  | { why: 'abandoned' }
  /** It couldn't be sent. */
  | { why: 'failed'; error: unknown };

/** How long others get to send a delivery before the user is asked (milliseconds). Longer than a heartbeat counts. */
export const GRACE = 15_000;

export class ScheduledWatch {
  /** When it's due (Unix ms). */
  readonly due: number;
  /** Undefined for as long as this window may send it. */
  #hindrance: Hindrance | undefined;
  #isAsked = false;
  /** The least that the wall clock was ahead since the delivery was first seen. */
  #ahead: number;

  constructor({ due }: Pick<ScheduledEntry, 'due'>, { now, ahead }: Reading) {
    this.due = due;
    this.#ahead = ahead;
    if (now >= due) this.#hindrance = { why: 'closed' };
  }

  /** What is to be done now. What it returns is done only once. */
  next({ now, ahead }: Reading): 'wait' | 'send' | { ask: Hindrance } {
    this.#ahead = Math.min(this.#ahead, ahead);
    if (ahead - this.#ahead > TOLERANCE) this.#hindrance ??= { why: 'skipped' };
    if (now < this.due) {
      // The clock was set back: the question came too early.
      this.#isAsked = false;
      return 'wait';
    }
    if (!this.#hindrance) {
      this.#hindrance = { why: 'abandoned' };
      return 'send';
    }
    if (this.#isAsked || now < this.due + GRACE) return 'wait';
    this.#isAsked = true;
    return { ask: this.#hindrance };
  }

  /** The delivery couldn't be sent. */
  fail(error: unknown): void {
    this.#hindrance = { why: 'failed', error };
  }

  /** When something is to be done again (Unix ms); undefined if nothing is. */
  get wakesAt(): number | undefined {
    if (!this.#hindrance) return this.due;
    return this.#isAsked ? undefined : this.due + GRACE;
  }
}
