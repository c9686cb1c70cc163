/** The history page: heading, find bar, and list of messages between two edges, below its bar. */
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EdgeView, PageItem, Profile, Seen, ToPage } from '../../protocol/history.ts';
import { systemClock } from '../../service/clock.ts';
import { formatNumber } from '../common/formats.ts';
import { type Changes, l10n, openLinksThroughHost, postToHistory } from '../common/host.ts';
import { GapRow, type GapSide, NewerEdge, OlderEdge } from './edges.tsx';
import { Entry, type EntryContext } from './entry.tsx';
import { FindBar, FindScope, type FoundElsewhere, useSearch } from './findBar.tsx';
import { List, type ListHandle } from './list.tsx';
import { listen, remember, remembered } from './pageState.ts';
import {
  type Filter,
  filterChoices,
  filterItems,
  firstNewIndex,
  indexOfNearest,
  messageOf,
  rowOf,
  visibleIndexOf,
} from './rows.ts';
import { findingWords, revealMatch } from './search.ts';
import { AvatarRequests, ProfileCard, senderKey, senderOf, useProfile } from './senders.tsx';

interface PageView {
  readonly heading: Record<'name' | 'summary' | 'readAs' | 'service', string>;
  /** The note above the messages; empty for none. */
  readonly note: string;
  /** The items, oldest first. */
  readonly items: readonly PageItem[];
  /** The items by key. */
  readonly byKey: Map<string, PageItem>;
  readonly older: EdgeView;
  readonly newer: EdgeView;
  /** How many new messages have arrived since the page was opened. */
  readonly arrived: number;
  /** The last message seen before the history was opened. */
  readonly seen: Seen | undefined;
  readonly profile: Profile | undefined;
  /** The avatars of senders as `data:` URIs, by {@link senderKey}. */
  readonly avatars: Map<string, string>;
  /** The item that the host wants in view: a new object for each request. */
  readonly show:
    | { readonly key: string; readonly isAtTop?: boolean | undefined; readonly found?: string | undefined }
    | undefined;
  /** How often the remembered position no longer existed. */
  readonly lost: number;
  /** How often the host opened the find bar. */
  readonly finds: number;
  /** Whether the chat is archived; undefined if it can't be. */
  readonly isArchived: boolean | undefined;
}

/** Renders the history on each message from the host. */
export function showHistory(): void {
  let view: PageView = {
    note: '',
    heading: { name: '', summary: '', readAs: '', service: '' },
    items: [],
    byKey: new Map(),
    older: { at: 'open' },
    newer: { at: 'loading' },
    arrived: 0,
    seen: undefined,
    profile: undefined,
    avatars: new Map(),
    show: undefined,
    lost: 0,
    finds: 0,
    isArchived: undefined,
  };

  /**
   * The changes of the view by each message. The maps are updated in place, so that the cost depends on the size of the
   * change only.
   */
  const changes: Changes<ToPage, PageView> = {
    heading: (heading) => ({ heading }),
    edges: ({ older, newer }) => ({ older, newer }),
    splice({ at, removed, items }) {
      for (const { key } of view.items.slice(at, at + removed)) view.byKey.delete(key);
      for (const item of items) view.byKey.set(item.key, item);
      return { items: view.items.toSpliced(at, removed, ...items) };
    },
    arrived: ({ count }) => ({ arrived: view.arrived + count }),
    seen: (seen) => ({ seen }),
    show: (show) => ({ show }),
    lost: () => ({ lost: view.lost + 1 }),
    note: ({ text }) => ({ note: text }),
    find: () => ({ finds: view.finds + 1 }),
    archived: ({ is }) => ({ isArchived: is }),
    profile: ({ profile }) => ({ profile }),
    avatar: (avatar) => ({ avatars: view.avatars.set(senderKey(avatar), avatar.uri) }),
  };

  const paint = () => render(<App view={view} />, document.body);

  openLinksThroughHost();
  listen((message) => {
    const change: (message: never) => Partial<PageView> = changes[message.type];
    view = { ...view, ...change(message as never) };
    paint();
  });
  paint();
}

/** An item to bring into view. */
type Target = { readonly key: string } & Parameters<ListHandle['show']>[1];

