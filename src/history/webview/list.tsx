/** The rows of the history, of which only those near the screen are in the page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Item } from '../protocol.ts';
import { anchorOf, keyOf } from './entry.tsx';
import { remember, remembered } from './host.ts';

/** This close to an end (pixels) counts as being there. */
const NEAR = 120;
/** How many frames it takes at most until rows that come into view are measured. */
const FRAMES = 30;

export interface ListHandle {
  toNewest(): void;
  /** Brings an item into view, and the focus to it if that is to be there. */
  show(index: number, takesFocus: boolean): void;
  /** When rows come beside this one, it stays where it is now, unless the person goes on before. */
  hold(index: number): void;
}

interface Props {
  items: readonly Item[];
  handle: { current: ListHandle | null };
  /** The item that the keys are pressed on. */
  current: number;
  before: ComponentChildren;
  after: ComponentChildren;
  row(item: Item, index: number): preact.JSX.Element;
  /** The keys are pressed on another item now. */
  move(key: string): void;
  /** The person has scrolled to the first of the items. */
  onOldest(): void;
  /** There is room for more than all items. */
  onShort(): void;
  onNewest(isNewest: boolean): void;
}

export function List({ items, handle, current, before, after, row, move, onOldest, onShort, onNewest }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const top = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const [startMargin, setStartMargin] = useState(0);
  const { isShift, generation } = useGrowth(items);
  const isAtNewest = useRef(remembered().reading === undefined);
  const held = useRef<Reading>(undefined);
  const lastTop = useRef(0);
  const looking = useRef(0);
  const hasFocus = useRef(false);
  const keeping = useRef<AbortController>(undefined);
  const reading = useRef<Reading>({ key: remembered().reading, offset: remembered().offset });

  const short = useRef(onShort);
  short.current = onShort;

  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  const goTo = (index: number, takesFocus: boolean) => {
    const key = items[index]?.key;
    if (key === undefined) return;
    move(key);
    keeping.current?.abort();
    isAtNewest.current = false;
    if (takesFocus) focusOn(anchorOf(key));
  };

  useImperativeHandle(handle, () => ({
    toNewest() {
      keeping.current?.abort();
      isAtNewest.current = true;
      toEnd();
    },
    show(index, takesFocus) {
      goTo(index, takesFocus);
      virtual.current?.scrollToIndex(index, { align: 'center' });
      // It is the place to come back to, even if the page is hidden before it is painted.
      remember({ reading: items[index]?.key, offset: (scroller.current?.clientHeight ?? 0) / 2 });
    },
    hold(index) {
      const { key = '' } = items[index] ?? {};
      const element = document.getElementById(anchorOf(key));
      if (!element || !scroller.current) return;
      held.current = { key, offset: offsetIn(scroller.current, element) };
    },
  }));

  // Where one read before, in a list that was made anew; else at the newest, as long as that is on the screen.
  const placed = useRef(-1);
  useLayoutEffect(() => {
    if (items.length === 0) return;
    const isNew = placed.current !== generation;
    placed.current = generation;
    const kept = held.current ?? reading.current;
    const index = isNew && !isAtNewest.current ? items.findIndex(({ key }) => key === kept.key) : -1;
    if (index >= 0) {
      virtual.current?.scrollToIndex(index, { align: 'start', offset: -kept.offset });
      if (scroller.current) keeping.current = keepPlace(scroller.current, kept);
    } else if (isNew) isAtNewest.current = true;
    if (isAtNewest.current) toEnd();
    onNewest(isAtNewest.current);
    // What had the focus went with the list.
    const key = items[current]?.key;
    if (isNew && hasFocus.current && document.activeElement === document.body && key) focusOn(anchorOf(key));
  }, [items, generation]);

  // Pictures, fonts and lazily loaded parts make rows taller after they were painted.
  useEffect(() => {
    const [list] = scroller.current?.getElementsByClassName('rows') ?? [];
    const observer = new ResizeObserver(() => {
      setStartMargin(top.current?.offsetHeight ?? 0);
      if (isAtNewest.current) toEnd();
      const { scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
      if (scrollHeight <= clientHeight) short.current();
    });
    for (const one of [list, top.current, bottom.current, scroller.current]) if (one) observer.observe(one);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const { current: element } = scroller;
    // While rows are measured anew, it is not the person who scrolls.
    const isKeeping = keeping.current && !keeping.current.signal.aborted;
    if (!element || items.length === 0 || isKeeping) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    held.current = undefined;
    // Rows that grow move the end away from the person, who leaves it only by going up.
    if (scrollHeight - clientHeight - scrollTop < NEAR) isAtNewest.current = true;
    else if (scrollTop < lastTop.current) isAtNewest.current = false;
    lastTop.current = scrollTop;
    onNewest(isAtNewest.current);
    if (scrollTop < NEAR) onOldest();
    // The rows of this place are not in the page before the next frame.
    cancelAnimationFrame(looking.current);
    looking.current = requestAnimationFrame(() => {
      reading.current = readingIn(element) ?? reading.current;
      const { key, offset } = isAtNewest.current ? NOWHERE : reading.current;
      remember({ reading: key, offset });
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key === 'Escape' && target instanceof Element) target.closest<HTMLElement>('article')?.focus();
    const isHere = target === scroller.current || (target instanceof Element && target.matches('article'));
    const next = isHere && !event.ctrlKey && !event.metaKey && !event.altKey ? nextOf(event.key) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(items.length - 1, next));
    goTo(index, true);
    virtual.current?.scrollToIndex(index, { align: 'nearest' });
    // Beyond them is what says where the history ends.
    if (index === 0) scroller.current?.scrollTo({ top: 0 });
    if (index === items.length - 1) toEnd();
  };

  const nextOf = (key: string): number | undefined => {
    const { current: view } = virtual;
    if (!view) return undefined;
    const page = (by: number) => view.findItemIndex(view.getItemOffset(current) + by * view.viewportSize * 0.9);
    switch (key) {
      case 'ArrowUp':
        return current - 1;
      case 'ArrowDown':
        return current + 1;
      case 'Home':
        return 0;
      case 'End':
        return items.length - 1;
      case 'PageUp':
        return Math.min(page(-1), current - 1);
      case 'PageDown':
        return Math.max(page(1), current + 1);
    }
  };

  return (
    <main
      ref={scroller}
      tabIndex={items.length === 0 ? 0 : -1}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        hasFocus.current = true;
        const article = target instanceof Element && target.closest('article');
        if (article) move(keyOf(article));
      }}
      onFocusOut={() => {
        hasFocus.current = false;
      }}
    >
      <div ref={top}>{before}</div>
      <div class="rows" role="feed">
        <Virtualizer
          key={generation}
          ref={virtual}
          data={items}
          shift={isShift}
          scrollRef={scroller}
          startMargin={startMargin}
          keepMounted={items.length > 0 ? [Math.min(current, items.length - 1)] : []}
        >
          {row}
        </Virtualizer>
      </div>
      <div ref={bottom}>{after}</div>
    </main>
  );
}

