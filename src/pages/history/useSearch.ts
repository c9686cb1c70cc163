import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { anchorOf } from './entry.tsx';
import type { SearchState } from './findBar.tsx';
import { remembered } from './pageState.ts';
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

/** The keys of the matches, newest first, and the index of the current one. */
interface Matches {
  readonly matches: readonly string[] | undefined;
  readonly current: number;
}

const NONE: Matches = { matches: undefined, current: 0 };

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
    // Days and gaps are no messages: what they say isn't counted.
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
  // Separate, so that the cleanup above runs even if highlighting throws.
  useEffect(highlight, dependencies);

  const state: SearchState = { query, matches, current };
  const setQuery = (next: string) => {
    // A word that is typed on stays at its match.
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
