/** Searches the loaded messages: the state of a search, the bar for it, which filters them, too, and what is below the bar. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { EdgeView, FromPage, PageItem } from '../../protocol/history.ts';
import { IconButton } from '../common/controls.tsx';
import { useLostFocus } from '../common/focus.ts';
import { formatNumber, isolate, kindName } from '../common/formats.ts';
import { l10n, postToHistory } from '../common/host.ts';
import { LoadButton } from './edges.tsx';
import { anchorOf } from './entry.tsx';
import { remember, remembered } from './pageState.ts';
import type { Filter, filterChoices } from './rows.ts';
import type { FindPlace } from './scrollPosition.ts';
import {
  clearHighlights,
  currentMatch,
  findingText,
  findingWords,
  findMatches,
  highlightMatches,
  nearestMatch,
  revealMatch,
} from './search.ts';

interface SearchState {
  readonly query: string;
  /** The keys of the matches, newest first; undefined while searching. */
  readonly matches: readonly string[] | undefined;
  /** The index of the match that is shown. */
  readonly current: number;
}

interface Props {
  choices: ReturnType<typeof filterChoices>;
  state: SearchState;
  filter: Filter;
  /** How often the bar was opened; it takes focus each time, but only if it had it before when the page restores it. */
  openCount: number;
  setQuery(query: string): void;
  /** Moves to the next older match, or to the next newer one for -1. */
  step(by: 1 | -1): void;
  applyFilter(filter: Filter): void;
  close(): void;
  /** The part below the bar. */
  children: ComponentChildren;
}

export function FindBar({ choices, state, filter, openCount, setQuery, step, applyFilter, close, children }: Props) {
  const bar = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // The element that had the focus last, as the page loses the focus before it's hidden.
  useLayoutEffect(() => {
    const keepFocus = ({ target }: FocusEvent) => remember({ hasFindFocus: target === input.current });
    document.addEventListener('focusin', keepFocus);
    return () => document.removeEventListener('focusin', keepFocus);
  }, []);
  useLayoutEffect(() => {
    if (openCount > 0) input.current?.select();
    else if (remembered().hasFindFocus) input.current?.focus();
  }, [openCount]);
  // The ways to the rest of the chat are gone when all of it is loaded.
  useLostFocus(bar, () => input.current?.focus());
  const { senders, kinds } = choices;
  const search = ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }) =>
    value !== state.query && setQuery(value);
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys belong to an input method.
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search ref={bar} onKeyDown={onKeyDown}>
      <div class="bar">
        <input
          ref={input}
          type="text"
          placeholder={l10n.t('Find in loaded messages')}
          aria-label={l10n.t('Find in loaded messages')}
          defaultValue={state.query}
          // Nothing is searched while pinyin is being composed.
          onInput={(event) => !event.isComposing && search(event)}
          onCompositionEnd={search}
        />
        <span class="count" role="status">
          {countText(state)}
        </span>
        <IconButton label={l10n.t('Next older match')} icon="M3.5 10 8 5.5 12.5 10" onClick={() => step(1)} />
        <IconButton label={l10n.t('Next newer match')} icon="M3.5 6 8 10.5 12.5 6" onClick={() => step(-1)} />
        <select
          title={l10n.t('All senders')}
          aria-label={l10n.t('All senders')}
          value={filter.sender}
          onChange={({ currentTarget }) => applyFilter({ ...filter, sender: currentTarget.value })}
        >
          <option value="">{l10n.t('All senders')}</option>
          {senders.map(([id, { name, count }]) => (
            <option key={id} value={id}>
              {l10n.t('{0} ({1})', isolate(name), formatNumber(count))}
            </option>
          ))}
        </select>
        <select
          title={l10n.t('All types')}
          aria-label={l10n.t('All types')}
          value={filter.kind}
          onChange={({ currentTarget }) => applyFilter({ ...filter, kind: currentTarget.value })}
        >
          <option value="">{l10n.t('All types')}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {excerpt(kindName(kind))}
            </option>
          ))}
        </select>
        <IconButton label={l10n.t('Close')} icon="m4 4 8 8m0-8-8 8" onClick={close} />
      </div>
      {children}
    </search>
  );
}

function countText({ query, matches, current }: SearchState): string {
  if (!query || !matches) return '';
  if (matches.length === 0) return l10n.t('No results');
  return l10n.t('{0} of {1}', formatNumber(current + 1), formatNumber(matches.length));
}

interface ScopeProps {
  query: string;
  /** How many messages were searched. */
  searched: number;
  older: EdgeView;
  /** Whether the chat is archived; undefined if it can't be. */
  isArchived: boolean | undefined;
  /** Whether more messages are about to be loaded. */
  onLoad(): void;
}