function App({ view }: { view: PageView }) {
  const { heading, items, byKey, older, newer, seen, avatars } = view;
  const list = useRef<ListHandle>(null);
  const readAs = heading.readAs && l10n.t('Reading as {0} through {1}', heading.readAs, heading.service);
  const [botId] = useState(() => remembered().place.botId);
  const [filter, setFilter] = useState<Filter>(() => remembered());
  const isFiltered = filter.sender !== '' || filter.kind !== '';
  const [isFinding, setIsFinding] = useState(() => isFiltered || remembered().find !== undefined);
  const [atNewest, setAtNewest] = useState(() => remembered().reading === undefined);
  const [currentKey, setCurrentKey] = useState(() => remembered().focused);
  /** Replies that the user left for their parents, the latest last. */
  const [backStack, setBackStack] = useState<readonly string[]>([]);
  /** A reply whose parent is being loaded. */
  const pendingReply = useRef<{ readonly parent: string; readonly from: string }>(undefined);
  const shown = useMemo(() => filterItems(items, filter), [items, filter]);
  const [found, setFound] = useState<FoundElsewhere>();
  const { state, match, setQuery, step, seek } = useSearch(shown, (key, place) => setTarget({ key, place }), found);
  const firstNew = useMemo(() => firstNewIndex(shown, seen, botId), [shown, seen]);
  const [gaps, shownGaps] = useMemo(() => [items, shown].map(countGaps) as [number, number], [items, shown]);
  const isWhole = older.at === 'end' && gaps === 0;
  const card = useProfile(view.profile);
  // While the pointer only rests on a name, no error is shown.
  const isCardShown = card.target !== undefined && (card.target.isModal || card.profile !== undefined);
  const [avatarRequests] = useState(() => new AvatarRequests());
  /** The side from which a gap was loaded last: the focus goes there if it was in the gap. */
  const loadedFrom = useRef<GapSide>('newer');
  const current = useCurrent(shown, currentKey, loadedFrom);

  const applyFilter = (next: Filter) => {
    setFilter(next);
    remember({ ...next });
  };
  const [target, setTarget] = useState<Target>();
  // The target may not be in the page yet.
  useEffect(() => {
    if (!target) return;
    const index = shown.findIndex(({ key }) => key === target.key);
    if (index >= 0) {
      setTarget(undefined);
      list.current?.show(index, target);
    } else if (target.place && !target.takesFocus) {
      // A filter that was chosen while the search was running stays.
      setTarget(undefined);
    } else if (byKey.has(target.key)) applyFilter({ sender: '', kind: '' });
  }, [target, shown]);
  useEffect(() => {
    const { key, found: query } = view.show ?? {};
    setFound(key === undefined || query === undefined ? undefined : { key, query });
    const place = query === undefined ? undefined : (row: Element) => revealMatch(row, findingWords(query));
    setTarget(view.show && { ...view.show, place, takesFocus: true });
    const { current: reply } = pendingReply;
    pendingReply.current = undefined;
    if (reply && reply.parent === view.show?.key) setBackStack((before) => [...before, reply.from]);
  }, [view.show]);
  useEffect(() => {
    if (view.lost > 0) list.current?.cancelSeek();
  }, [view.lost]);
  useEffect(() => {
    if (view.finds === 0) return;
    setIsFinding(true);
    setFound(undefined);
  }, [view.finds]);
  const { query } = state;
  useEffect(() => remember({ find: isFinding ? { query, match } : undefined }), [isFinding, query, match]);
  // With a filter, the newest message may be hidden.
  useEffect(() => postToHistory({ type: 'atNewest', is: atNewest && !isFiltered }), [atNewest, isFiltered]);

  const entryContext: EntryContext = {
    findMessage: (id) => messageOf(byKey.get(id)),
    goToParent(parent, from) {
      pendingReply.current = { parent, from };
      postToHistory({ type: 'goTo', msgId: parent });
    },
    hoverProfile: card.hover,
    leaveProfile: card.leave,
    openProfile: card.open,
    avatarOf: (message) => avatars.get(senderKey(senderOf(message))),
    requestAvatar: (message) => avatarRequests.request(senderOf(message)),
  };
  /** Keeps the message next to the gap in place while the gap loads. */
  const loadGap = (index: number, id: number, from: GapSide) => {
    list.current?.pin(from === 'older' ? index - 1 : index + 1);
    loadedFrom.current = from;
    postToHistory({ type: 'gap', id, from });
  };
  const goBack = () => {
    const from = backStack.at(-1);
    setBackStack(backStack.slice(0, -1));
    if (from) setTarget({ key: from, takesFocus: true });
  };
  const closeBar = () => {
    setIsFinding(false);
    setQuery('');
    applyFilter({ sender: '', kind: '' });
    list.current?.focus();
  };

  return (
    <>
      <header class="heading">
        {heading.name && (
          <h1 dir="auto" title={heading.name}>
            {heading.name}
          </h1>
        )}
        <span class="summary">{heading.summary}</span>
        <span class="read-as" title={readAs}>
          {readAs}
        </span>
      </header>
      {view.note && (
        <p class="note" role="status">
          {view.note}
        </p>
      )}
      {isFinding && (
        <FindBar
          choices={filterChoices(items, filter)}
          state={state}
          filter={filter}
          openCount={view.finds}
          setQuery={setQuery}
          step={step}
          applyFilter={applyFilter}
          close={closeBar}
        >
          {query && !isWhole && (
            <FindScope
              query={query}
              searched={shown.length - shownGaps}
              older={older}
              isArchived={view.isArchived}
              onLoad={seek}
            />
          )}
        </FindBar>
      )}
      <List
        items={shown}
        isFiltered={isFiltered}
        handle={list}
        current={current}
        indexOf={(key) => visibleIndexOf(key, items, shown)}
        move={setCurrentKey}
        onNewest={setAtNewest}
        onOldest={() => older.at === 'open' && postToHistory({ type: 'older' })}
        onShort={() => older.at === 'open' && items.length > 0 && !isFiltered && postToHistory({ type: 'older' })}
        jumps={
          <>
            {backStack.length > 0 && (
              <button type="button" class="jump" onClick={goBack}>
                ↩ {l10n.t('Back to Reply')}
              </button>
            )}
            {!atNewest && (
              <button type="button" class="jump" onClick={() => list.current?.toNewest()}>
                ↓ {l10n.t('Jump to Newest')}
              </button>
            )}
          </>
        }
        before={items.length > 0 && <OlderEdge edge={older} />}
        after={
          <>
            {items.length > 0 && shown.length === 0 && (
              <p class="edge">{l10n.t('No loaded messages match these filters.')}</p>
            )}
            <NewerEdge edge={newer} isEmpty={items.length === 0} />
          </>
        }
        row={(index) => (
          <ItemRow
            items={shown}
            index={index}
            firstNew={firstNew}
            isCurrent={index === current}
            context={entryContext}
            loadGap={loadGap}
          />
        )}
      />
      <Announcer arrived={view.arrived} />
      {card.target && isCardShown && (
        <ProfileCard
          key={senderKey(card.target.sender)}
          target={card.target}
          profile={card.profile}
          avatar={avatars.get(senderKey(card.target.sender))}
          stay={card.stay}
          leave={card.leave}
          close={card.close}
        />
      )}
    </>
  );
}

