/** Places in the list: what is on the screen, and how it stays where it is while rows around it are measured. */
import { anchorOf, keyOf } from './entry.tsx';
import type { Position } from './listState.ts';

/** How many frames it takes at most until rows that come into view are measured. */
const MAX_FRAMES = 30;

/** The first message that is on the screen, if there is one. */
export function firstVisibleIn(scroller: Element): Position | undefined {
  for (const article of scroller.querySelectorAll('.entry')) {
    // The one that has the focus is in the page wherever it is.
    if (isInside(scroller, article)) return { key: keyOf(article), offset: offsetIn(scroller, article) };
  }
  return undefined;
}

export const offsetIn = (scroller: Element, element: Element) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

/** How far the end is below what is on the screen, in pixels. */
export const distanceToEnd = ({ scrollTop, scrollHeight, clientHeight }: Element) =>
  scrollHeight - clientHeight - scrollTop;

function isInside(scroller: Element, element: Element): boolean {
  const { top, bottom } = scroller.getBoundingClientRect();
  const place = element.getBoundingClientRect();
  return place.bottom > top && place.top < bottom;
}

/** Keeps a message where it is, while the rows above it are measured; the person's next move ends that, as one may. */
export class ScrollAnchor {
  #moved: AbortController | undefined;

  get isActive(): boolean {
    return this.#moved?.signal.aborted === false;
  }

  /** Calls `done` in the end, unless something else ends it. `isMeasured`: the rows are measured, one frame is enough. */
  keep(scroller: Element, { key, offset }: Position, isMeasured: boolean, done: () => void): void {
    this.release();
    const moved = new AbortController();
    this.#moved = moved;
    for (const move of ['wheel', 'keydown', 'pointerdown']) {
      addEventListener(move, () => moved.abort(), { signal: moved.signal, capture: true });
    }
    const keep = (left: number) => {
      if (moved.signal.aborted) return;
      if (left === 0) {
        moved.abort();
        return done();
      }
      const element = document.getElementById(anchorOf(key ?? ''));
      const apart = element ? offsetIn(scroller, element) - offset : 0;
      if (Math.abs(apart) > 0.5) scroller.scrollTop += apart;
      requestAnimationFrame(() => keep(left - 1));
    };
    keep(isMeasured ? 1 : MAX_FRAMES);
  }

  release(): void {
    this.#moved?.abort();
  }
}

/** Gives the focus to an element as soon as it is in the page and can be seen. */
export function focusWhenVisible(id: string): void {
  retryEachFrame(() => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    return element !== null && document.activeElement === element;
  });
}

/** Calls `then` as soon as an element is on the screen. */
export function whenVisible(scroller: Element, id: string, then: () => void): void {
  retryEachFrame(() => {
    const element = document.getElementById(id);
    if (!element || !isInside(scroller, element)) return false;
    then();
    return true;
  });
}

/** Calls the last function that it was given before the next frame, in that frame. */
export function nextFrame(): (run: () => void) => void {
  let handle = 0;
  return (run) => {
    cancelAnimationFrame(handle);
    handle = requestAnimationFrame(run);
  };
}

/** Tries in each frame, until that is done or it has taken too long. */
function retryEachFrame(isDone: () => boolean, frames = MAX_FRAMES): void {
  if (!isDone() && frames > 0) requestAnimationFrame(() => retryEachFrame(isDone, frames - 1));
}

/** Tells whether the person, and nothing else, has moved the list within the last second. */
export function trackUserInput(): { isRecent(): boolean; record(event: Event): void } {
  const AFTER = 1000;
  let until = 0;
  return {
    isRecent: () => performance.now() < until,
    record(event) {
      // A scroll bar is held for as long as that takes.
      const isHeld = event instanceof PointerEvent && event.buttons > 0;
      if (event.type !== 'pointermove' || until === Number.POSITIVE_INFINITY) {
        until = isHeld ? Number.POSITIVE_INFINITY : performance.now() + AFTER;
      }
    },
  };
}
