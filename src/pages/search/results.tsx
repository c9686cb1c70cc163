/** The results of a search, and the part that follows them. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { ListPosition } from '../../protocol/page.ts';
import type { FoundParts, FoundText, FoundView, SearchScope } from '../../protocol/search.ts';
import { formatDateTime, formatExactTime, kindName } from '../common/formats.ts';
import { l10n, postToSearch } from '../common/host.ts';
import { useListPosition } from '../common/listPosition.ts';
import { Failure, useMore } from '../common/missing.tsx';
import { memo } from '../common/virtualRows.tsx';
import type { SearchSession, SearchView } from './searchSession.ts';
import { snippetPieces } from './snippetPieces.ts';

interface ListProps {
  view: SearchView;
  scope: SearchScope;
  scroller: RefObject<HTMLElement | null>;
  /** Moves the focus from the list to the query. */
  leave(): void;
  /** Saves where somebody is in the list. */
  keep(position: ListPosition): void;
}

/** The messages that were found. One of them takes the keyboard focus; the arrow keys move it. */
export function ResultList({ view, scope, scroller, leave, keep }: ListProps) {
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
  // Results aren't compared again for each letter of the query.
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

interface ResultProps {
  found: FoundView;
  index: number;
  chatName: string;
  /** Whether the result takes keyboard focus. */
  isCurrent: boolean;
}

/**
 * One message: who wrote it, where and when, and parts of what it quotes, says and offers. It isn't rendered again with
 * each other result: there may be thousands.
 */
const Result = memo(({ found, index, chatName, isCurrent }: ResultProps) => {
  const { chat, msgId, senderName, time, kind, parts } = found;
  return (
    <li>
      <button
        type="button"
        class="result"
        data-index={index}
        tabIndex={isCurrent ? 0 : -1}
        aria-disabled={!msgId}
        title={msgId ? undefined : l10n.t("This message has no ID, so it can't be opened.")}
        onClick={() => msgId && postToSearch({ type: 'openMessage', chat, msgId })}
      >
        <span class="result-head">
          {senderName && <Name class="from" name={excerpt(senderName)} />}
          {chatName && <Name class="chat" name={chatName} />}
          {kind && <span class="badge">{excerpt(kindName(kind))}</span>}
          <time title={formatExactTime(time)}>{formatDateTime(time)}</time>
        </span>
        <Quote parts={parts} />
        <Excerpt class="snippet" found={parts.said} />
        <Buttons parts={parts} />
      </button>
    </li>
  );
});

/** The quotation, as in a history. */
function Quote({ parts: { author, quoted } }: { parts: FoundParts }) {
  if (!author.text && !quoted.text) return null;
  const [before, after] = l10n.t('Reply to {0}').split('{0}');
  const name: ComponentChildren = author.text ? (
    <>
      {before}
      <Excerpt found={author} />
      {after}
    </>
  ) : (
    l10n.t('Reply')
  );
  return (
    <span class="quote">
      <span>
        <strong>{name}</strong> <Excerpt found={quoted} />
      </span>
    </span>
  );
}

function Buttons({ parts: { buttons, hasMoreButtons } }: { parts: FoundParts }) {
  if (buttons.length === 0) return null;
  return (
    <span class="labels">
      {buttons.map((label, at) => (
        <Excerpt key={at} class="label" found={label} />
      ))}
      {hasMoreButtons && '…'}
    </span>
  );
}

/** A part of the message with its matches marked. */
function Excerpt({ class: className, found }: { class?: string; found: FoundText }) {
  if (!found.text) return null;
  const pieces = snippetPieces(found);
  return (
    <bdi class={className}>
      {pieces.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}
    </bdi>
  );
}

/** A name that may be cut off. */
function Name({ class: className, name }: { class: string; name: string }) {
  return (
    <bdi class={className} title={name}>
      {name}
    </bdi>
  );
}

/** The part after the results: an error, a hint that there are none, or the place where more load before they are seen. */
export function ResultEnd({ view, session }: { view: SearchView; session: SearchSession }) {
  const { scope, found, isLast, waitsFor, failure } = view;
  const isNothingFound = isLast && found.length === 0 && failure === undefined;
  const end = useRef<HTMLDivElement>(null);
  useMore(end, isLast || waitsFor ? undefined : () => session.more(), found);
  return (
    <div ref={end}>
      {failure === undefined ? (
        <p class={isLast ? (waitsFor ? 'edge stale' : 'edge') : 'edge waiting'}>{endText(view)}</p>
      ) : (
        <Failure text={failure} retry={() => session.retry()} />
      )}
      {isNothingFound && scope?.unarchived && <ArchiveOffer text={scope.unarchived} />}
    </div>
  );
}

export const archiveChats = () => postToSearch({ type: 'archive' });

/** Says what isn't archived, and offers to archive it. */
export function ArchiveOffer({ text }: { text: string }) {
  return (
    <div class="edge">
      <p>{text}</p>
      <button type="button" class="action" onClick={archiveChats}>
        {l10n.t('Archive Chats…')}
      </button>
    </div>
  );
}

function endText({ found, isLast }: SearchView): string {
  if (!isLast) return l10n.t('Searching…');
  return found.length === 0
    ? l10n.t('No archived messages match. Try fewer words or filters.')
    : l10n.t('No more results.');
}
