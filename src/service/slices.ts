/** Long work in slices, between which everybody else has a turn. */

/** How long a slice may take (milliseconds). */
const SLICE = 10;

export class Slices {
  #since = performance.now();

  /** For the steps of long work: resolves at once, or after a turn of the event loop when a slice is over. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#since = performance.now();
  }
}
