/** Keeps a row of a list where it is while the rows above it are measured. */

/** Maximum number of frames until new rows are measured. */
export const MAX_FRAMES = 30;

/** How far below the top of the list an element begins, in pixels. */
export const offsetIn = (scroller: Element, element: Element) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

interface Anchored {
  /** Finds the row; null until it's rendered. */
  find(): Element | null;
  /** The offset at which the row stays, in pixels. */
  readonly offset: number;
  /** Set if the rows above are measured, so that one frame is enough. */
  readonly isMeasured?: boolean;
}

/** Keeps a row in place until the user scrolls or `release` is called. */
export class ScrollAnchor {
  #ended: AbortController | undefined;

  get isActive(): boolean {
    return this.#ended?.signal.aborted === false;
  }

  /** Calls `done` at the end, unless it is ended early. */
  keep(scroller: Element, { find, offset, isMeasured = false }: Anchored, done = () => {}): void {
    this.release();
    const ended = new AbortController();
    this.#ended = ended;
    for (const move of ['wheel', 'keydown', 'pointerdown']) {
      addEventListener(move, () => ended.abort(), { signal: ended.signal, capture: true });
    }
    const keep = (left: number) => {
      if (ended.signal.aborted) return;
      if (left === 0) {
        ended.abort();
        return done();
      }
      const element = find();
      const drift = element ? offsetIn(scroller, element) - offset : 0;
      if (Math.abs(drift) > 0.5) scroller.scrollTop += drift;
      requestAnimationFrame(() => keep(left - 1));
    };
    keep(isMeasured ? 1 : MAX_FRAMES);
  }

  release(): void {
    this.#ended?.abort();
  }
}
