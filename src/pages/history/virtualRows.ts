/** Which rows are near the screen, and where they stand: a virtual list that knows no framework, bound to ours. */
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

/** What a row is taken for before it is measured (pixels). */
const ROW_HEIGHT = 60;

/** So many rows beyond the screen are in the page, above it and below. */
const BEYOND = 2;

interface Options {
  items: readonly PageItem[];
  scroller: RefObject<HTMLElement | null>;
  /** The element of the rows: each child tells its index as `data-index`. */
  rows: RefObject<HTMLElement | null>;
  /** How far below the beginning of what scrolls the rows begin, in pixels. */
  margin: number;
  /** The row that is in the page wherever it is. */
  pinned: number;
  /** The row that is at the upper edge at first. */
  first(): number;
}

/** The list, and what observes the size of a row: the `ref` of its element. */
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
      // In order: a row that is moved in the page while it has the focus is scrolled to.
      return near.includes(pinned) ? near : pinned < range.startIndex ? [pinned, ...near] : [...near, pinned];
    },
    overscan: BEYOND,
    scrollMargin: margin,
    scrollToFn: elementScroll,
    observeElementOffset,
    observeElementRect,
    // It is rendered again before the frame is painted.
    onChange: repaint,
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  const known = useRef(items);
  if (known.current !== items) {
    known.current = items;
    // The row at the upper edge stays there. It is not always told so: it would add up all rows for each that it measures.
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
    // From below: where a row stands depends on those above it alone.
    for (const row of [...(rows.current?.children ?? [])].reverse()) measure(row);
  });
  return { virtual, observed };
}
