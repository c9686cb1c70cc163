/** Places in the list: what is read, and how it stays where it is while rows around it are measured. */
import { anchorOf, keyOf } from './entry.tsx';

/** How many frames it takes at most until rows that come into view are measured. */
export const FRAMES = 30;

/** What is read, and how far below the upper edge it stands, in pixels. */
export interface Reading {
  readonly key: string | undefined;
  readonly offset: number;
}

/** The newest is on the screen: there is no place to come back to. */
export const NOWHERE: Reading = { key: undefined, offset: 0 };

/** The first message that is on the screen, if there is one. */
export function readingIn(scroller: Element): Reading | undefined {
  for (const article of scroller.querySelectorAll('.entry')) {
    // The one that has the focus is in the page wherever it is.
    if (isInside(scroller, article)) return { key: keyOf(article), offset: offsetIn(scroller, article) };
  }
  return undefined;
}

export const offsetIn = (scroller: Element, element: Element) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

/** How far the end is below what is on the screen, in pixels. */
export const restOf = ({ scrollTop, scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight - scrollTop;

function isInside(scroller: Element, element: Element): boolean {
  const { top, bottom } = scroller.getBoundingClientRect();
  const place = element.getBoundingClientRect();
  return place.bottom > top && place.top < bottom;
}

/**
 * Keeps what is read where it was for so many frames, while the rows above it are measured, and calls `done`; the
 * person's next move ends that, as one may.
 */
export function keepPlace(
  scroller: Element,
  { key, offset }: Reading,
  frames: number,
  done: () => void,
): AbortController {
  const moved = new AbortController();
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
  keep(frames);
  return moved;
}

/** Gives the focus to an element as soon as it is in the page and can be seen. */
export function focusOn(id: string): void {
  soon(() => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    return element !== null && document.activeElement === element;
  });
}

/** Calls `then` as soon as an element is on the screen. */
export function whenSeen(scroller: Element, id: string, then: () => void): void {
  soon(() => {
    const element = document.getElementById(id);
    if (!element || !isInside(scroller, element)) return false;
    then();
    return true;
  });
}

/** Tries in each frame, until that is done or it has taken too long. */
function soon(isDone: () => boolean, frames = FRAMES): void {
  if (!isDone() && frames > 0) requestAnimationFrame(() => soon(isDone, frames - 1));
}

/** Tells whether the person, and nothing else, has moved the list within the last second. */
export function usersHand(): { isOn(): boolean; moves(event: Event): void } {
  const AFTER = 1000;
  let until = 0;
  return {
    isOn: () => performance.now() < until,
    moves(event) {
      // A scroll bar is held for as long as that takes.
      const isHeld = event instanceof PointerEvent && event.buttons > 0;
      if (event.type !== 'pointermove' || until === Number.POSITIVE_INFINITY) {
        until = isHeld ? Number.POSITIVE_INFINITY : performance.now() + AFTER;
      }
    },
  };
}
