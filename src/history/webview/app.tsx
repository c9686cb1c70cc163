/** The page: a heading, the entries between their two edges, and a way back to the newest. */
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keyOf, type Message } from '../../service/message.ts';
import type { EdgeView, Entry as EntryModel } from '../protocol.ts';
import { Entry } from './entry.tsx';
import { labels, say, tell } from './host.ts';
import { dayOf } from './times.ts';

export interface View {
  heading: { name: string; summary: string; readAs: string };
  /** Oldest first. */
  entries: EntryModel[];
  older: EdgeView;
  newer: EdgeView;
}

/** This close to an end (pixels) counts as being there. */
const NEAR = 120;

export function App({ view }: { view: View }) {
  const { heading, entries, older, newer } = view;
  const scroller = useRef<HTMLElement>(null);
  const [atNewest, setAtNewest] = useState(true);
  const stick = useStickyScroll(scroller, entries);
  useEffect(() => tell({ type: 'atNewest', is: atNewest }), [atNewest]);
  const messages = new Map<string, Message>();
  for (const entry of entries) if (entry.readable) messages.set(entry.message.msgId, entry.message);

  const onScroll = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    stick.remember(currentTarget);
    setAtNewest(scrollHeight - clientHeight - scrollTop < NEAR);
    if (scrollTop < NEAR && older.at === 'open' && entries.length > 0) tell({ type: 'older' });
  };

  return (
    <>
      <header class="heading">
        <h1>{heading.name}</h1>
        <span class="summary">{heading.summary}</span>
        <span class="read-as">{heading.readAs && say('readAs', heading.readAs)}</span>
      </header>
      <main ref={scroller} onScroll={onScroll}>
        {entries.length > 0 && <Older edge={older} />}
        <ol class="entries">
          {entries.map((entry, index) => {
            const previous = entries[index - 1];
            const day = dayLabel(entry, previous);
            return (
              <Fragment key={keyOf(entry)}>
                {day && <li class="day">{day}</li>}
                <Entry entry={entry} previous={day ? undefined : previous} find={(id) => messages.get(id)} />
              </Fragment>
            );
          })}
        </ol>
        <Newer edge={newer} isEmpty={entries.length === 0} />
      </main>
      {!atNewest && (
        <button type="button" class="jump" onClick={() => stick.toNewest()}>
          ↓ {labels.jumpToNewest}
        </button>
      )}
    </>
  );
}

/** Opens at the newest entry, stays there while it is shown, and keeps what is being read in place when older come. */
function useStickyScroll(scroller: { current: HTMLElement | null }, entries: EntryModel[]) {
  const place = useRef({ fromEnd: 0, atNewest: true, first: '' });
  const remember = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => {
    const fromEnd = scrollHeight - scrollTop;
    place.current = { ...place.current, fromEnd, atNewest: fromEnd - clientHeight < NEAR };
  };
  const toNewest = () => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    const first = entries[0] ? keyOf(entries[0]) : '';
    if (!element) return;
    if (place.current.atNewest) toNewest();
    else if (first !== place.current.first) element.scrollTop = element.scrollHeight - place.current.fromEnd;
    place.current.first = first;
    remember(element);
  });
  // Markdown and fonts arrive after the first paint and make entries taller.
  useLayoutEffect(() => {
    const list = scroller.current?.querySelector('.entries');
    if (!list) return;
    const observer = new ResizeObserver(() => place.current.atNewest && toNewest());
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return { remember, toNewest };
}

function Older({ edge }: { edge: EdgeView }) {
  switch (edge.at) {
    case 'open':
      return <EdgeButton label={labels.loadOlder} ask="older" />;
    case 'loading':
      return <Loading />;
    case 'end':
      return <p class="edge">{labels.beginning}</p>;
    case 'failed':
      return <Failed edge={edge} ask="older" />;
  }
}

function Newer({ edge, isEmpty }: { edge: EdgeView; isEmpty: boolean }) {
  if (edge.at === 'loading') return <Loading />;
  if (edge.at === 'failed') return <Failed edge={edge} ask="newer" />;
  return (
    <>
      {isEmpty ? <p class="edge">{labels.empty}</p> : edge.at === 'end' && <p class="edge">{labels.upToDate}</p>}
      <EdgeButton label={labels.checkNewer} ask="newer" />
    </>
  );
}

function Loading() {
  return (
    <p class="edge" role="status">
      {labels.loading}
    </p>
  );
}

function Failed({ edge, ask }: { edge: Extract<EdgeView, { at: 'failed' }>; ask: 'older' | 'newer' }) {
  return (
    <div class="edge failed" role="alert">
      <p>{edge.text}</p>
      <button type="button" class="action" onClick={() => tell({ type: ask })}>
        {labels.retry}
      </button>
      {edge.needsToken && (
        <button type="button" class="action" onClick={() => tell({ type: 'setToken' })}>
          {labels.setToken}
        </button>
      )}
    </div>
  );
}

function EdgeButton({ label, ask }: { label: string; ask: 'older' | 'newer' }) {
  return (
    <p class="edge">
      <button type="button" class="link" onClick={() => tell({ type: ask })}>
        {label}
      </button>
    </p>
  );
}

/** The day to announce above an entry, if it is not the day of the one before. */
function dayLabel(entry: EntryModel, previous: EntryModel | undefined): string {
  if (!entry.readable) return '';
  const day = dayOf(entry.message.sendTime);
  return previous?.readable && dayOf(previous.message.sendTime) === day ? '' : day;
}