/**
 * How a list became another: `isShift` where rows came at its beginning, and another generation where it changed in the
 * middle, so that the sizes of its rows are to be measured anew.
 */
function useGrowth(items: readonly Item[]) {
  const last = useRef({ items, generation: 0, isShift: false });
  const { items: before, generation } = last.current;
  if (items !== before) {
    const by = items.length - before.length;
    const isAt = (index: number, old: number) => items[index]?.key === before[old]?.key;
    const isSame = by === 0 && isAt(0, 0) && isAt(items.length - 1, before.length - 1);
    const isAppended = isAt(0, 0) && isAt(before.length - 1, before.length - 1);
    const isShift = by > 0 && isAt(by, 0) && isAt(items.length - 1, before.length - 1);
    const isAnew = before.length > 0 && !isSame && !isAppended && !isShift;
    last.current = { items, generation: isAnew || before.length === 0 ? generation + 1 : generation, isShift };
  }
  return last.current;
}

/** The newest is on the screen: there is no place to come back to. */
const NOWHERE: Reading = { key: undefined, offset: 0 };

/** What is read, and how far below the upper edge it stands. */
interface Reading {
  readonly key: string | undefined;
  readonly offset: number;
}

/** The first message that is on the screen, if there is one. */
function readingIn(scroller: Element): Reading | undefined {
  const { top, bottom } = scroller.getBoundingClientRect();
  for (const article of scroller.getElementsByTagName('article')) {
    const place = article.getBoundingClientRect();
    // The one that has the focus is in the page wherever it is.
    if (place.bottom > top && place.top < bottom) return { key: keyOf(article), offset: offsetIn(scroller, article) };
  }
  return undefined;
}

const offsetIn = (scroller: Element, element: Element) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

/** Keeps what is read where it was, while the rows above it are measured; the person's next move ends that, as one may. */
function keepPlace(scroller: Element, { key, offset }: Reading): AbortController {
  const moved = new AbortController();
  for (const move of ['wheel', 'keydown', 'pointerdown']) {
    addEventListener(move, () => moved.abort(), { signal: moved.signal, capture: true });
  }
  const keep = (frames: number) => {
    if (frames === 0) moved.abort();
    if (moved.signal.aborted) return;
    const element = document.getElementById(anchorOf(key ?? ''));
    const apart = element ? offsetIn(scroller, element) - offset : 0;
    if (Math.abs(apart) > 0.5) scroller.scrollTop += apart;
    requestAnimationFrame(() => keep(frames - 1));
  };
  keep(FRAMES);
  return moved;
}

/** Gives the focus to an element as soon as it is in the page and can be seen. */
function focusOn(id: string, frames = FRAMES): void {
  const element = document.getElementById(id);
  element?.focus({ preventScroll: true });
  if (frames > 0 && (!element || document.activeElement !== element)) {
    requestAnimationFrame(() => focusOn(id, frames - 1));
  }
}
