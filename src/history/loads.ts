/** Loads that span several pages of a timeline. */

import type { Timeline } from './timeline.ts';
import type { Edge } from './timelineItems.ts';

/**
 * Loads pages until there are no gaps and nothing older, or the signal is aborted. Calls `progress` with the number of
 * items. Rejects with the first failure, which also shows in the timeline.
 */
export async function loadAll(timeline: Timeline, progress: (items: number) => void, signal: AbortSignal) {
  for (;;) {
    progress(timeline.items.length);
    // Newest gap first, so that messages deleted meanwhile cannot block the load.
    const gap = timeline.items.findLast((item) => item.type === 'gap');
    if (signal.aborted || (!gap && timeline.older.at === 'end')) return;
    const edge = gap ? await loadGapEdge(timeline, gap.id) : await loadOlderEdge(timeline);
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

async function loadOlderEdge(timeline: Timeline): Promise<Edge> {
  await timeline.loadOlder();
  return timeline.older;
}

/** Resolves to undefined if the gap has closed. */
async function loadGapEdge(timeline: Timeline, id: number): Promise<Edge | undefined> {
  await timeline.loadGap(id, 'newer');
  const gap = timeline.items.find((item) => item.type === 'gap' && item.id === id);
  return gap?.type === 'gap' ? gap.edge : undefined;
}
