/** Repaints nodes together that change within a short time. */
import { type Clock, systemClock } from '../service/clock.ts';
import type { ChatNode } from './nodes.ts';

/**
 * Milliseconds between repaints. VS Code defers a change while others follow within 200 ms, so more frequent repaints
 * would delay all names until the end.
 */
const INTERVAL = 250;

export class RepaintQueue {
  readonly #repaint: (nodes: ChatNode[]) => void;
  readonly #delay: () => number;
  readonly #clock: Clock;
  readonly #nodes = new Set<ChatNode>();
  #pending: AbortController | undefined;
  #repaintedAt = Number.NEGATIVE_INFINITY;

  /** `delay` returns how many milliseconds the first node waits for others. */
  constructor(repaint: (nodes: ChatNode[]) => void, delay: () => number, clock = systemClock) {
    this.#repaint = repaint;
    this.#delay = delay;
    this.#clock = clock;
  }

  add(node: ChatNode): void {
    this.#nodes.add(node);
    if (this.#pending) return;
    this.#pending = new AbortController();
    const wait = Math.max(this.#delay(), this.#repaintedAt + INTERVAL - this.#clock.now());
    this.#clock.sleep(wait, this.#pending.signal).then(
      () => this.#repaintAll(),
      () => {},
    );
  }

  /** Drops the waiting nodes. */
  clear(): void {
    this.#pending?.abort();
    this.#pending = undefined;
    this.#nodes.clear();
  }

  #repaintAll(): void {
    const nodes = [...this.#nodes];
    this.clear();
    this.#repaintedAt = this.#clock.now();
    this.#repaint(nodes);
  }
}
