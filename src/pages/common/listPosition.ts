/**
 * Knows where somebody is in a list, to return there when the page is loaded again: the row at the top, and the row with
 * the focus.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ListPosition } from '../../protocol/page.ts';

/** How many more rows are loaded than there were before, as others may have come in front of them. */
const MAX_NEWER = 50;

/** A list in the part of the page that scrolls. */
interface List {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The keys of the loaded rows. Another array if they have changed. */
  readonly keys: readonly string[];
  /** The selectors of these rows, and of the element in a row that takes the focus. */
  readonly rows: string;
  readonly focusable: string;
  /** The position from before the page was loaded again, once the rows there are loaded. */
  readonly returnsTo: ListPosition | undefined;
  /** Saves the position; undefined if none of the rows is on the screen. */
  keep(position: ListPosition | undefined): void;
}

/** Whether rows of a position may be among those that aren't loaded yet. */
export function mayBeLater({ top, focused, count }: ListPosition, keys: readonly string[]): boolean {
  const areLoaded = keys.includes(top) && (focused === undefined || keys.includes(focused));
  return !areLoaded && keys.length < count + MAX_NEWER;
}

/** Keeps where somebody is in a list, and returns there when the page was loaded again. */
export function useListPosition({ scroller, keys, rows, focusable, returnsTo, keep }: List): void {
  useLayoutEffect(() => {
    const part = scroller.current;
    if (!part || !returnsTo) return;
    const { top, offset, focused = '' } = returnsTo;
    const all = part.querySelectorAll(rows);
    // Rows that are no longer listed are left out.
    const row = all[keys.indexOf(top)];
    if (row) {
      measureAll(row.parentElement);
      part.scrollTop += topOf(row) - topOf(part) - offset;
    }
    all[keys.indexOf(focused)]?.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
  }, [returnsTo]);
  useEffect(() => {
    const part = scroller.current;
    if (!part) return;
    const onMove = () => keep(positionIn(part, [...part.querySelectorAll(rows)], keys));
    part.addEventListener('scrollend', onMove);
    document.addEventListener('focusin', onMove);
    return () => {
      part.removeEventListener('scrollend', onMove);
      document.removeEventListener('focusin', onMove);
    };
  }, [keys]);
}

/** The position in a list; undefined if none of its rows is on the screen. */
function positionIn(part: Element, rows: readonly Element[], keys: readonly string[]): ListPosition | undefined {
  const edge = topOf(part);
  const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > edge);
  const [row, top] = [rows[at], keys[at]];
  if (!row || top === undefined) return undefined;
  const focused = keys[rows.findIndex((one) => one.contains(document.activeElement))];
  return { top, offset: topOf(row) - edge, count: keys.length, ...(focused !== undefined && { focused }) };
}

/** Lays out all rows, whose heights the browser remembers at the end of a frame: far from the screen, they have none. */
function measureAll(list: Element | null): void {
  list?.classList.add('measured');
  requestAnimationFrame(() => requestAnimationFrame(() => list?.classList.remove('measured')));
}

const topOf = (element: Element) => element.getBoundingClientRect().top;
