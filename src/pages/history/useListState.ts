/** The state of the list, bound to its page: measures for the events and performs the effects. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { anchorOf } from './entry.tsx';
import { type ListEffect, type ListEvent, type ListState, reduce } from './listState.ts';
import { remember } from './pageState.ts';
import { firstVisibleIn, focusOn, Keeper, nextFrame, restOf, usersHand, whenSeen } from './place.ts';
import type { useVirtualRows } from './virtualRows.ts';

interface Options {
  state: RefObject<ListState>;
  items: readonly PageItem[];
  isFiltered: boolean;
  scroller: RefObject<HTMLElement | null>;
  virtual: ReturnType<typeof useVirtualRows>['virtual'];
  placeOf(key: string): number;
  move(key: string): void;
  onOldest(): void;
  onNewest(isNewest: boolean): void;
}

export function useListState(options: Options) {
  const { state, items, isFiltered, scroller, virtual, placeOf, move, onOldest, onNewest } = options;
  const [keeper] = useState(() => new Keeper());
  const [inNextFrame] = useState(nextFrame);
  const [hand] = useState(usersHand);

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
      case 'keep':
        return keep(effect, element);
      case 'release':
        return keeper.release();
      case 'measure':
        return measure();
      case 'look':
        return inNextFrame(() => send({ type: 'looked', visible: firstVisibleIn(element) }));
      case 'remember':
        return remember({ reading: effect.position.key, offset: effect.position.offset });
      case 'tellNewest':
        return onNewest(effect.isNewest);
      case 'loadOlder':
        return onOldest();
    }
  };

  const keep = ({ index, offset, isMeasured }: Extract<ListEffect, { type: 'keep' }>, element: HTMLElement) => {
    const key = items[index]?.key;
    if (key === undefined) return;
    virtual.cancelScroll();
    if (!document.getElementById(anchorOf(key))) {
      element.scrollTop = (virtual.getOffsetForIndex(index, 'start')?.[0] ?? 0) - offset;
    }
    keeper.keep(element, { key, offset }, isMeasured, measure);
  };

  const measure = () => {
    if (!scroller.current || items.length === 0) return;
    send({ type: 'measured', rest: restOf(scroller.current), isFiltered });
  };

  // What is in the page are still the rows of before.
  const shown = useRef({ items, isFiltered });
  if (shown.current.items !== items) {
    const was = shown.current;
    shown.current = { items, isFiltered };
    if (scroller.current && was.items.length > 0) {
      send({
        type: 'itemsChanging',
        rest: restOf(scroller.current),
        isFiltered: was.isFiltered,
        visible: firstVisibleIn(scroller.current),
        isKeeping: keeper.isKeeping,
      });
    }
  }
  useLayoutEffect(() => {
    if (items.length === 0) return;
    const { type, position } = state.current;
    const { key = '' } = position;
    // Looking through all items is saved where it doesn't matter.
    const index = type === 'following' ? -1 : placeOf(key);
    send({ type: 'itemsChanged', index, isOnPage: document.getElementById(anchorOf(key)) !== null });
  }, [items]);
  useLayoutEffect(() => send({ type: 'laidOut' }));

  const goTo = (index: number, takesFocus: boolean) => {
    const key = items[index]?.key;
    if (key === undefined || !scroller.current) return;
    move(key);
    send({ type: 'goTo' });
    if (takesFocus) focusOn(anchorOf(key));
    // Where it was on the screen already, nothing scrolls.
    whenSeen(scroller.current, anchorOf(key), measure);
  };

  const onScroll = () => {
    const { current: element } = scroller;
    if (!element || items.length === 0) return;
    send({
      type: 'scrolled',
      top: element.scrollTop,
      rest: restOf(element),
      isFiltered,
      isByHand: hand.isOn(),
      isKeeping: keeper.isKeeping,
    });
  };

  return { send, goTo, onScroll, hand };
}
