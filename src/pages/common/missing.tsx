/**
 * Stands where a page lacks something: says that it's loading or why it couldn't be loaded, or loads more at the end of a
 * list.
 */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import { l10n } from './host.ts';

export function Loading() {
  return (
    <p class="edge" role="status">
      {l10n.t('Loading…')}
    </p>
  );
}

interface FailureProps {
  text: string;
  retry(): void;
}

export function Failure({ text, retry }: FailureProps) {
  return (
    <div class="edge failed" role="alert">
      <p dir="auto">{escapeInvisible(text)}</p>
      <button type="button" class="action" onClick={retry}>
        {l10n.t('Retry')}
      </button>
    </div>
  );
}

/** How far from the end of a list more of the list is loaded. */
const AHEAD = '800px';

/**
 * Loads more of a list before its end is seen, a child of the part that scrolls; `more` is undefined if nothing is to be
 * loaded. The end is observed again with each change of `loaded`: rows that take no space don't move it.
 */
export function useMore(end: RefObject<Element | null>, more: (() => void) | undefined, loaded: unknown): void {
  useEffect(() => {
    if (!more || !end.current) return;
    const onChange = (entries: IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) more();
    };
    const options = { root: end.current.parentElement, rootMargin: `0px 0px ${AHEAD}` };
    const observer = new IntersectionObserver(onChange, options);
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [more === undefined, loaded]);
}
