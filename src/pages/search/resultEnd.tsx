/** What follows the results: an error, a hint that there are none, or more of them, which load before they are seen. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { l10n, postToHost } from '../common/host.ts';
import type { SearchSession, SearchView } from './searchSession.ts';

/** How far from the end of the results more are loaded. */
const AHEAD = '800px';

interface Props {
  view: SearchView;
  session: SearchSession;
  scroller: RefObject<HTMLElement | null>;
}

export function ResultEnd({ view, session, scroller }: Props) {
  const { scope, found, isLast, waitsFor, failure } = view;
  const isNothingFound = isLast && found.length === 0 && failure === undefined;
  const end = useRef<HTMLDivElement>(null);
  // Observed again for each answer: one without results doesn't move the end.
  useEffect(() => {
    if (isLast || waitsFor || !end.current) return;
    const onChange = (entries: IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) session.more();
    };
    const observer = new IntersectionObserver(onChange, { root: scroller.current, rootMargin: `0px 0px ${AHEAD}` });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [found, isLast, waitsFor]);
  return (
    <div ref={end}>
      {failure === undefined ? (
        <p class={isLast ? (waitsFor ? 'edge stale' : 'edge') : 'edge waiting'}>{endText(view)}</p>
      ) : (
        <div class="edge failed" role="alert">
          <p>{failure}</p>
          <button type="button" class="action" onClick={() => session.retry()}>
            {l10n.t('Retry')}
          </button>
        </div>
      )}
      {isNothingFound && scope?.unarchived && <ArchiveOffer text={scope.unarchived} />}
    </div>
  );
}

export const archiveChats = () => postToHost({ type: 'archive' });

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
