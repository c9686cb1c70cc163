/** Binds the virtual list, which knows no framework, to preact: which rows are near the screen, and where they are. */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';

/** The height of a row until it is measured, in pixels. */
const ROW_HEIGHT = 60;

/** How many rows are rendered beyond the screen, above and below. */
const OVERSCAN = 2;

interface Options {
  items: readonly PageItem[];
  scroller: RefObject<HTMLElement | null>;
  /** The parent of the rows. Each row has its index as `data-index`. */
  rows: RefObject<HTMLElement | null>;
  /** The distance from the start of the scrolled content to the first row, in pixels. */
  margin: number;
  /** The index of a row that is always rendered. */
  pinned: number;
  /** The index of the row that is at the top initially. */
  first(): number;
}

/** The virtual list, and the `ref` of a row, which observes its size. */
export function useVirtualRows({ items, scroller, rows, margin, pinned, first }: Options) {
  const [, repaint] = useReducer((count: number, _: unknown) => count + 1, 0);
  const options = {
    count: items.length,
    enabled: items.length > 0,
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    initialOffset: () => first() * ROW_HEIGHT,
    rangeExtractor(range: Range) {
      const near = defaultRangeExtractor(range);
      // In order: the browser scrolls to a focused row when it is moved in the page.
      return near.includes(pinned) ? near : pinned < range.startIndex ? [pinned, ...near] : [...near, pinned];
    },
    overscan: OVERSCAN,
    scrollMargin: margin,
    scrollToFn: elementScroll,
    observeElementOffset,
    observeElementRect,
    // Renders before the frame is painted.
    onChange: repaint,
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  const known = useRef(items);
  if (known.current !== items) {
    known.current = items;
    // Keeps the top row in place. Not always on: the list would sum up all rows for each measurement.
    virtual.setOptions({ ...options, anchorTo: 'end' });
  }
  virtual.setOptions(options);

  const measure = useCallback((row: Element) => {
    virtual.resizeItem(Number(row.getAttribute('data-index')), row.getBoundingClientRect().height);
  }, []);
  const [observer] = useState(
    () => new ResizeObserver((entries) => entries.reverse().map(({ target }) => measure(target))),
  );
  const observed = useCallback((row: HTMLElement | null) => {
    if (!row) return;
    observer.observe(row);
    return () => observer.unobserve(row);
  }, []);

  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => {
    virtual._willUpdate();
    // From below: the position of a row depends only on those above it.
    for (const row of [...(rows.current?.children ?? [])].reverse()) measure(row);
  });
  return { virtual, observed };
}
