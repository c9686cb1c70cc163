/** The answers by chat. One row takes the keyboard focus. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { quotationOf } from '../../markup/quotation.ts';
import type { RepliesQuery, RepliesRow, RepliesSummary, ReplyState } from '../../protocol/replies.ts';
import { Buttons } from '../common/buttons.tsx';
import { MessageContent } from '../common/content.tsx';
import { focusOnReturn } from '../common/focus.ts';
import { formatDateTime, formatExactTime, formatNumber } from '../common/formats.ts';
import { l10n, postToReplies } from '../common/host.ts';
import type { ListSession, ListView } from '../common/listSession.ts';
import { Quote } from '../common/quote.tsx';
import { ScrollAnchor } from '../common/scrollAnchor.ts';
import { Avatar, senderName } from '../common/sender.tsx';
import { memo, nextRow, scrollToRow, useVirtualRows, VirtualRows } from '../common/virtualRows.tsx';

/** How far before its last row more of the list is loaded. */
const AHEAD = 40;

export type RepliesView = ListView<RepliesQuery, RepliesSummary, RepliesRow>;
export type RepliesSession = ListSession<RepliesQuery, RepliesSummary, RepliesRow>;

interface Props {
  view: RepliesView;
  session: RepliesSession;
  scroller: RefObject<HTMLElement | null>;
  /** The part above the rows. */
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
    // More is loaded a moment later, because the page may just be being rendered.
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

/** A row isn't rendered again if it only moves. */
const Row = memo(({ item, isCurrent }: { item: RepliesRow; isCurrent: boolean }) =>
  item.type === 'chat' ? <ChatRow row={item} isCurrent={isCurrent} /> : <ReplyRow row={item} isCurrent={isCurrent} />,
);

interface RowProps<T extends RepliesRow['type']> {
  row: Extract<RepliesRow, { type: T }>;
  /** Whether the row takes keyboard focus. */
  isCurrent: boolean;
}

function ChatRow({ row, isCurrent }: RowProps<'chat'>) {
  const { kind, id, name, state, count, error, unreadable } = row;
  const answers = count === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', formatNumber(count));
  return (
    <article
      class="chat row"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${escapeAllInvisible(name)}, ${stateName(state)}`}
    >
      <h2>
        <button
          type="button"
          class="link"
          title={l10n.t('Open History')}
          onClick={() => postToReplies({ type: 'openChat', chat: { kind, id } })}
        >
          <bdi>{excerpt(name)}</bdi>
        </button>
      </h2>
      {name !== id && <bdi class="summary">{escapeAllInvisible(id)}</bdi>}
      <span class={`state ${state}`}>{state === 'answered' ? answers : stateName(state)}</span>
      {error && (
        <p class="reason" dir="auto">
          {escapeInvisible(error)}
        </p>
      )}
      {unreadable > 0 && (
        <p class="summary">
          {unreadable === 1
            ? l10n.t("1 message there can't be read. It may be an answer.")
            : l10n.t("{0} messages there can't be read. They may be answers.", formatNumber(unreadable))}
        </p>
      )}
    </article>
  );
}

function ReplyRow({ row, isCurrent }: RowProps<'reply'>) {
  const { kind, id, message, raw } = row;
  const { msgId, parentId, commandName, sendTime, senderId, senderType, content } = message;
  const chat = { kind, id };
  const name = escapeAllInvisible(senderName(message));
  return (
    <article class="entry row" tabIndex={isCurrent ? 0 : -1} aria-label={`${name}, ${formatExactTime(sendTime)}`}>
      <div class="header">
        <Avatar id={senderId} name={senderName(message)} />
        <bdi class="from">{name}</bdi>
        {senderType === 'bot' && <span class="badge">{l10n.t('Bot')}</span>}
        <time class="time" title={formatExactTime(sendTime)}>
          {formatDateTime(sendTime)}
        </time>
        <button type="button" class="link go" onClick={() => postToReplies({ type: 'openChat', chat, msgId })}>
          {l10n.t('Open in History')}
        </button>
      </div>
      {/* Nearly all answer the delivered message, which the page is about. */}
      {quotationOf(content) && (
        <Quote
          reply={message}
          parent={undefined}
          goTo={() => postToReplies({ type: 'openChat', chat, msgId: parentId })}
        />
      )}
      {commandName && <p class="command">{l10n.t('Command {0}', escapeAllInvisible(commandName))}</p>}
      <MessageContent message={message} raw={raw} openImage={undefined} />
      <Buttons rows={content.buttons ?? []} />
    </article>
  );
}

export function stateName(state: ReplyState): string {
  switch (state) {
    case 'answered':
      return l10n.t('answered');
    case 'unanswered':
      return l10n.t('no answer yet');
    case 'failed':
      return l10n.t("couldn't be read");
    case 'unread':
      return l10n.t('not read yet');
  }
}
