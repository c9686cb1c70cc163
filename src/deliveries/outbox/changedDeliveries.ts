/** Collects the IDs of changed deliveries, and reports them at most once in an interval. */
import { Timer } from '../../service/clock.ts';
export class ChangedDeliveries {
  readonly #interval: number;
  #ids = new Set<string>();
  readonly #timer: Timer;

  /** `interval` is in milliseconds. */
  constructor(interval: number, report: (ids: ReadonlySet<string>) => void) {
    this.#interval = interval;
    this.#timer = new Timer(() => {
      const ids = this.#ids;
      this.#ids = new Set();
      report(ids);
    });
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#timer.start(this.#interval);
  }

  dispose(): void {
    this.#timer.stop();
  }
}
