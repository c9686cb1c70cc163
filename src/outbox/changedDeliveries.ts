/** Collects the IDs of changed deliveries, and reports them at most once in an interval. */
export class ChangedDeliveries {
  readonly #report: (ids: ReadonlySet<string>) => void;
  readonly #interval: number;
  #ids = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `interval` is in milliseconds. */
  constructor(interval: number, report: (ids: ReadonlySet<string>) => void) {
    this.#interval = interval;
    this.#report = report;
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = this.#ids;
      this.#ids = new Set();
      this.#report(ids);
    }, this.#interval);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
