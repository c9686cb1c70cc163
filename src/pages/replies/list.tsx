/** The answers by chat. One row takes the keyboard focus. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { RepliesQuery, RepliesRow, RepliesSummary } from '../../protocol/replies.ts';
import { focusOnReturn } from '../common/focus.ts';
import { l10n } from '../common/host.ts';
import type { ListSession, ListView } from '../common/listSession.ts';
import { ScrollAnchor } from '../common/scrollAnchor.ts';
import { memo, nextRow, scrollToRow, useVirtualRows, VirtualRows } from '../common/virtualRows.tsx';
import { ChatRow, ReplyRow } from './rows.tsx';

/** How many rows before the last one more are loaded. */
const AHEAD = 40;

export type RepliesView = ListView<RepliesQuery, RepliesSummary, RepliesRow>;
export type RepliesSession = ListSession<RepliesQuery, RepliesSummary, RepliesRow>;

interface Props {
  view: RepliesView;
  session: RepliesSession;
  scroller: RefObject<HTMLElement | null>;
  /** What is above the rows. */
  children: ComponentChildren;
}

export function List({ view, session, scroller, children }: Props) {
  const { rows: items, total = 0, summary, failure, returnsTo } = view;
  const [current, setCurrent] = useState(0);
  const pinned = Math.max(0, Math.min(current, items.length - 1));
  const list = useVirtualRows({ items, scroller, pinned });
  const { virtual, top, rows } = list;
  const last = virtual.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    // Not at once: the page may just be being rendered.
    if (items.length < total && last >= items.length - AHEAD) queueMicrotask(() => session.more());
  }, [last, items.length, total]);
  const rowAt = (index: number) => rows.current?.querySelector<HTMLElement>(`[data-index="${index}"] > .row`) ?? null;
  const [anchor] = useState(() => new ScrollAnchor());
  useLayoutEffect(() => {
    const { current: part } = scroller;
    if (!part || !returnsTo) return;
    const { top: topKey, offset, focused } = returnsTo;
    const at = items.findIndex(({ key }) => key === topKey);
    if (at >= 0) {
      part.scrollTop = (virtual.measurementsCache[at]?.start ?? 0) - offset;
      anchor.keep(part, { find: () => rowAt(at), offset });
    }
    const focusedAt = items.findIndex(({ key }) => key === focused);
    if (focusedAt < 0) return;
    setCurrent(focusedAt);
    requestAnimationFrame(() => focusOnReturn(() => rowAt(focusedAt)?.focus({ preventScroll: true })));
  }, [returnsTo]);

  const keep = () => {
    const part = scroller.current;
    const first = part && virtual.getVirtualItemForOffset(part.scrollTop);
    const top = items[first?.index ?? -1]?.key;
    const inFocus = rows.current?.querySelector('[data-index]:focus-within')?.getAttribute('data-index');
    const focused = items[Number(inFocus ?? -1)]?.key;
    if (!first || top === undefined || (part.scrollTop === 0 && focused === undefined)) session.keep(undefined);
    else session.keep({ top, offset: first.start - part.scrollTop, count: items.length, ...(focused && { focused }) });
  };
  useEffect(() => {
    document.addEventListener('focusin', keep);
    return () => document.removeEventListener('focusin', keep);
  }, [items]);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = nextRow(event, pinned, virtual);
    if (index === undefined) return;
    setCurrent(index);
    scrollToRow(index, event.key, virtual);
    requestAnimationFrame(() => rowAt(index)?.focus({ preventScroll: true }));
  };
  return (
    <main
      ref={scroller}
      class="replies"
      tabIndex={items.length === 0 ? 0 : -1}
      aria-busy={!summary && !failure}
      onKeyDown={onKeyDown}
      onScrollEnd={() => {
        session.refresh();
        keep();
      }}
      onFocusIn={({ target }) => {
        const row = target instanceof Element && target.closest('[data-index]');
        if (row) setCurrent(Number(row.getAttribute('data-index')));
      }}
    >
      <div ref={top} class="above-rows">
        {children}
      </div>
      {!failure && (
        <VirtualRows
          list={list}
          row={(index) => {
            const item = items[index];
            return item && <Row item={item} isCurrent={index === pinned} />;
          }}
        />
      )}
      {summary && !failure && items.length >= total && total > 0 && (
        <p class="edge">
          {l10n.t(
            "In groups, only people's replies count. With people, everything counts that they wrote until the bot's next message from the outbox that isn't a reminder of this one.",
          )}
        </p>
      )}
    </main>
  );
}

/** Not rendered again if it only moves. */
const Row = memo(({ item, isCurrent }: { item: RepliesRow; isCurrent: boolean }) =>
  item.type === 'chat' ? <ChatRow row={item} isCurrent={isCurrent} /> : <ReplyRow row={item} isCurrent={isCurrent} />,
);
