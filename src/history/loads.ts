/** Loads that span several pages of a timeline. */
import type { Side } from './messagePages.ts';
import type { Timeline } from './timeline.ts';
import type { Edge } from './timelineItems.ts';

/** Called with the number of items before each page. */
export type OnProgress = (items: number) => void;

/**
 * Loads pages until there are no gaps and nothing older, or the signal is aborted. Rejects with the first failure, which
 * also shows in the timeline.
 */
export async function loadAll(timeline: Timeline, progress: OnProgress, signal: AbortSignal) {
  for (;;) {
    progress(timeline.items.length);
    // Newest gap first, so that messages deleted meanwhile cannot block the load.
    const gap = timeline.items.findLast((item) => item.type === 'gap');
    if (signal.aborted || (!gap && timeline.older.at === 'end')) return;
    const edge = gap ? await loadGapEdge(timeline, gap.id, 'newer') : await loadOlderEdge(timeline);
    if (edge?.at === 'failed' && !signal.aborted) throw edge.error;
  }
}

/** Retries every failed load, and loads new messages. */
export async function retryFailedLoads(timeline: Timeline): Promise<void> {
  const { older, items } = timeline;
  const gaps = items.flatMap((item) => (item.type === 'gap' && item.edge.at === 'failed' ? item.id : []));
  await Promise.all([
    older.at === 'failed' && timeline.loadOlder(),
    ...gaps.map((id) => timeline.loadGap(id, 'older')),
    timeline.loadNewer(),
  ]);
}

/** Loads one older page. Resolves to the edge before it. */
export async function loadOlderEdge(timeline: Timeline): Promise<Edge> {
  await timeline.loadOlder();
  return timeline.older;
}

/** Loads one page from a side of a gap. Resolves to its edge, or to undefined if the gap has closed. */
export async function loadGapEdge(timeline: Timeline, id: number, from: Side): Promise<Edge | undefined> {
  await timeline.loadGap(id, from);
  const gap = timeline.items.find((item) => item.type === 'gap' && item.id === id);
  return gap?.type === 'gap' ? gap.edge : undefined;
}
