/** The page: a heading, the history between its two edges, a bar to find in it, and ways back to the newest. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EdgeView, PageItem, Profile, Seen } from '../../protocol/history.ts';
import { formatLabel, labels, postToHost } from '../shared/host.ts';
import { lazy, useLazy } from '../shared/lazy.ts';
import { GapRow, type GapSide, NewerEdge, OlderEdge } from './edges.tsx';
import { anchorOf, Entry, type EntryContext } from './entry.tsx';
import { List, type ListHandle } from './list.tsx';
import { remember, remembered } from './pageState.ts';
import { type Filter, filterChoices, filterItems, messageOf, rowOf, visibleIndexOf } from './rows.ts';
import { useProfile } from './useProfile.ts';
import { useSearch } from './useSearch.ts';

export interface PageView {
  readonly heading: { readonly name: string; readonly summary: string; readonly readAs: string };
  /** Oldest first. */
  readonly items: readonly PageItem[];
  /** The same by their keys. */
  readonly byKey: Map<string, PageItem>;
  readonly older: EdgeView;
  readonly newer: EdgeView;
  /** What the person had seen before. */
  readonly seen: Seen | undefined;
  readonly profile: Profile | undefined;
  /** What the host wants to be seen: each time another object. */
  readonly show: { readonly key: string } | undefined;
  /** Counts how often the place to come back to was not there any more. */
  readonly lost: number;
  /** Counts how often the host asked for the find bar. */
  readonly finds: number;
}

const barPart = lazy(() => import('./findBar.tsx'));
const cardPart = lazy(() => import('./profileCard.tsx'));

