/** The rows of the history, of which only those near the screen are in the page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Item } from '../protocol.ts';
import { anchorOf, keyOf } from './entry.tsx';
import { useGrowth } from './growth.ts';
import {
  focusOn,
  keepPlace,
  NOWHERE,
  offsetIn,
  type Reading,
  readingIn,
  restOf,
  usersHand,
  whenSeen,
} from './place.ts';
import { remember, remembered } from './remembering.ts';

/** This close to the first item (pixels) more are asked for. */
const NEAR = 120;
/** This close to the end (pixels) is at the end: where things stand between pixels there is a rest. */
const AT_END = 4;

export interface ListHandle {
  toNewest(): void;
  /** The place to come back to is not there any more. */
  letGo(): void;
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
  /** Where an item is, or the next one that is shown; -1 where it is not loaded. */
  placeOf(key: string): number;
  /** The keys are pressed on another item now. */
  move(key: string): void;
  /** The person has scrolled to the first of the items. */
  onOldest(): void;
  /** There is room for more than all items. */
  onShort(): void;
  onNewest(isNewest: boolean): void;
}

export function List({
  items,
  handle,
  current,
  before,
  after,
  row,
  placeOf,
  move,
  onOldest,
  onShort,
  onNewest,
}: Props) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const top = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const [startMargin, setStartMargin] = useState(0);
  const { isShift, generation } = useGrowth(items);
  /** What comes is followed: the newest is on the screen. */
  const follows = useRef(remembered().reading === undefined);
  /** The place to come back to is not loaded yet: where the list stands meanwhile means nothing. */
  const isSeeking = useRef(!follows.current);
  const held = useRef<Reading>(undefined);
  const lastTop = useRef(0);
  const looking = useRef(0);
  const hasFocus = useRef(false);
  const keeping = useRef<AbortController>(undefined);
  const reading = useRef<Reading>({ key: remembered().reading, offset: remembered().offset });
  const hand = useRef(usersHand()).current;

  const short = useRef(onShort);
  short.current = onShort;

  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  /** Says whether the newest is on the screen, as the list stands now. */
  const settle = () => {
    if (!scroller.current || items.length === 0 || isSeeking.current) return;
    if (restOf(scroller.current) <= AT_END) follows.current = true;
    onNewest(follows.current);
  };
  const goTo = (index: number, takesFocus: boolean) => {
    const key = items[index]?.key;
    if (key === undefined || !scroller.current) return;
    move(key);
    keeping.current?.abort();
    follows.current = false;
    isSeeking.current = false;
    if (takesFocus) focusOn(anchorOf(key));
    // Where it was on the screen already, nothing scrolls.
    whenSeen(scroller.current, anchorOf(key), settle);
  };

  useImperativeHandle(handle, () => ({
    toNewest() {
      keeping.current?.abort();
      follows.current = true;
      isSeeking.current = false;
      toEnd();
      settle();
    },
    letGo() {
      isSeeking.current = false;
      settle();
    },
    show(index, takesFocus) {
      goTo(index, takesFocus);
      virtual.current?.scrollToIndex(index, { align: 'center' });
      // It is the place to come back to, even if the page is hidden before it is painted.
      reading.current = { key: items[index]?.key, offset: (scroller.current?.clientHeight ?? 0) / 2 };
      remember({ reading: reading.current.key, offset: reading.current.offset });
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
    if ((isNew || isSeeking.current) && !follows.current) {
      const kept = held.current ?? reading.current;
      const index = placeOf(kept.key ?? '');
      isSeeking.current = index < 0;
      if (index >= 0) {
        virtual.current?.scrollToIndex(index, { align: 'start', offset: -kept.offset });
        if (scroller.current) keeping.current = keepPlace(scroller.current, kept, settle);
      }
    }
    if (follows.current || isSeeking.current) toEnd();
    if (!isSeeking.current) onNewest(follows.current);
    // What had the focus went with the list.
    const key = items[current]?.key;
    if (isNew && hasFocus.current && document.activeElement === document.body && key) focusOn(anchorOf(key));
  }, [items, generation]);

  // Pictures, fonts and lazily loaded parts make rows taller after they were painted.
  useEffect(() => {
    const [list] = scroller.current?.getElementsByClassName('rows') ?? [];
    const observer = new ResizeObserver(() => {
      setStartMargin(top.current?.offsetHeight ?? 0);
      if (follows.current || isSeeking.current) toEnd();
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
    const { scrollTop } = element;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    // Rows that change their size move the list a little; a screen reader moves it without a hand.
    const isMoved = hand.isOn() || (isUp && restOf(element) > NEAR);
    if (isSeeking.current && !isMoved) return;
    isSeeking.current = false;
    held.current = undefined;
    if (isUp && isMoved) follows.current = false;
    settle();
    if (scrollTop < NEAR) onOldest();
    // The rows of this place are not in the page before the next frame.
    cancelAnimationFrame(looking.current);
    looking.current = requestAnimationFrame(() => {
      reading.current = readingIn(element) ?? reading.current;
      const { key, offset } = follows.current ? NOWHERE : reading.current;
      remember({ reading: key, offset });
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    hand.moves(event);
    if (event.key === 'Escape' && target instanceof Element) target.closest<HTMLElement>('.row')?.focus();
    const isHere = target === scroller.current || (target instanceof Element && target.matches('.row'));
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
      onWheel={hand.moves}
      onTouchMove={hand.moves}
      onPointerDown={hand.moves}
      onPointerMove={hand.moves}
      onPointerUp={hand.moves}
      onFocusIn={({ target }) => {
        hasFocus.current = true;
        const one = target instanceof Element && target.closest('.row');
        if (one) move(keyOf(one));
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
