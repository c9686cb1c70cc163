/** Nodes that change within a moment are painted together. */
import { type Clock, systemClock } from '../service/clock.ts';
import type { ChatNode } from './nodes.ts';

/**
 * Milliseconds from one paint to the next. VS Code puts a change off while others come within 200 ms of it: more
 * frequent ones would hold each other back, and all rows get their names in one lump at the end.
 */
const APART = 250;

export class Repaints {
  readonly #paint: (nodes: ChatNode[]) => void;
  readonly #pause: () => number;
  readonly #clock: Clock;
  readonly #nodes = new Set<ChatNode>();
  #waiting: AbortController | undefined;
  #paintedAt = Number.NEGATIVE_INFINITY;

  /** `pause` tells how many milliseconds the first node waits for others. */
  constructor(paint: (nodes: ChatNode[]) => void, pause: () => number, clock = systemClock) {
    this.#paint = paint;
    this.#pause = pause;
    this.#clock = clock;
  }

  add(node: ChatNode): void {
    this.#nodes.add(node);
    if (this.#waiting) return;
    this.#waiting = new AbortController();
    const wait = Math.max(this.#pause(), this.#paintedAt + APART - this.#clock.now());
    this.#clock.sleep(wait, this.#waiting.signal).then(
      () => this.#paintAll(),
      () => {},
    );
  }

  /** What waits is not painted any more. */
  drop(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
    this.#nodes.clear();
  }

  #paintAll(): void {
    const nodes = [...this.#nodes];
    this.drop();
    this.#paintedAt = this.#clock.now();
    this.#paint(nodes);
  }
}
