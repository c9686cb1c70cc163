/** Measures how long work blocks the event loop. */

/** Longer blocks are noticeable (milliseconds). */
export const MAX_BLOCK = 50;

/** Measurements of work that took too long, to rule out other load on the machine. */
const MAX_TRIES = 3;

/**
 * The longest turn of the event loop while `run` is working, in milliseconds of this thread's CPU time, so that other
 * processes don't count. The least of several tries if it exceeds {@link MAX_BLOCK}.
 */
export async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let left = MAX_TRIES; left > 0 && least > MAX_BLOCK; left--) least = Math.min(least, await measure(run));
  return least;
}

async function measure(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuTime();
  const sample = () => {
    const now = cpuTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let immediate = setImmediate(function next() {
    sample();
    immediate = setImmediate(next);
  });
  try {
    await run();
  } finally {
    clearImmediate(immediate);
  }
  sample();
  return longest;
}

/** Milliseconds. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