interface RowProps {
  items: readonly PageItem[];
  index: number;
  /** The index of the first new message. */
  firstNew: number;
  isCurrent: boolean;
  context: EntryContext;
  loadGap(index: number, id: number, from: GapSide): void;
}

/** A gap, or a message with the separators above it, where a day or the new messages begin. */
function ItemRow({ items, index, firstNew, isCurrent, context, loadGap }: RowProps) {
  const row = rowOf(items, index, firstNew);
  if (!row) return null;
  const { item, day, isFirstNew, continues } = row;
  if (item.type === 'gap') {
    const load = (from: GapSide) => loadGap(index, item.id, from);
    return <GapRow itemKey={item.key} edge={item.edge} isCurrent={isCurrent} load={load} />;
  }
  return (
    <>
      {day && <p class="day">{day}</p>}
      {isFirstNew && <p class="day new">{l10n.t('New')}</p>}
      <Entry item={item} continues={continues} isCurrent={isCurrent} context={context} />
    </>
  );
}

/**
 * The index of the item that takes the focus: the item that had it last, or its nearest neighbor if it's gone, on this side
 * if possible.
 */
function useCurrent(
  items: readonly PageItem[],
  key: string | undefined,
  { current: side }: { readonly current: GapSide },
): number {
  const last = useRef({ items, index: -1 });
  const index = useMemo(() => {
    if (key === undefined) return -1;
    const at = items.findLastIndex((item) => item.key === key);
    return at < 0 ? indexOfNearest(last.current.items, last.current.index, items, side) : at;
  }, [items, key]);
  last.current = { items, index };
  return index < 0 ? items.length - 1 : index;
}

const countGaps = (items: readonly PageItem[]) => items.filter(({ type }) => type === 'gap').length;

/** Messages that arrive within this time (milliseconds) of each other are announced together. */
const QUIET_TIME = 1000;

/**
 * Announces new messages to screen readers, those that arrive together at once. `arrived` is the number of messages that have arrived since the
 * page was opened.
 */
function Announcer({ arrived }: { arrived: number }) {
  const announced = useRef(0);
  const [text, setText] = useState('');
  useEffect(() => {
    const count = arrived - announced.current;
    if (count === 0) return;
    // The same text twice would be announced only once.
    setText('');
    return systemClock.after(QUIET_TIME, () => {
      announced.current = arrived;
      setText(count === 1 ? l10n.t('1 new message') : l10n.t('{0} new messages', formatNumber(count)));
    });
  }, [arrived]);
  return (
    <p class="announcement" role="status">
      {text}
    </p>
  );
}
