/** The rows of the history, of which only those near the screen are in the page. */
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { anchorOf, keyOf } from './entry.tsx';
import { remember, remembered } from './pageState.ts';
import {
  FRAMES,
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
import { useVirtualRows } from './virtualRows.ts';

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
  items: readonly PageItem[];
  /** Some items are left out: the end of the others is not the newest. */
  isFiltered: boolean;
  handle: { current: ListHandle | null };
  /** The item that the keys are pressed on. */
  current: number;
  before: ComponentChildren;
  after: ComponentChildren;
  row(item: PageItem, index: number): preact.JSX.Element;
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
  isFiltered,
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
  const rows = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  /** What comes is followed: the newest is on the screen. */
  const follows = useRef(remembered().reading === undefined);
  /** The place to come back to is not loaded yet: where the list stands meanwhile means nothing. */
  const isSeeking = useRef(!follows.current);
  /** What is read; what is to stay in its place when rows come beside it. */
  const reading = useRef<Reading>({ key: remembered().reading, offset: remembered().offset });
  const held = useRef<Reading>(undefined);
  /** Ends what keeps the list in its place. */
  const keeping = useRef<AbortController>(undefined);
  const lastTop = useRef(0);
  const looking = useRef(0);
  const hand = useRef(usersHand()).current;
  const short = useRef(onShort);
  short.current = onShort;

  const { virtual, observed } = useVirtualRows({
    ...{ items, scroller, rows, margin },
    kept: Math.min(current, items.length - 1),
    first: () => (follows.current ? items.length : Math.max(0, placeOf(reading.current.key ?? ''))),
  });

  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  const isKeeping = () => keeping.current?.signal.aborted === false;
  /** Says whether the newest is on the screen, as the list stands now. */
  const settle = () => {
    if (!scroller.current || items.length === 0 || isSeeking.current) return;
    if (restOf(scroller.current) <= AT_END && !isFiltered) follows.current = true;
    onNewest(follows.current);
  };
  const goTo = (index: number, takesFocus: boolean) => {
    const key = items[index]?.key;
    if (key === undefined || !scroller.current) return;
    move(key);
    keeping.current?.abort();
    held.current = undefined;
    follows.current = false;
    isSeeking.current = false;
    if (takesFocus) focusOn(anchorOf(key));
    // Where it was on the screen already, nothing scrolls.
    whenSeen(scroller.current, anchorOf(key), settle);
  };
  /** Has an item stand where it is said, as far as there is room. */
  const stand = (index: number, offset: number, frames = FRAMES) => {
    const { current: element } = scroller;
    const key = items[index]?.key;
    if (!element || key === undefined) return;
    keeping.current?.abort();
    virtual.cancelScroll();
    if (!document.getElementById(anchorOf(key))) {
      element.scrollTop = (virtual.getOffsetForIndex(index, 'start')?.[0] ?? 0) - offset;
    }
    keeping.current = keepPlace(element, { key, offset }, frames, settle);
  };

  useImperativeHandle(handle, () => ({
    toNewest() {
      keeping.current?.abort();
      virtual.cancelScroll();
      held.current = undefined;
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
      const offset = (scroller.current?.clientHeight ?? 0) / 2;
      stand(index, offset);
      // It is the place to come back to, even if the page is hidden before it is painted.
      reading.current = { key: items[index]?.key, offset };
      remember({ reading: reading.current.key, offset });
    },
    hold(index) {
      const { key = '' } = items[index] ?? {};
      const element = document.getElementById(anchorOf(key));
      if (!element || !scroller.current) return;
      held.current = { key, offset: offsetIn(scroller.current, element) };
    },
  }));

  // While what is in the page are the rows of before.
  const shown = useRef({ items, isFiltered });
  if (shown.current.items !== items) {
    const was = shown.current;
    shown.current = { items, isFiltered };
    if (scroller.current && was.items.length > 0 && !isSeeking.current) {
      if (!was.isFiltered && restOf(scroller.current) <= AT_END) follows.current = true;
      else if (!isKeeping()) reading.current = held.current ?? readingIn(scroller.current) ?? reading.current;
    }
  }
  // At the newest, as long as that is on the screen; else where one reads, whatever comes or goes.
  useLayoutEffect(() => {
    if (items.length === 0) return;
    const { key = '', offset } = reading.current;
    const index = follows.current ? -1 : placeOf(key);
    // Where it is on the screen, it has moved by very little.
    const isThere = !isSeeking.current && document.getElementById(anchorOf(key)) !== null;
    isSeeking.current &&= index < 0;
    if (index >= 0) stand(index, offset, isThere ? 1 : FRAMES);
    if (!isSeeking.current) onNewest(follows.current);
  }, [items]);
  const { activeElement } = document;
  const hadFocus = rows.current?.contains(activeElement);
  useLayoutEffect(() => {
    if (follows.current || isSeeking.current) toEnd();
    // A row that moved among the others has lost the focus; so has one that went.
    if (!hadFocus || document.activeElement !== document.body) return;
    if (activeElement instanceof HTMLElement && activeElement.isConnected) activeElement.focus({ preventScroll: true });
    else focusOn(anchorOf(items[current]?.key ?? ''));
  });

  // Pictures and fonts, too, make what is around the rows taller after it was painted.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      setMargin(top.current?.offsetHeight ?? 0);
      if (follows.current || isSeeking.current) toEnd();
      const { scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
      if (scrollHeight <= clientHeight) short.current();
    });
    for (const one of [rows.current, top.current, bottom.current, scroller.current]) if (one) observer.observe(one);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const { current: element } = scroller;
    // While rows are measured anew, it is not the person who scrolls.
    if (!element || items.length === 0 || isKeeping()) return;
    const { scrollTop } = element;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    // Rows that change their size move the list a little; a screen reader moves it without a hand.
    const isMoved = hand.isOn() || (isUp && restOf(element) > NEAR);
    if (isSeeking.current && !isMoved) return;
    isSeeking.current = false;
    if (isMoved) held.current = undefined;
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
    virtual.scrollToIndex(index);
    // Beyond them is what says where the history ends.
    if (index === 0) scroller.current?.scrollTo({ top: 0 });
    if (index === items.length - 1) {
      follows.current = !isFiltered;
      toEnd();
    }
  };

  const nextOf = (key: string): number | undefined => {
    const { start = 0 } = virtual.measurementsCache[current] ?? {};
    const height = (scroller.current?.clientHeight ?? 0) * 0.9;
    const page = (by: number) => virtual.getVirtualItemForOffset(start + by * height)?.index ?? current;
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
        const one = target instanceof Element && target.closest('.row');
        if (one) move(keyOf(one));
      }}
    >
      <div ref={top}>{before}</div>
      <div
        ref={rows}
        class="rows"
        role={items.length > 0 ? 'feed' : undefined}
        style={{ height: `${virtual.getTotalSize()}px` }}
      >
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <div key={key} ref={observed} class="placed" data-index={index} style={{ top: `${start - margin}px` }}>
            <Row items={items} index={index} row={row} />
          </div>
        ))}
      </div>
      <div ref={bottom}>{after}</div>
    </main>
  );
}

/** A row, rendered again only where it may be another: not when it merely moves. */
class Row extends Component<Pick<Props, 'items' | 'row'> & { index: number }> {
  override shouldComponentUpdate({ items, row, index }: Row['props']): boolean {
    return items !== this.props.items || row !== this.props.row || index !== this.props.index;
  }
  override render() {
    const { items, row, index } = this.props;
    const item = items[index];
    return item && row(item, index);
  }
}
