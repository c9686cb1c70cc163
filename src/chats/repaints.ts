/** Rows that change within a moment are painted together. */
import type { ChatRow } from './rows.ts';

export class Repaints {
  readonly #paint: (rows: ChatRow[]) => void;
  readonly #pause: () => number;
  readonly #rows = new Set<ChatRow>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pause` tells how many milliseconds the first row waits for others. */
  constructor(paint: (rows: ChatRow[]) => void, pause: () => number) {
    this.#paint = paint;
    this.#pause = pause;
  }

  add(row: ChatRow): void {
    this.#rows.add(row);
    this.#timer ??= setTimeout(() => {
      const rows = [...this.#rows];
      this.drop();
      this.#paint(rows);
    }, this.#pause());
  }

  /** What waits is not painted any more. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#rows.clear();
  }
}
