/** Scroll positions in the list: finds visible messages, and keeps them in place while rows around them are measured. */
import { systemClock } from '../../service/clock.ts';
import { MAX_FRAMES, offsetIn } from '../common/scrollAnchor.ts';
import { keyOf } from './entry.tsx';
import type { Position } from './listState.ts';

/** The first visible message, if any. */
export function firstVisibleIn(scroller: Element): Position | undefined {
  for (const article of scroller.querySelectorAll('.entry')) {
    // The focused row is rendered even if it is not visible.
    if (isInside(scroller, article)) return { key: keyOf(article), offset: offsetIn(scroller, article) };
  }
  return undefined;
}

/** The distance from the viewport to the end, in pixels. */
export const distanceToEnd = ({ scrollTop, scrollHeight, clientHeight }: Element) =>
  scrollHeight - clientHeight - scrollTop;

/** Whether a part of an element, or of a range, can be seen in the list. */
export function isInside(scroller: Element, element: Element | Range): boolean {
  const { top, bottom } = scroller.getBoundingClientRect();
  const rect = element.getBoundingClientRect();
  return rect.bottom > top && rect.top < bottom;
}

/** Whether a part of the visible text is selected. */
export function hasSelectionIn(scroller: Element): boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !selection.containsNode(scroller, true)) return false;
  return isInside(scroller, selection.getRangeAt(0));
}

/** Focuses an element as soon as it is rendered. */
export function focusWhenVisible(id: string): void {
  retryEachFrame(() => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    return element !== null && document.activeElement === element;
  });
}

/** Calls `then` as soon as an element is visible. */
export function whenVisible(scroller: Element, id: string, then: (element: Element) => void): void {
  retryEachFrame(() => {
    const element = document.getElementById(id);
    if (!element || !isInside(scroller, element)) return false;
    then(element);
    return true;
  });
}

/** Finds a place in a message; undefined until it's rendered. */
export type FindPlace = (message: Element) => Range | undefined;

/** Calls `then` as soon as a place is rendered, with how far its top and bottom are below the top of its message, in pixels. */
export function whenPlaced(id: string, find: FindPlace, then: (depth: number, bottom: number) => void): void {
  retryEachFrame(() => {
    const element = document.getElementById(id);
    const [place] = (element && find(element)?.getClientRects()) ?? [];
    if (!element || !place) return false;
    const { top } = element.getBoundingClientRect();
    then(place.top - top, place.bottom - top);
    return true;
  });
}

/** Returns a function that schedules a callback for the next frame, replacing a pending one. */
export function nextFrame(): (run: () => void) => void {
  let handle = 0;
  return (run) => {
    cancelAnimationFrame(handle);
    handle = requestAnimationFrame(run);
  };
}

/** Retries every frame until it is done or out of frames. */
function retryEachFrame(isDone: () => boolean, frames = MAX_FRAMES): void {
  if (!isDone() && frames > 0) requestAnimationFrame(() => retryEachFrame(isDone, frames - 1));
}

/** Tracks whether the user has scrolled the list within the last second. */
export function trackUserInput(): { isRecent(): boolean; record(event: Event): void } {
  const RECENT_MS = 1000;
  let until = 0;
  return {
    isRecent: () => systemClock.now() < until,
    record(event) {
      // The user may hold the scroll bar for any time.
      const isHeld = event instanceof PointerEvent && event.buttons > 0;
      if (event.type !== 'pointermove' || until === Number.POSITIVE_INFINITY) {
        until = isHeld ? Number.POSITIVE_INFINITY : systemClock.now() + RECENT_MS;
      }
    },
  };
}
