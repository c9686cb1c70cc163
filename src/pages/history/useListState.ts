/** Binds the list state to the page: measures for its events and performs its effects. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { offsetIn, ScrollAnchor } from '../common/scrollAnchor.ts';
import type { useVirtualRows } from '../common/virtualRows.tsx';
import { anchorOf } from './entry.tsx';
import { type ListEffect, type ListEvent, type ListState, reduce } from './listState.ts';
import { remember } from './pageState.ts';
import {
  distanceToEnd,
  firstVisibleIn,
  focusWhenVisible,
  hasSelectionIn,
  nextFrame,
  trackUserInput,
  whenVisible,
} from './scrollPosition.ts';

interface Options {
  state: RefObject<ListState>;
  items: readonly PageItem[];
  isFiltered: boolean;
  scroller: RefObject<HTMLElement | null>;
  virtual: ReturnType<typeof useVirtualRows>['virtual'];
  indexOf(key: string): number;
  move(key: string): void;
  onOldest(): void;
  onNewest(isNewest: boolean): void;
}

export function useListState(options: Options) {
  const { state, items, isFiltered, scroller, virtual, indexOf, move, onOldest, onNewest } = options;
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
    // If it is already visible, no scroll event follows. Of a tall message, what is sought may be above.
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
