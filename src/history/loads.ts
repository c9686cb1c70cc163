/** Loads of a timeline that take more than one page. */

import type { Timeline } from './timeline.ts';
import type { Edge } from './timelineItems.ts';

/**
 * Loads page after page until there are no gaps and nothing older, or the signal is aborted; `progress` is told how
 * many items there are. Rejects with what went wrong, which stays in the timeline, too.
 */
export async function loadAll(timeline: Timeline, progress: (items: number) => void, signal: AbortSignal) {
  for (;;) {
    progress(timeline.items.length);
    // Gaps from the newest on: what was deleted since cannot stand in the way of that.
    const gap = timeline.items.findLast((item) => item.type === 'gap');
    if (signal.aborted || (!gap && timeline.older.at === 'end')) return;
    const edge = gap ? await loadGapEdge(timeline, gap.id) : await loadOlderEdge(timeline);
    if (edge?.at === 'failed' && !signal.aborted) throw edge.error;
  }
}

/** Goes on with every load that has failed, and looks for what is new. */
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

/** Undefined where the gap has closed: what an end says is of an earlier load. */
async function loadGapEdge(timeline: Timeline, id: number): Promise<Edge | undefined> {
  await timeline.loadGap(id, 'newer');
  const gap = timeline.items.find((item) => item.type === 'gap' && item.id === id);
  return gap?.type === 'gap' ? gap.edge : undefined;
}
