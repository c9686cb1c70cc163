/** The virtual list of messages: only rows near the viewport are rendered. */
import type { ComponentChild, ComponentChildren, RefObject } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { focusOnReturn, useLostFocus } from '../common/focus.ts';
import { formatDay } from '../common/formats.ts';
import { l10n, postToHistory } from '../common/host.ts';
import { offsetIn, ScrollAnchor } from '../common/scrollAnchor.ts';
import { memo, nextRow, scrollToRow, useVirtualRows, VirtualRows } from '../common/virtualRows.tsx';
import { anchorOf, keyOf } from './entry.tsx';
import { initialState, type ListEffect, type ListEvent, type ListState, reduce } from './listState.ts';
import { remember, remembered } from './pageState.ts';
import { messageOf } from './rows.ts';
import {
  distanceToEnd,
  type FindPlace,
  firstVisibleIn,
  focusWhenVisible,
  hasSelectionIn,
  isInside,
  nextFrame,
  trackUserInput,
  whenPlaced,
  whenVisible,
} from './scrollPosition.ts';

export interface ListHandle {
  /** Scrolls to the newest message, and focuses it. */
  toNewest(): void;
  /** Focuses the item that takes the focus if it's visible, or else the first visible one: nothing is scrolled. */
  focus(): void;
  /** Stops waiting for a message to restore that no longer exists. */
  cancelSeek(): void;
  /** Scrolls to an item, to the middle of the list by default, and focuses it if `takesFocus`. */
  show(index: number, options: ShowOptions): void;
  /** Keeps an item where it is while rows are added next to it, until the user scrolls. */
  pin(index: number): void;
}

interface ShowOptions {
  readonly takesFocus?: boolean;
  readonly isAtTop?: boolean | undefined;
  /** A place in the item that should be visible, which may be far below its top. */
  readonly place?: FindPlace | undefined;
}

interface Props {
  items: readonly PageItem[];
  /** Whether items are hidden, so that the end of the list isn't the newest message. */
  isFiltered: boolean;
  handle: { current: ListHandle | null };
  /** The index of the focused item. */
  current: number;
  /** The buttons in the bar above the messages, where they cover none of the messages' own. */
  jumps: ComponentChildren;
  before: ComponentChildren;
  after: ComponentChildren;
  /** The item at an index. Another function if what it shows may have changed. */
  row(index: number): ComponentChild;
  /** The index of an item, or of the next visible one; -1 if it isn't loaded. */
  indexOf(key: string): number;
  /** The focus has moved to another item. */
  move(key: string): void;
  /** The user has scrolled to the first item. */
  onOldest(): void;
  /** Called if the items don't fill the viewport. */
  onShort(): void;
  onNewest(isNewest: boolean): void;
}

