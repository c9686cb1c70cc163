/** What follows the results: an error, a hint that there are none, or more of them, which load before they are seen. */
import { useRef } from 'preact/hooks';
import { l10n, postToSearch } from '../common/host.ts';
import { Failure, useMore } from '../common/missing.tsx';
import type { SearchSession, SearchView } from './searchSession.ts';

interface Props {
  view: SearchView;
  session: SearchSession;
}

export function ResultEnd({ view, session }: Props) {
  const { scope, found, isLast, waitsFor, failure } = view;
  const isNothingFound = isLast && found.length === 0 && failure === undefined;
  const end = useRef<HTMLDivElement>(null);
  useMore(end, isLast || waitsFor ? undefined : () => session.more(), found);
  return (
    <div ref={end}>
      {failure === undefined ? (
        <p class={isLast ? (waitsFor ? 'edge stale' : 'edge') : 'edge waiting'}>{endText(view)}</p>
      ) : (
        <Failure text={failure} retry={() => session.retry()} />
      )}
      {isNothingFound && scope?.unarchived && <ArchiveOffer text={scope.unarchived} />}
    </div>
  );
}

export const archiveChats = () => postToSearch({ type: 'archive' });

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
