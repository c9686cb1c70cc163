/** The messages that were found. One of them takes the keyboard focus; the arrow keys move it. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { ListPosition } from '../../protocol/page.ts';
import type { SearchScope } from '../../protocol/search.ts';
import { l10n } from '../common/host.ts';
import { useListPosition } from '../common/listPosition.ts';
import { Result } from './result.tsx';
import type { SearchView } from './searchSession.ts';

interface Props {
  view: SearchView;
  scope: SearchScope;
  scroller: RefObject<HTMLElement | null>;
  /** Leaves the list for the query. */
  leave(): void;
  /** Saves where somebody is in the list. */
  keep(position: ListPosition): void;
}

export function ResultList({ view, scope, scroller, leave, keep }: Props) {
  const { found, shown, waitsFor, returnsTo } = view;
  const [current, setCurrent] = useState(0);
  const names = useMemo(() => new Map(scope.chats.map(({ number, name }) => [number, excerpt(name)])), [scope]);
  useLayoutEffect(() => {
    setCurrent(0);
    scroller.current?.scrollTo({ top: 0 });
  }, [shown]);
  useListPosition({
    scroller,
    keys: useMemo(() => found.map(({ key }) => key), [found]),
    rows: '.results > li',
    focusable: '[data-index]',
    returnsTo,
    keep: (position) => position && keep(position),
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: found.length - 1, Escape: -1 }[key];
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0) leave();
    else focusResult(scroller.current, Math.min(next, found.length - 1));
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    const index = target instanceof Element && target.closest('[data-index]')?.getAttribute('data-index');
    if (index) setCurrent(Number(index));
  };
  // Not compared again for each letter of the query.
  const rows = useMemo(
    () =>
      found.map((one, index) => (
        <Result
          key={one.key}
          found={one}
          index={index}
          chatName={names.get(one.chat) ?? ''}
          isCurrent={index === current}
        />
      )),
    [found, names, current],
  );
  if (found.length === 0) return null;
  const isStale = waitsFor === 'first';
  return (
    <ol
      class={isStale ? 'results stale' : 'results'}
      aria-label={l10n.t('Results')}
      aria-busy={isStale}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
    >
      {rows}
    </ol>
  );
}

/** Moves the focus to a result in this part of the page. */
export function focusResult(part: Element | null, index: number): void {
  part?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
}
