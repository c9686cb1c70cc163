/** Asking again and again, gently. */
import { type Clock, systemClock } from '../service/clock.ts';

export interface PollOptions {
  /** Seconds from an answer to the next question; none while it is 0. */
  seconds(): number;
  /** Whether somebody looks. */
  isWanted(): boolean;
  /** Asks once. */
  ask(): Promise<unknown>;
}

/** Asks until the signal is aborted. Its promise resolves then. */
export async function poll({ seconds, isWanted, ask }: PollOptions, signal: AbortSignal, clock: Clock = systemClock) {
  /** How often is looked whether there is something to do, in milliseconds. */
  const STEP = 1000;
  let asked = clock.now();
  while (!signal.aborted) {
    await clock.sleep(STEP, signal).catch(() => {});
    const pause = seconds() * 1000;
    if (signal.aborted || pause <= 0 || !isWanted() || clock.now() - asked < pause) continue;
    await ask();
    asked = clock.now();
  }
}