/** The part below the find bar, unless the whole chat is loaded: says what was searched, and leads to the rest of the chat. */
export function FindScope({ query, searched, older, isArchived, onLoad }: ScopeProps) {
  const load = (message: FromPage) => {
    onLoad();
    postToHistory(message);
  };
  return (
    <div class="find-scope">
      <span>
        {searched === 1
          ? l10n.t('Searched the 1 loaded message.')
          : l10n.t('Searched the {0} loaded messages.', formatNumber(searched))}
      </span>
      {isArchived && (
        <Way
          label={l10n.t('Search the Archive')}
          effect={l10n.t('Searches all messages of this chat that are kept on this computer.')}
          go={() => postToHistory({ type: 'searchArchive', text: query.trim() })}
        />
      )}
      {older.at !== 'end' && (
        <LoadButton
          edge={older}
          label={l10n.t('Load Older Messages')}
          effect={l10n.t('Loads the next messages before those that are loaded, and searches them, too.')}
          load={() => load({ type: 'older' })}
        />
      )}
      {!isArchived && (
        <Way
          label={l10n.t('Load Entire History')}
          effect={l10n.t('Loads all messages of this chat to search them, which may take a while. You can cancel it.')}
          go={() => load({ type: 'loadHistory' })}
        />
      )}
      {isArchived === false && (
        <Way
          label={l10n.t('Archive This Chat…')}
          effect={l10n.t(
            'Keeps a copy of all messages of this chat on this computer, which you can search at any time.',
          )}
          go={() => postToHistory({ type: 'archiveHere' })}
        />
      )}
    </div>
  );
}

function Way({ label, effect, go }: { label: string; effect: string; go(): void }) {
  return (
    <button type="button" class="link" title={effect} onClick={go}>
      {label}
    </button>
  );
}

const NONE: Omit<SearchState, 'query'> = { matches: undefined, current: 0 };

/** A message that was opened from the results of a search, and the query of that. */
export interface FoundElsewhere {
  readonly key: string;
  readonly query: string;
}

/** Searches the items; `show` brings a match into view. Until something is searched for, what was `found` is highlighted. */
export function useSearch(
  items: readonly PageItem[],
  show: (key: string, place: FindPlace) => void,
  found: FoundElsewhere | undefined,
) {
  const [query, setQueryText] = useState(() => remembered().find?.query ?? '');
  const [{ matches, current }, setMatches] = useState(NONE);
  /** Whether to show the nearest match: that of a new query, or the first one that more messages bring. */
  const sought = useRef<'now' | 'later'>(undefined);
  /** The key of the item at which the search begins; undefined for the newest one. */
  const start = useRef<string>(undefined);
  /** The current match from before the page was hidden, until it's found again. */
  const restoring = useRef(remembered().find?.match);
  const showMatch = (key: string) => show(key, (row) => revealMatch(row, findingText(query)));

  // Items that arrive during a search are searched as well.
  useEffect(() => {
    if (!query) return;
    const abort = new AbortController();
    const onResult = (keys: readonly string[] | undefined) => {
      if (!keys) return;
      const restored = keys.indexOf(restoring.current ?? '');
      if (restored >= 0) restoring.current = undefined;
      const nearest = nearestMatch(items, keys, start.current);
      const known = sought.current ? nearest : restored;
      setMatches((last) => ({
        matches: keys,
        current: known >= 0 ? known : currentMatch(keys, last.matches ?? [], last.current),
      }));
      if (sought.current && keys[0]) showMatch(keys[nearest] ?? '');
      if (keys[0] || sought.current === 'now') sought.current = undefined;
    };
    void findMatches(items, query, abort.signal).then(onResult);
    return () => abort.abort();
  }, [items, query]);

  // Rows enter the page on scrolling, and change when their modules are loaded.
  const highlight = () => {
    const [rows] = document.getElementsByClassName('rows');
    const key = query ? matches?.[current] : found?.key;
    const message = document.getElementById(anchorOf(key ?? ''));
    // Days and gaps are no messages: their texts aren't counted.
    if (rows && query) highlightMatches(rows.getElementsByClassName('entry'), findingText(query), message);
    else if (message && found) highlightMatches([message], findingWords(found.query), message);
  };
  const isHighlighting = query !== '' || found !== undefined;
  const dependencies = [query, matches, current, found];
  useEffect(() => {
    const [rows] = document.getElementsByClassName('rows');
    if (!rows || !isHighlighting) return;
    const observer = new MutationObserver(highlight);
    observer.observe(rows, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      clearHighlights();
    };
  }, dependencies);
  // This effect is separate, so that the cleanup above runs even if highlighting throws.
  useEffect(highlight, dependencies);

  const state: SearchState = { query, matches, current };
  const setQuery = (next: string) => {
    // While a word is typed on, the match stays.
    if (!query) start.current = remembered().reading;
    else if (matches?.length) start.current = matches[current];
    restoring.current = undefined;
    sought.current = 'now';
    setQueryText(next);
    setMatches(NONE);
  };
  const step = (by: 1 | -1) => {
    if (!matches?.length) return;
    restoring.current = undefined;
    const next = (current + by + matches.length) % matches.length;
    setMatches({ matches, current: next });
    showMatch(matches[next] ?? '');
  };
  const seek = () => {
    if (!matches?.length) sought.current = 'later';
  };
  const match = restoring.current ?? matches?.[current];
  return { state, match, setQuery, step, seek };
}
