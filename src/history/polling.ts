/** Polls at an interval that may change at any time. */
import { type Clock, systemClock } from '../service/clock.ts';

export interface PollOptions {
  /** Seconds from a response to the next poll; 0 pauses. */
  seconds(): number;
  /** Whether a poll is useful now, for example because the panel is visible. */
  isWanted(): boolean;
  /** Polls once. */
  ask(): Promise<unknown>;
}

/** Polls until the signal is aborted; resolves then. */
export async function poll({ seconds, isWanted, ask }: PollOptions, signal: AbortSignal, clock: Clock = systemClock) {
  /** How often the conditions are checked, in milliseconds. */
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
