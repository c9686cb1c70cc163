import { useEffect, useRef, useState } from 'preact/hooks';
import type { Item } from '../protocol.ts';
import type { Finding } from './bar.tsx';
import { anchorOf } from './entry.tsx';
import { mark, search } from './search.ts';

/** What is looked for in these items, and what was found; `show` brings a match into view. */
export function useSearch(items: readonly Item[], show: (key: string) => void) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly string[]>();
  const [current, setCurrent] = useState(0);
  /** The newest match of a new text is shown as soon as it is found. */
  const isNew = useRef(false);

  // What comes or goes while one searches is searched as well.
  useEffect(() => {
    const abort = new AbortController();
    const arrived = (keys: readonly string[] | undefined) => {
      if (!keys) return;
      setFound(keys);
      if (isNew.current && keys[0]) show(keys[0]);
      isNew.current = false;
    };
    if (text) void search(items, text, abort.signal).then(arrived);
    else setFound(undefined);
    return () => abort.abort();
  }, [items, text]);

  // Rows come into the page as one scrolls, and change when their parts are loaded.
  useEffect(() => {
    const [rows] = document.getElementsByClassName('rows');
    if (!rows) return;
    const paint = () => mark(rows, text, document.getElementById(anchorOf(found?.[current] ?? '')));
    const observer = new MutationObserver(paint);
    if (text) observer.observe(rows, { subtree: true, childList: true, characterData: true });
    paint();
    return () => observer.disconnect();
  }, [text, found, current]);

  const finding: Finding = { text, found, current };
  const find = (next: string) => {
    isNew.current = true;
    setText(next);
    setCurrent(0);
    setFound(undefined);
  };
  const step = (by: 1 | -1) => {
    if (!found?.length) return;
    const next = (current + by + found.length) % found.length;
    setCurrent(next);
    show(found[next] ?? '');
  };
  return { finding, find, step };
}