export function List(props: Props) {
  const { items, isFiltered, handle, current, jumps, before, after, row, indexOf, move, onShort } = props;
  const scroller = useRef<HTMLElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  /** The item that was shown last. */
  const showing = useRef<string>(undefined);

  const [{ reading, offset, focused }] = useState(remembered);
  const state = useRef(initialState({ key: reading, offset }));
  const list = useVirtualRows({
    items,
    scroller,
    pinned: Math.min(current, items.length - 1),
    first() {
      const { type, position } = state.current;
      return type === 'following' ? items.length : Math.max(0, indexOf(position.key ?? ''));
    },
    onResize({ scrollHeight, clientHeight }) {
      onLaidOut();
      if (scrollHeight > clientHeight) return;
      // All items are visible, so that nothing can be scrolled.
      measure();
      onShort();
    },
  });
  const { virtual, top, rows } = list;
  const { send, goTo, onScroll, onLaidOut, measure, userInput } = useListState({ ...props, state, scroller, virtual });

  const focusVisible = () => {
    const { current: element } = scroller;
    if (!element) return;
    const row = document.getElementById(anchorOf(items[current]?.key ?? ''));
    const first =
      row && isInside(element, row) ? row : document.getElementById(anchorOf(firstVisibleIn(element)?.key ?? ''));
    (first ?? element).focus({ preventScroll: true });
  };

  useImperativeHandle(handle, () => ({
    toNewest() {
      const { key } = items.at(-1) ?? {};
      send({ type: 'jumpToNewest' });
      if (key === undefined) return;
      move(key);
      focusWhenVisible(anchorOf(key));
    },
    focus: focusVisible,
    cancelSeek: () => send({ type: 'seekFailed' }),
    show(index, { takesFocus = false, isAtTop = false, place }) {
      const { key } = items[index] ?? {};
      if (key === undefined || !scroller.current) return;
      goTo(index, takesFocus);
      const offset = isAtTop ? 0 : scroller.current.clientHeight / 2;
      send({ type: 'show', index, position: { key, offset } });
      showing.current = key;
      const { clientHeight } = scroller.current;
      if (place) {
        whenPlaced(anchorOf(key), place, (depth, bottom) => {
          if (showing.current !== key || offset + bottom <= clientHeight) return;
          send({ type: 'goTo' });
          send({ type: 'show', index, position: { key, offset: offset - depth } });
        });
      }
      if (takesFocus) whenVisible(scroller.current, anchorOf(key), (row) => row.classList.add('shown'));
    },
    pin(index) {
      const { key = '' } = items[index] ?? {};
      const element = document.getElementById(anchorOf(key));
      if (!element || !scroller.current) return;
      send({ type: 'pin', position: { key, offset: offsetIn(scroller.current, element) } });
    },
  }));

  // A row loses the focus when it is moved or removed.
  useLostFocus(rows, (element) => {
    if (element.isConnected) element.focus({ preventScroll: true });
    else focusWhenVisible(anchorOf(items[current]?.key ?? ''));
  });
  // There may be nothing left to load.
  useLostFocus(top, focusVisible);
  useLostFocus(bottom, focusVisible);

  // The element that had the focus last, as the page loses the focus before it's hidden.
  useEffect(() => {
    const keepFocus = ({ target }: FocusEvent) => {
      const message = target instanceof Element ? target.closest('.entry') : null;
      remember({ focused: message ? keyOf(message) : undefined });
    };
    document.addEventListener('focusin', keepFocus);
    return () => document.removeEventListener('focusin', keepFocus);
  }, []);
  const returnsTo = useRef(focused);
  useEffect(() => {
    const { current: key } = returnsTo;
    if (key === undefined || indexOf(key) < 0) return;
    returnsTo.current = undefined;
    focusOnReturn(() => focusWhenVisible(anchorOf(key)));
  }, [items]);

  const onKeyDown = (event: KeyboardEvent) => {
    userInput.record(event);
    const index = nextRow(event, current, virtual);
    if (index === undefined) return;
    goTo(index, true);
    scrollToRow(index, event.key, virtual);
    // The part before the first item is shown, too.
    if (index === 0) scroller.current?.scrollTo({ top: 0 });
    if (index === items.length - 1) send({ type: 'goToEnd', isFiltered });
  };

  // Updated with the rendered rows.
  const { startIndex = 0, endIndex = -1 } = virtual.range ?? {};
  return (
    <>
      {items.length > 0 && (
        <div class="list-bar">
          <DayBar visible={items.slice(startIndex, endIndex + 1)} />
          <div class="jumps">{jumps}</div>
        </div>
      )}
      <main
        ref={scroller}
        tabIndex={items.length === 0 ? 0 : -1}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onWheel={userInput.record}
        onTouchMove={userInput.record}
        onPointerDown={userInput.record}
        onPointerMove={userInput.record}
        onPointerUp={userInput.record}
        onAnimationEnd={({ target }) => target instanceof Element && target.classList.remove('shown')}
        onFocusIn={({ target }) => {
          const one = target instanceof Element && target.closest('.row');
          if (one) move(keyOf(one));
        }}
      >
        <div ref={top} class="above-rows">
          {before}
        </div>
        <VirtualRows list={list} row={(index) => <Row index={index} row={row} />} />
        <div ref={bottom}>{after}</div>
      </main>
    </>
  );
}

interface Bound extends Props {
  state: RefObject<ListState>;
  scroller: RefObject<HTMLElement | null>;
  virtual: ReturnType<typeof useVirtualRows>['virtual'];
}

