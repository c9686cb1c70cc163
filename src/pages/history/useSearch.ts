import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageItem } from '../../protocol/history.ts';
import { lazy, useLazy } from '../shared/lazy.ts';
import { anchorOf } from './entry.tsx';
import type { SearchState } from './findBar.tsx';

const searchPart = lazy(() => import('./search.ts'));

/** The matches, the newest first, and which of them is the current one. */
interface Matches {
  readonly found: readonly string[] | undefined;
  readonly current: number;
}

const NONE: Matches = { found: undefined, current: 0 };

/** What is looked for in these items, and what was found; `show` brings a match into view. */
export function useSearch(items: readonly PageItem[], show: (key: string) => void) {
  const [text, setText] = useState('');
  const [{ found, current }, setMatches] = useState(NONE);
  const part = useLazy(searchPart, text !== '');
  /** The newest match of a new text is shown as soon as it is found. */
  const isNew = useRef(false);

  // What comes or goes while one searches is searched as well.
  useEffect(() => {
    if (!part) return;
    const abort = new AbortController();
    const arrived = (keys: readonly string[] | undefined) => {
      if (!keys) return;
      setMatches((last) => ({ found: keys, current: part.currentMatch(keys, last.found ?? [], last.current) }));
      if (isNew.current && keys[0]) show(keys[0]);
      isNew.current = false;
    };
    void part.findMatches(items, text, abort.signal).then(arrived);
    return () => abort.abort();
  }, [items, text, part]);

  // Rows come into the page as one scrolls, and change when their parts are loaded.
  const paint = () => {
    const [rows] = document.getElementsByClassName('rows');
    if (rows) part?.highlightMatches(rows, text, document.getElementById(anchorOf(found?.[current] ?? '')));
  };
  const painted = [text, found, current, part];
  useEffect(() => {
    const [rows] = document.getElementsByClassName('rows');
    if (!rows || !part) return;
    const observer = new MutationObserver(paint);
    observer.observe(rows, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      part.clearHighlights();
    };
  }, painted);
  // On its own: whatever becomes of it, the one above is undone.
  useEffect(paint, painted);

  const finding: SearchState = { text, found, current };
  const find = (next: string) => {
    isNew.current = true;
    setText(next);
    setMatches(NONE);
  };
  const step = (by: 1 | -1) => {
    if (!found?.length) return;
    const next = (current + by + found.length) % found.length;
    setMatches({ found, current: next });
    show(found[next] ?? '');
  };
  return { finding, find, step };
}
