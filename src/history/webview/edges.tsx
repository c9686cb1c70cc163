/** What lies beyond what is loaded: at either end, and in gaps between. */
import type { EdgeView } from '../protocol.ts';
import { labels, tell } from './host.ts';

export function Older({ edge }: { edge: EdgeView }) {
  switch (edge.at) {
    case 'open':
      return <Ask label={labels.loadOlder} ask={() => tell({ type: 'older' })} />;
    case 'loading':
      return <Loading />;
    case 'end':
      return <p class="edge">{labels.beginning}</p>;
    case 'failed':
      return <Failed edge={edge} retry={() => tell({ type: 'older' })} />;
  }
}

export function Newer({ edge, isEmpty }: { edge: EdgeView; isEmpty: boolean }) {
  if (edge.at === 'failed') return <Failed edge={edge} retry={() => tell({ type: 'newer' })} />;
  return (
    <>
      {isEmpty && edge.at !== 'loading' && <p class="edge">{labels.empty}</p>}
      {edge.at === 'loading' ? <Loading /> : <Ask label={labels.checkNewer} ask={() => tell({ type: 'newer' })} />}
    </>
  );
}

/** Which side of a gap is loaded: what comes after the `older` messages, or before the `newer` ones. */
export type Side = 'older' | 'newer';

/** Messages between two that are loaded: they can be loaded from either side. */
export function Gap({ edge, load }: { edge: EdgeView; load: (from: Side) => void }) {
  if (edge.at === 'loading') return <Loading />;
  if (edge.at === 'failed') return <Failed edge={edge} retry={() => load('older')} />;
  return (
    <div class="edge gap">
      <Ask label={labels.loadAfter} ask={() => load('older')} />
      <p>{labels.notLoaded}</p>
      <Ask label={labels.loadBefore} ask={() => load('newer')} />
    </div>
  );
}

function Loading() {
  return (
    <p class="edge" role="status">
      {labels.loading}
    </p>
  );
}

function Failed({ edge, retry }: { edge: Extract<EdgeView, { at: 'failed' }>; retry: () => void }) {
  return (
    <div class="edge failed" role="alert">
      <p>{edge.text}</p>
      <button type="button" class="action" onClick={retry}>
        {labels.retry}
      </button>
      {edge.needsToken && (
        <button type="button" class="action" onClick={() => tell({ type: 'setToken' })}>
          {labels.setToken}
        </button>
      )}
    </div>
  );
}

function Ask({ label, ask }: { label: string; ask: () => void }) {
  return (
    <p class="edge">
      <button type="button" class="link" onClick={ask}>
        {label}
      </button>
    </p>
  );
}