/** Binds the state of the list to the page: measures for its events and performs its effects. */
function useListState(bound: Bound) {
  const { state, items, isFiltered, scroller, virtual, indexOf, move, onOldest, onNewest } = bound;
  const [anchor] = useState(() => new ScrollAnchor());
  const [inNextFrame] = useState(nextFrame);
  const [userInput] = useState(trackUserInput);

  const send = (event: ListEvent) => {
    const { state: next, effects } = reduce(state.current, event);
    state.current = next;
    for (const effect of effects) if (scroller.current) perform(effect, scroller.current);
  };

  const perform = (effect: ListEffect, element: HTMLElement) => {
    switch (effect.type) {
      case 'scrollToEnd':
        return element.scrollTo({ top: element.scrollHeight });
      case 'cancelScroll':
        return virtual.cancelScroll();
      case 'anchor':
        return keepInPlace(effect, element);
      case 'releaseAnchor':
        return anchor.release();
      case 'measureEnd':
        return measure();
      case 'measureVisible':
        return inNextFrame(() => send({ type: 'visibleMeasured', visible: firstVisibleIn(element) }));
      case 'savePosition':
        return remember({ reading: effect.position.key, offset: effect.position.offset });
      case 'reportNewest':
        return onNewest(effect.isNewest);
      case 'loadOlder':
        return onOldest();
    }
  };

  const keepInPlace = (
    { index, offset, isMeasured }: Extract<ListEffect, { type: 'anchor' }>,
    element: HTMLElement,
  ) => {
    const key = items[index]?.key;
    if (key === undefined) return;
    virtual.cancelScroll();
    const find = () => document.getElementById(anchorOf(key));
    if (!find()) {
      // Not `getOffsetForIndex`, which stops where the list ends: near the end, the row would be below what is visible.
      element.scrollTop = (virtual.measurementsCache[index]?.start ?? 0) - offset;
    }
    anchor.keep(element, { find, offset, isMeasured }, measure);
  };

  const measure = () => {
    if (!scroller.current || items.length === 0) return;
    send({ type: 'endMeasured', distance: distanceToEnd(scroller.current), isFiltered });
  };

  // The page still shows the previous rows.
  const shown = useRef({ items, isFiltered });
  if (shown.current.items !== items) {
    const was = shown.current;
    shown.current = { items, isFiltered };
    if (scroller.current && was.items.length > 0) {
      send({
        type: 'itemsChanging',
        distance: distanceToEnd(scroller.current),
        isFiltered: was.isFiltered,
        visible: firstVisibleIn(scroller.current),
        isAnchoring: anchor.isActive,
        isSelecting: hasSelectionIn(scroller.current),
      });
    }
  }
  useLayoutEffect(() => {
    if (items.length === 0) return;
    const { type, position } = state.current;
    const { key = '' } = position;
    // Skip the search if the result doesn't matter.
    const index = type === 'following' ? -1 : indexOf(key);
    send({ type: 'itemsChanged', index, isOnPage: document.getElementById(anchorOf(key)) !== null });
  }, [items]);
  const onLaidOut = () => {
    const { current: element } = scroller;
    if (!element) return;
    const { scrollTop, scrollHeight: height } = element;
    send({ type: 'laidOut', scrollTop, distance: distanceToEnd(element), height });
  };
  useLayoutEffect(onLaidOut);

  const goTo = (index: number, takesFocus: boolean) => {
    const key = items[index]?.key;
    if (key === undefined || !scroller.current) return;
    move(key);
    send({ type: 'goTo' });
    if (takesFocus) focusWhenVisible(anchorOf(key));
    // If the item is already visible, no scroll event follows. In a tall message, the sought text may be above the screen.
    whenVisible(scroller.current, anchorOf(key), (row) => {
      if (scroller.current && offsetIn(scroller.current, row) >= 0) measure();
    });
  };

  const onScroll = () => {
    const { current: element } = scroller;
    if (!element || items.length === 0) return;
    send({
      type: 'scrolled',
      scrollTop: element.scrollTop,
      distance: distanceToEnd(element),
      isFiltered,
      isByHand: userInput.isRecent(),
      isAnchoring: anchor.isActive,
    });
  };

  return { send, goTo, onScroll, onLaidOut, measure, userInput };
}

/** The day of the topmost visible message. Leads to other days. `visible` are the visible items, oldest first. */
function DayBar({ visible }: { visible: readonly PageItem[] }) {
  const time = visible.map((item) => messageOf(item)?.sendTime).find((sendTime) => sendTime !== undefined);
  const day = time === undefined ? '' : formatDay(time);
  return (
    <nav aria-label={l10n.t('Go to Date…')}>
      <button
        type="button"
        title={l10n.t('Go to Date…')}
        aria-label={day ? `${day}, ${l10n.t('Go to Date…')}` : undefined}
        onClick={() => postToHistory({ type: 'goToDate', ...(time !== undefined && { from: time }) })}
      >
        {day || l10n.t('Go to Date…')}
      </button>
    </nav>
  );
}

/** A row isn't rendered again if it only moves. */
const Row = memo(({ row, index }: Pick<Props, 'row'> & { index: number }) => row(index));
