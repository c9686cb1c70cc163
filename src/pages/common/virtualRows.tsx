/**
 * A list of which only the rows near the screen are rendered. Binds the virtual list, which knows no framework, to preact:
 * which rows are rendered again, where they are, and where keys lead.
 */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import { Component, type ComponentChild, type RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

/** The height of a row until it is measured, in pixels. */
const ROW_HEIGHT = 60;

/** How many rows are rendered beyond the screen, above and below. */
const OVERSCAN = 2;

interface Options {
  items: readonly { readonly key: string }[];
  scroller: RefObject<HTMLElement | null>;
  /** The index of a row that is always rendered. */
  pinned: number;
  /** The index of the row that is at the top initially. */
  first?(): number;
  /** The scrolled part of the page, or something in it, has changed its size. */
  onResize?(part: HTMLElement): void;
}

/** The virtual list, and all that a page needs to render it: the part above the rows has the ref `top`. */
export function useVirtualRows({ items, scroller, pinned, first = () => 0, onResize }: Options) {
  const top = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  /** The distance from the start of the scrolled content to the first row, in pixels. */
  const [margin, setMargin] = useState(0);
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
      // The rows are in order: the browser would scroll to a focused row that is moved in the page.
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
    // Keeps the top row in place. It isn't always on: the list would sum up all rows for each measurement.
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
    // Rows are measured from below: the position of a row depends only on those above it.
    for (const row of [...(rows.current?.children ?? [])].reverse()) measure(row);
  });
  const resized = useRef(onResize);
  resized.current = onResize;
  // Images and fonts may change the height of what surrounds the rows after the first paint.
  useEffect(() => {
    const { current: part } = scroller;
    if (!part) return;
    const surroundings = new ResizeObserver(() => {
      setMargin(top.current?.offsetHeight ?? 0);
      resized.current?.(part);
    });
    for (const one of [part, ...part.children]) surroundings.observe(one);
    return () => surroundings.disconnect();
  }, []);
  return { virtual, top, rows, margin, observed };
}

interface RowsProps {
  list: ReturnType<typeof useVirtualRows>;
  /** The content of the row at an index. */
  row(index: number): ComponentChild;
}

/** The rows near the screen. Each has its index as `data-index`. */
export function VirtualRows({ list: { virtual, rows, margin, observed }, row }: RowsProps) {
  return (
    <div
      ref={rows}
      class="rows"
      role={virtual.options.count > 0 ? 'feed' : undefined}
      style={{ height: `${virtual.getTotalSize()}px` }}
    >
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <div key={key} ref={observed} class="placed" data-index={index} style={{ top: `${start - margin}px` }}>
          {row(index)}
        </div>
      ))}
    </div>
  );
}

type Rows = Virtualizer<HTMLElement, HTMLElement>;

/** The part of the screen that a page key scrolls by. */
const PAGE = 0.9;

const heightOf = (virtual: Rows) => virtual.scrollElement?.clientHeight ?? 0;

/** Whether a row doesn't fit on the screen, so that it's read in parts. */
function isTall({ start, end }: { readonly start: number; readonly end: number }, virtual: Rows): boolean {
  return end - start > heightOf(virtual);
}

/** Scrolls on in a row that is taller than the screen, if a page key was pressed and there's more of it. Whether it did. */
function pageWithin({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, current: number, virtual: Rows): boolean {
  const row = virtual.measurementsCache[current];
  const list = virtual.scrollElement;
  if (ctrlKey || metaKey || altKey || !row || !list || !isTall(row, virtual)) return false;
  const above = list.scrollTop - row.start;
  const below = row.end - list.scrollTop - heightOf(virtual);
  // A focused row that is off the screen was left behind by scrolling.
  if (Math.min(above, below) < -heightOf(virtual)) return false;
  const left = key === 'PageDown' ? below : key === 'PageUp' ? above : 0;
  if (left < 1) return false;
  virtual.cancelScroll();
  const by = Math.min(left, PAGE * heightOf(virtual));
  list.scrollTop += key === 'PageDown' ? by : -by;
  return true;
}

/** Scrolls to a row that a key leads to. A row that is taller than the screen is read from its start, or upward from its end. */
export function scrollToRow(index: number, key: string, virtual: Rows): void {
  const row = virtual.measurementsCache[index];
  if (!row || !isTall(row, virtual)) virtual.scrollToIndex(index);
  else virtual.scrollToIndex(index, { align: key === 'PageUp' ? 'end' : 'start' });
}

/**
 * The index of the row that an arrow key, Home, End or a page key leads to; undefined for any other key, and in what is in a
 * row: Escape leads from there to the row. A page key first leads through a row that is taller than the screen.
 */
export function nextRow(event: KeyboardEvent, current: number, virtual: Rows): number | undefined {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (!(target instanceof Element)) return undefined;
  if (key === 'Escape') target.closest<HTMLElement>('.row')?.focus();
  // An empty list has no element to scroll.
  if (target !== virtual.scrollElement && !target.matches('.row')) return undefined;
  const isInRow = pageWithin(event, current, virtual);
  const last = virtual.options.count - 1;
  const next = isInRow || ctrlKey || metaKey || altKey ? undefined : nextOf(key, current, last, virtual);
  if (isInRow || next !== undefined) event.preventDefault();
  return next === undefined ? undefined : Math.max(0, Math.min(last, next));
}

function nextOf(key: string, current: number, last: number, virtual: Rows): number | undefined {
  const { start = 0 } = virtual.measurementsCache[current] ?? {};
  const height = heightOf(virtual) * PAGE;
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

/** A row that is rendered again only if one of its properties has changed. */
export function memo<Props extends object>(show: (props: Props) => ComponentChild) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== this.props[name]);
    }
    override render() {
      return show(this.props);
    }
  };
}
