/** Polls at an interval that may change at any time. */
import { type Clock, systemClock } from '../../service/clock.ts';

export interface PollOptions {
  /** Seconds from a response to the next poll; 0 pauses. */
  seconds(): number;
  /** Whether a poll is useful now, for example because the panel is visible. */
  isWanted(): boolean;
  /** Polls once. */
  poll(): Promise<unknown>;
}

/** Polls until the signal is aborted; resolves then. */
export async function poll(
  { seconds, isWanted, poll: pollOnce }: PollOptions,
  signal: AbortSignal,
  clock: Clock = systemClock,
) {
  /** How often the conditions are checked, in milliseconds. */
  const CHECK_INTERVAL = 1000;
  let lastPoll = clock.now();
  while (!signal.aborted) {
    await clock.sleep(CHECK_INTERVAL, signal).catch(() => {});
    const pause = seconds() * 1000;
    if (signal.aborted || pause <= 0 || !isWanted() || clock.now() - lastPoll < pause) continue;
    await pollOnce();
    lastPoll = clock.now();
  }
}
