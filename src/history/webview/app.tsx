/** The page: a heading, the history between its two edges, a bar to find in it, and ways back to the newest. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Message } from '../../service/message.ts';
import type { EdgeView, Item, Profile, Seen } from '../protocol.ts';
import { Gap, Newer, Older, type Side } from './edges.tsx';
import { anchorOf, Entry, type EntryNeeds } from './entry.tsx';
import { labels, remember, remembered, say, tell } from './host.ts';
import { lazy, useLazy } from './lazy.ts';
import { List, type ListHandle } from './list.tsx';
import { ProfileCard } from './profile.tsx';
import { type Filter, filtered, messageOf, rowOf } from './rows.ts';
import { useSearch } from './useSearch.ts';

export interface View {
  readonly heading: { readonly name: string; readonly summary: string; readonly readAs: string };
  /** Oldest first. */
  readonly items: readonly Item[];
  /** The same by their keys. */
  readonly byKey: Map<string, Item>;
  readonly older: EdgeView;
  readonly newer: EdgeView;
  /** What the person had seen before. */
  readonly seen: Seen | undefined;
  readonly profile: Profile | undefined;
  /** What the host wants to be seen: each time another object. */
  readonly show: { readonly key: string } | undefined;
  /** Counts how often the host asked for the find bar. */
  readonly finds: number;
}

const barPart = lazy(() => import('./bar.tsx'));

/** How long the pointer rests on a name before anybody is asked who that is, in milliseconds. */
const REST = 350;

export function App({ view }: { view: View }) {
  const { heading, items, byKey, older, newer, seen } = view;
  const list = useRef<ListHandle>(null);
  const [filter, setFilter] = useState<Filter>(() => remembered());
  const [isFinding, setIsFinding] = useState(filter.sender !== '' || filter.kind !== '');
  const Bar = useLazy(barPart, isFinding)?.Bar;
  const [atNewest, setAtNewest] = useState(() => remembered().reading === undefined);
  const [currentKey, setCurrentKey] = useState<string>();
  /** Replies whose parents were gone to, the last one at the end. */
  const [trail, setTrail] = useState<readonly string[]>([]);
  const shown = useMemo(() => filtered(items, filter), [items, filter]);
  const { finding, find, step } = useSearch(shown, (key) => setWanted({ key, takesFocus: false }));
  const [asked, setAsked] = useAsked(heading, view.profile);
  const place = useMemo(() => shown.findIndex(({ key }) => key === currentKey), [shown, currentKey]);
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
  useEffect(() => setWanted(view.show && { ...view.show, takesFocus: true }), [view.show]);
  useEffect(() => {
    if (view.finds > 0) setIsFinding(true);
  }, [view.finds]);
  useEffect(() => tell({ type: 'atNewest', is: atNewest }), [atNewest]);

  const needs: EntryNeeds = {
    find: (id) => messageOf(byKey.get(id)),
    goTo(parent, from) {
      setTrail([...trail, from]);
      tell({ type: 'goTo', msgId: parent });
    },
    profile: setAsked,
  };
  /** Where one reads on from stays in its place. */
  const loadGap = (place: number, id: number, from: Side) => {
    list.current?.hold(from === 'older' ? place - 1 : place + 1);
    tell({ type: 'gap', id, from });
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
        <h1>{heading.name}</h1>
        <span class="summary">{heading.summary}</span>
        <span class="read-as">{heading.readAs && say('readAs', heading.readAs)}</span>
      </header>
      {isFinding && Bar && (
        <Bar
          items={items}
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
        handle={list}
        current={current}
        move={setCurrentKey}
        onNewest={setAtNewest}
        onOldest={() => older.at === 'open' && tell({ type: 'older' })}
        onShort={() =>
          older.at === 'open' && items.length > 0 && shown.length === items.length && tell({ type: 'older' })
        }
        before={items.length > 0 && <Older edge={older} />}
        after={
          <>
            {items.length > 0 && shown.length === 0 && <p class="edge">{labels.nothingLeft}</p>}
            <Newer edge={newer} isEmpty={items.length === 0} />
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
      {asked?.profile && <ProfileCard profile={asked.profile} beside={asked.beside} />}
    </>
  );
}

interface RowProps {
  items: readonly Item[];
  place: number;
  seen: Seen | undefined;
  isCurrent: boolean;
  needs: EntryNeeds;
  loadGap(place: number, id: number, from: Side): void;
}

function ItemRow({ items, place, seen, isCurrent, needs, loadGap }: RowProps) {
  const row = rowOf(items, place, seen);
  if (!row) return null;
  const { item, day, isFirstNew, continues } = row;
  if (item.type === 'gap') return <Gap edge={item.edge} load={(from) => loadGap(place, item.id, from)} />;
  return (
    <>
      {day && <p class="day">{day}</p>}
      {isFirstNew && <p class="day new">{labels.newMessages}</p>}
      <Entry item={item} continues={continues} isCurrent={isCurrent} needs={needs} />
    </>
  );
}

/** Whoever is asked about, and what is known of them once the host has said it. */
function useAsked(heading: View['heading'], profile: Profile | undefined) {
  const [asked, setAsked] = useState<{ readonly id: string; readonly beside: Element }>();
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ask = ({ senderId, senderType }: Message, beside: Element | undefined) => {
    clearTimeout(rest.current);
    if (!beside) return setAsked(undefined);
    rest.current = setTimeout(() => {
      setAsked({ id: senderId, beside });
      if (senderId) tell({ type: 'profile', kind: senderType === 'bot' ? 'bot' : 'user', id: senderId });
    }, REST);
  };
  const known = asked && profile?.id === asked.id ? profile : undefined;
  // Another chat, another person.
  useEffect(() => () => clearTimeout(rest.current), [heading]);
  return [asked && { beside: asked.beside, profile: known }, ask] as const;
}
