/** Where somebody is in a list, to return there when the page is loaded again: what is on the screen, and what has the focus. */
import type { ListPosition } from '../../protocol/page.ts';

/** More rows are loaded than there were before, as others may have come in front of them. */
const MAX_NEWER = 50;

/** The loaded rows of a list, in the part of the page that scrolls. Each has a key. */
export interface ShownList {
  readonly part: Element;
  readonly rows: readonly Element[];
  readonly keys: readonly string[];
}

/** Whether rows of a position may be among those that aren't loaded yet. */
export function mayBeLater({ top, focused, count }: ListPosition, keys: readonly string[]): boolean {
  const areLoaded = keys.includes(top) && (focused === undefined || keys.includes(focused));
  return !areLoaded && keys.length < count + MAX_NEWER;
}

/** The position in a list; undefined if none of its rows is on the screen. */
export function positionIn({ part, rows, keys }: ShownList): ListPosition | undefined {
  const edge = topOf(part);
  const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > edge);
  const [row, top] = [rows[at], keys[at]];
  if (!row || top === undefined) return undefined;
  const focused = keys[rows.findIndex((one) => one.contains(document.activeElement))];
  return { top, offset: topOf(row) - edge, count: keys.length, ...(focused !== undefined && { focused }) };
}

/** Returns to a position, and moves the focus to what `focusable` matches in its row. What is no longer listed is left out. */
export function returnTo(
  { part, rows, keys }: ShownList,
  { top, offset, focused = '' }: ListPosition,
  focusable: string,
): void {
  const row = rows[keys.indexOf(top)];
  if (row) {
    measureAll(row.parentElement);
    part.scrollTop += topOf(row) - topOf(part) - offset;
  }
  rows[keys.indexOf(focused)]?.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
}

/** Lays out all rows, whose heights the browser remembers at the end of a frame: far from the screen, they have none. */
function measureAll(list: Element | null): void {
  list?.classList.add('measured');
  requestAnimationFrame(() => requestAnimationFrame(() => list?.classList.remove('measured')));
}

const topOf = (element: Element) => element.getBoundingClientRect().top;
