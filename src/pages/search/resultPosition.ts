/** Where somebody is in the results: what is on the screen, and what has the focus. */
import type { FoundView, ResultPosition } from '../../protocol/search.ts';

/** The position in the results of this part of the page; undefined if none of them is on the screen. */
export function positionIn(part: Element, found: readonly FoundView[]): ResultPosition | undefined {
  const rows = rowsIn(part);
  const edge = topOf(part);
  const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > edge);
  const [row, top] = [rows[at], found[at]];
  if (!row || !top) return undefined;
  const focused = found[rows.findIndex((one) => one.contains(document.activeElement))];
  return {
    ...{ top: top.key, offset: topOf(row) - edge, count: found.length },
    ...(focused && { focused: focused.key }),
  };
}

/** Returns to a position. What is no longer found is left out. */
export function returnTo(part: Element, found: readonly FoundView[], { top, offset, focused }: ResultPosition): void {
  const rows = rowsIn(part);
  const indexOf = (key: string | undefined) => found.findIndex((one) => one.key === key);
  const row = rows[indexOf(top)];
  if (row) {
    measureAll(row.parentElement);
    part.scrollTop += topOf(row) - topOf(part) - offset;
  }
  focusResult(part, indexOf(focused), { preventScroll: true });
}

/** Lays out all rows, whose heights the browser remembers at the end of a frame: far from the screen, they have none. */
function measureAll(list: Element | null): void {
  list?.classList.add('measured');
  requestAnimationFrame(() => requestAnimationFrame(() => list?.classList.remove('measured')));
}

/** Moves the focus to a result in this part of the page. */
export function focusResult(part: Element | null, index: number, options?: FocusOptions): void {
  part?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus(options);
}

const rowsIn = (part: Element) => [...part.querySelectorAll('.results > li')];

const topOf = (element: Element) => element.getBoundingClientRect().top;
