/** Which row the arrow keys, Home, End and the page keys lead to. */
import type { Virtualizer } from '@tanstack/virtual-core';

type Rows = Virtualizer<HTMLElement, HTMLElement>;

/** How much of what is on the screen a page key scrolls by. */
const PAGE = 0.9;

/** The index of that row, among those that there are; `undefined` for any other key. */
export function nextRow(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  current: number,
  virtual: Rows,
): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const last = virtual.options.count - 1;
  const next = nextOf(key, current, last, virtual);
  return next === undefined ? undefined : Math.max(0, Math.min(last, next));
}

function nextOf(key: string, current: number, last: number, virtual: Rows): number | undefined {
  const { start = 0 } = virtual.measurementsCache[current] ?? {};
  const height = (virtual.scrollElement?.clientHeight ?? 0) * PAGE;
  const page = (by: number) => virtual.getVirtualItemForOffset(start + by * height)?.index ?? current;
  switch (key) {
    case 'ArrowUp':
      return current - 1;
    case 'ArrowDown':
      return current + 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'PageUp':
      return Math.min(page(-1), current - 1);
    case 'PageDown':
      return Math.max(page(1), current + 1);
  }
}
