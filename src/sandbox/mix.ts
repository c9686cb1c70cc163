/** A deterministic 32-bit hash of integers. */
export function mix(...parts: readonly number[]): number {
  let hash = 0x2f6e2b1;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** An integer from `low` to `high`, inclusive, derived from a hash. */
export function between(hash: number, low: number, high: number): number {
  return low + (hash % (high - low + 1));
}