export function App({ view }: { view: PageView }) {
  const { heading, items, byKey, older, newer, seen } = view;
  const list = useRef<ListHandle>(null);
  const [filter, setFilter] = useState<Filter>(() => remembered());
  const isFiltered = filter.sender !== '' || filter.kind !== '';
  const [isFinding, setIsFinding] = useState(isFiltered);
  const Bar = useLazy(barPart, isFinding)?.FindBar;
  const [atNewest, setAtNewest] = useState(() => remembered().reading === undefined);
  const [currentKey, setCurrentKey] = useState<string>();
  /** Replies whose parents were gone to, the last one at the end. */
  const [trail, setTrail] = useState<readonly string[]>([]);
  /** A reply whose parent is on its way. */
  const leaving = useRef<{ readonly parent: string; readonly from: string }>(undefined);
  const shown = useMemo(() => filterItems(items, filter), [items, filter]);
  const { finding, find, step } = useSearch(shown, (key) => setWanted({ key, takesFocus: false }));
  const { asked, ask, hover } = useProfile(view.profile);
  const ProfileCard = useLazy(cardPart, asked?.profile !== undefined)?.ProfileCard;
  const place = useMemo(
    () => (currentKey === undefined ? -1 : shown.findLastIndex(({ key }) => key === currentKey)),
    [shown, currentKey],
  );
  const current = place < 0 ? shown.length - 1 : place;

  const use = (next: Filter) => {
    setFilter(next);
    remember({ ...next });
  };
  const [wanted, setWanted] = useState<{ readonly key: string; readonly takesFocus: boolean }>();
  // It may still be on its way into the page.
  useEffect(() => {
    if (!wanted) return;
    const to = shown.findIndex(({ key }) => key === wanted.key);
    if (to >= 0) {
      setWanted(undefined);
      list.current?.show(to, wanted.takesFocus);
    } else if (byKey.has(wanted.key)) use({ sender: '', kind: '' });
  }, [wanted, shown]);
  useEffect(() => {
    setWanted(view.show && { ...view.show, takesFocus: true });
    const { current: reply } = leaving;
    leaving.current = undefined;
    if (reply && reply.parent === view.show?.key) setTrail((before) => [...before, reply.from]);
  }, [view.show]);
  useEffect(() => {
    if (view.lost > 0) list.current?.letGo();
  }, [view.lost]);
  useEffect(() => {
    if (view.finds > 0) setIsFinding(true);
  }, [view.finds]);
  // What a filter hides is not on the screen.
  useEffect(() => postToHost({ type: 'atNewest', is: atNewest && !isFiltered }), [atNewest, isFiltered]);

  const needs: EntryContext = {
    findMessage: (id) => messageOf(byKey.get(id)),
    goToParent(parent, from) {
      leaving.current = { parent, from };
      postToHost({ type: 'goTo', msgId: parent });
    },
    showProfile: ask,
  };
  /** Where one reads on from stays in its place. */
  const loadGap = (place: number, id: number, from: GapSide) => {
    list.current?.hold(from === 'older' ? place - 1 : place + 1);
    postToHost({ type: 'gap', id, from });
  };
  const goBack = () => {
    const from = trail.at(-1);
    setTrail(trail.slice(0, -1));
    if (from) setWanted({ key: from, takesFocus: true });
  };
  const closeBar = () => {
    setIsFinding(false);
    find('');
    use({ sender: '', kind: '' });
    document.getElementById(anchorOf(shown[current]?.key ?? ''))?.focus();
  };

  return (
    <>
      <header class="heading">
        {heading.name && <h1>{heading.name}</h1>}
        <span class="summary">{heading.summary}</span>
        <span class="read-as">{heading.readAs && formatLabel('readAs', heading.readAs)}</span>
      </header>
      {isFinding && Bar && (
        <Bar
          choices={filterChoices(items)}
          finding={finding}
          filter={filter}
          asked={view.finds}
          find={find}
          step={step}
          use={use}
          close={closeBar}
        />
      )}
      <List
        items={shown}
        isFiltered={isFiltered}
        handle={list}
        current={current}
        placeOf={(key) => visibleIndexOf(key, items, shown)}
        move={setCurrentKey}
        onNewest={setAtNewest}
        onOldest={() => older.at === 'open' && postToHost({ type: 'older' })}
        onShort={() => older.at === 'open' && items.length > 0 && !isFiltered && postToHost({ type: 'older' })}
        before={items.length > 0 && <OlderEdge edge={older} />}
        after={
          <>
            {items.length > 0 && shown.length === 0 && <p class="edge">{labels.nothingLeft}</p>}
            <NewerEdge edge={newer} isEmpty={items.length === 0} />
          </>
        }
        row={(_, place) => (
          <ItemRow
            items={shown}
            place={place}
            seen={seen}
            isCurrent={place === current}
            needs={needs}
            loadGap={loadGap}
          />
        )}
      />
      <div class="floating">
        {trail.length > 0 && (
          <button type="button" class="jump" onClick={goBack}>
            ↩ {labels.back}
          </button>
        )}
        {!atNewest && (
          <button type="button" class="jump" onClick={() => list.current?.toNewest()}>
            ↓ {labels.jumpToNewest}
          </button>
        )}
      </div>
      {asked?.profile && ProfileCard && <ProfileCard profile={asked.profile} beside={asked.beside} hover={hover} />}
    </>
  );
}

interface RowProps {
  items: readonly PageItem[];
  place: number;
  seen: Seen | undefined;
  isCurrent: boolean;
  needs: EntryContext;
  loadGap(place: number, id: number, from: GapSide): void;
}

function ItemRow({ items, place, seen, isCurrent, needs, loadGap }: RowProps) {
  const row = rowOf(items, place, seen);
  if (!row) return null;
  const { item, day, isFirstNew, continues } = row;
  if (item.type === 'gap') {
    const load = (from: GapSide) => loadGap(place, item.id, from);
    return <GapRow itemKey={item.key} edge={item.edge} isCurrent={isCurrent} load={load} />;
  }
  return (
    <>
      {day && <p class="day">{day}</p>}
      {isFirstNew && <p class="day new">{labels.newMessages}</p>}
      <Entry item={item} continues={continues} isCurrent={isCurrent} needs={needs} />
    </>
  );
}
