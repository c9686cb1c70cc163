/** The rows of the history, of which only those near the screen are in the page. */
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { anchorOf, keyOf } from './entry.tsx';
import { initialState } from './listState.ts';
import { nextRow } from './nextRow.ts';
import { remembered } from './pageState.ts';
import { focusWhenVisible, offsetIn } from './scrollPosition.ts';
import { useListState } from './useListState.ts';
import { useVirtualRows } from './virtualRows.ts';

export interface ListHandle {
  toNewest(): void;
  /** The place to come back to is not there any more. */
  cancelSeek(): void;
  /** Brings an item into view, and the focus to it if that is to be there. */
  show(index: number, takesFocus: boolean): void;
  /** When rows come beside this one, it stays where it is now, unless the person goes on before. */
  pin(index: number): void;
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
  indexOf(key: string): number;
  /** The keys are pressed on another item now. */
  move(key: string): void;
  /** The person has scrolled to the first of the items. */
  onOldest(): void;
  /** There is room for more than all items. */
  onShort(): void;
  onNewest(isNewest: boolean): void;
}

export function List(props: Props) {
  const { items, isFiltered, handle, current, before, after, row, indexOf, move, onShort } = props;
  const scroller = useRef<HTMLElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const short = useRef(onShort);
  short.current = onShort;

  const [{ reading, offset }] = useState(remembered);
  const state = useRef(initialState({ key: reading, offset }));
  const { virtual, observed } = useVirtualRows({
    ...{ items, scroller, rows, margin },
    kept: Math.min(current, items.length - 1),
    first() {
      const { type, position } = state.current;
      return type === 'following' ? items.length : Math.max(0, indexOf(position.key ?? ''));
    },
  });
  const { send, goTo, onScroll, userInput } = useListState({ ...props, state, scroller, virtual });

  useImperativeHandle(handle, () => ({
    toNewest: () => send({ type: 'jumpToNewest' }),
    cancelSeek: () => send({ type: 'seekFailed' }),
    show(index, takesFocus) {
      goTo(index, takesFocus);
      const offset = (scroller.current?.clientHeight ?? 0) / 2;
      send({ type: 'show', index, position: { key: items[index]?.key, offset } });
    },
    pin(index) {
      const { key = '' } = items[index] ?? {};
      const element = document.getElementById(anchorOf(key));
      if (!element || !scroller.current) return;
      send({ type: 'pin', position: { key, offset: offsetIn(scroller.current, element) } });
    },
  }));

  const { activeElement } = document;
  const hadFocus = rows.current?.contains(activeElement);
  useLayoutEffect(() => {
    // A row that moved among the others has lost the focus; so has one that went.
    if (!hadFocus || document.activeElement !== document.body) return;
    if (activeElement instanceof HTMLElement && activeElement.isConnected) activeElement.focus({ preventScroll: true });
    else focusWhenVisible(anchorOf(items[current]?.key ?? ''));
  });

  // Pictures and fonts, too, make what is around the rows taller after it was painted.
  useEffect(() => {
    const { current: element } = scroller;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      setMargin(top.current?.offsetHeight ?? 0);
      send({ type: 'laidOut' });
      if (element.scrollHeight <= element.clientHeight) short.current();
    });
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    userInput.record(event);
    if (event.key === 'Escape' && target instanceof Element) target.closest<HTMLElement>('.row')?.focus();
    const isHere = target === scroller.current || (target instanceof Element && target.matches('.row'));
    const index = isHere ? nextRow(event, current, virtual) : undefined;
    if (index === undefined) return;
    event.preventDefault();
    goTo(index, true);
    virtual.scrollToIndex(index);
    // Beyond them is what says where the history ends.
    if (index === 0) scroller.current?.scrollTo({ top: 0 });
    if (index === items.length - 1) send({ type: 'goToEnd', isFiltered });
  };

  return (
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
      <div>{after}</div>
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
