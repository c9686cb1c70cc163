/** Loads more messages: at either end of the history, and in gaps. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EdgeView } from '../../protocol/history.ts';
import { l10n, postToHistory } from '../common/host.ts';
import { anchorOf } from './entry.tsx';

export function OlderEdge({ edge }: { edge: EdgeView }) {
  if (edge.at === 'end') return <p class="edge">{l10n.t('This is the beginning of the message history.')}</p>;
  return (
    <Edge edge={edge}>
      <LoadButton edge={edge} label={l10n.t('Load Older Messages')} load={() => postToHistory({ type: 'older' })} />
    </Edge>
  );
}

export function NewerEdge({ edge, isEmpty }: { edge: EdgeView; isEmpty: boolean }) {
  return (
    <Edge edge={edge}>
      {isEmpty && edge.at !== 'loading' && edge.at !== 'failed' && <p>{l10n.t('No messages here yet.')}</p>}
      <LoadButton edge={edge} label={l10n.t('Check for New Messages')} load={() => postToHistory({ type: 'newer' })} />
    </Edge>
  );
}

/** The side from which a gap is loaded: after the `older` messages, or before the `newer` ones. */
export type GapSide = 'older' | 'newer';

interface GapProps {
  itemKey: string;
  edge: EdgeView;
  /** Whether the row takes keyboard focus. */
  isCurrent: boolean;
  load(from: GapSide): void;
}

/** Messages that aren't loaded between two that are. They can be loaded from either side. */
export function GapRow({ itemKey, edge, isCurrent, load }: GapProps) {
  return (
    <article
      class="gap row"
      id={anchorOf(itemKey)}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={l10n.t('Some messages here might not be loaded.')}
    >
      <Edge edge={edge}>
        <LoadButton edge={edge} label={l10n.t('Load Older Side of Gap')} load={() => load('older')} />
        {edge.at === 'open' && (
          <>
            <p>{l10n.t('Some messages here might not be loaded.')}</p>
            <LoadButton edge={edge} label={l10n.t('Load Newer Side of Gap')} load={() => load('newer')} />
          </>
        )}
      </Edge>
    </article>
  );
}

/** Wraps an edge, with the error if loading failed. */
function Edge({ edge, children }: { edge: EdgeView; children: ComponentChildren }) {
  const failed = edge.at === 'failed' ? edge : undefined;
  const fix = failed?.fix;
  return (
    <div class={failed ? 'edge failed' : 'edge'} role={failed && 'alert'}>
      {failed && <p key="failed">{failed.text}</p>}
      {children}
      {fix && (
        <button key={fix} type="button" class="action" onClick={() => postToHistory({ type: fix })}>
          {fix === 'setToken' ? l10n.t('Set Bot Token…') : l10n.t('Change Address…')}
        </button>
      )}
    </div>
  );
}

interface LoadButtonProps {
  edge: EdgeView;
  label: string;
  /** What the button does, if the label doesn't say enough. */
  effect?: string;
  load(): void;
}

/** The same button in every state, so that it keeps focus. */
export function LoadButton({ edge, label, effect, load }: LoadButtonProps) {
  const isLoading = edge.at === 'loading';
  /** Only loads that the user has asked for are announced, not those on scrolling. */
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    if (!isLoading) setIsAsked(false);
  }, [isLoading]);
  const onClick = () => {
    if (isLoading) return;
    setIsAsked(true);
    load();
  };
  return (
    <span key="load" aria-live={isAsked ? 'polite' : undefined}>
      <button
        type="button"
        class={edge.at === 'failed' ? 'action' : 'link'}
        title={effect}
        aria-disabled={isLoading}
        onClick={onClick}
      >
        {isLoading ? l10n.t('Loading…') : edge.at === 'failed' ? l10n.t('Retry') : label}
      </button>
    </span>
  );
}
