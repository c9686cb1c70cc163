/** What lies beyond what is loaded: at either end, and in gaps between. */
import type { ComponentChildren } from 'preact';
import type { EdgeView } from '../../protocol/history.ts';
import { labels, postToHost } from '../shared/host.ts';
import { anchorOf } from './entry.tsx';

export function OlderEdge({ edge }: { edge: EdgeView }) {
  if (edge.at === 'end') return <p class="edge">{labels.beginning}</p>;
  return (
    <Edge edge={edge}>
      <Ask edge={edge} label={labels.loadOlder} ask={() => postToHost({ type: 'older' })} />
    </Edge>
  );
}

export function NewerEdge({ edge, isEmpty }: { edge: EdgeView; isEmpty: boolean }) {
  return (
    <Edge edge={edge}>
      {isEmpty && edge.at !== 'loading' && edge.at !== 'failed' && <p>{labels.empty}</p>}
      <Ask edge={edge} label={labels.checkNewer} ask={() => postToHost({ type: 'newer' })} />
    </Edge>
  );
}

/** Which side of a gap is loaded: what comes after the `older` messages, or before the `newer` ones. */
export type GapSide = 'older' | 'newer';

interface GapProps {
  itemKey: string;
  edge: EdgeView;
  /** The keys are pressed here. */
  isCurrent: boolean;
  load(from: GapSide): void;
}

/** Messages between two that are loaded: they can be loaded from either side. */
export function GapRow({ itemKey, edge, isCurrent, load }: GapProps) {
  return (
    <article class="gap row" id={anchorOf(itemKey)} tabIndex={isCurrent ? 0 : -1} aria-label={labels.notLoaded}>
      <Edge edge={edge}>
        <Ask edge={edge} label={labels.loadAfter} ask={() => load('older')} />
        {edge.at === 'open' && (
          <>
            <p>{labels.notLoaded}</p>
            <Ask edge={edge} label={labels.loadBefore} ask={() => load('newer')} />
          </>
        )}
      </Edge>
    </article>
  );
}

/** Says what went wrong, where something did. */
function Edge({ edge, children }: { edge: EdgeView; children: ComponentChildren }) {
  const failed = edge.at === 'failed' ? edge : undefined;
  return (
    <div class={failed ? 'edge failed' : 'edge'} role={failed && 'alert'}>
      {failed && <p key="failed">{failed.text}</p>}
      {children}
      {failed?.needsToken && (
        <button key="token" type="button" class="action" onClick={() => postToHost({ type: 'setToken' })}>
          {labels.setToken}
        </button>
      )}
    </div>
  );
}

/** One button for all states, so that it keeps the focus. */
function Ask({ edge, label, ask }: { edge: EdgeView; label: string; ask: () => void }) {
  const isLoading = edge.at === 'loading';
  return (
    <span key="ask" aria-live="polite">
      <button
        type="button"
        class={edge.at === 'failed' ? 'action' : 'link'}
        aria-disabled={isLoading}
        onClick={() => isLoading || ask()}
      >
        {isLoading ? labels.loading : edge.at === 'failed' ? labels.retry : label}
      </button>
    </span>
  );
}
