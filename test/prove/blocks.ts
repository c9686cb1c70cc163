/** The longest piece of work that a thread does without giving the event loop a turn. */

/** Who waits longer notices (milliseconds). */
export const LONGEST = 50;

/** How often a piece of work is measured that took too long: what else the machine does must not count. */
const TRIES = 3;

/**
 * What the longest turn of the event loop took of this thread until `run` was done, in milliseconds of its processor time:
 * what others do on the same machine does not count. The least of some tries where it is more than {@link LONGEST}.
 */
export async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let left = TRIES; left > 0 && least > LONGEST; left--) least = Math.min(least, await measure(run));
  return least;
}

async function measure(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = busy();
  const look = () => {
    const now = busy();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let waiting = setImmediate(function again() {
    look();
    waiting = setImmediate(again);
  });
  try {
    await run();
  } finally {
    clearImmediate(waiting);
  }
  look();
  return longest;
}

function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
