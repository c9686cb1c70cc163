/** Loads of a timeline that take more than one page. */
import type { Timeline } from './timeline.ts';

/**
 * Loads page after page until there are no gaps and nothing older, or the signal is aborted; `progress` is told how
 * many items there are. Rejects with what went wrong, which stays in the timeline, too.
 */
export async function loadAll(timeline: Timeline, progress: (items: number) => void, signal: AbortSignal) {
  for (;;) {
    progress(timeline.items.length);
    const gap = timeline.items.find((item) => item.type === 'gap');
    if (signal.aborted || (!gap && timeline.older.at === 'end')) return;
    if (gap) await timeline.loadGap(gap.id, 'newer');
    else await timeline.loadOlder();
    const failed = gap ? timeline.items.find((item) => item.type === 'gap' && item.id === gap.id) : undefined;
    const edge = failed?.type === 'gap' ? failed.edge : timeline.older;
    if (edge.at === 'failed' && !signal.aborted) throw edge.error;
  }
}

/** Goes on with every load that has failed, and looks for what is new. */
export async function goOn(timeline: Timeline): Promise<void> {
  const { older, items } = timeline;
  const gaps = items.flatMap((item) => (item.type === 'gap' && item.edge.at === 'failed' ? item.id : []));
  await Promise.all([
    older.at === 'failed' && timeline.loadOlder(),
    ...gaps.map((id) => timeline.loadGap(id, 'older')),
    timeline.loadNewer(),
  ]);
}
