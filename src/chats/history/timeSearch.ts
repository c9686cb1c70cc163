/** Finds the message at which a time begins, and loads what is needed to be sure of it. */
import { loadGapEdge, loadOlderEdge, type OnProgress } from './loads.ts';
import type { Timeline } from './timeline.ts';
import { type TimelineItem, timeOf } from './timelineItems.ts';

export interface TimeMatch {
  readonly key: string;
  /** Unix ms. */
  readonly sendTime: number;
  /** Whether the chat has nothing older. */
  readonly isFirst: boolean;
}

/**
 * Finds the first message that was sent at a time (Unix ms) or later. Loads gaps and older pages until no other message
 * can come before it. Resolves to `none` if all messages are older, and to `aborted` with the signal. Rejects with the
 * first failure, which also shows in the timeline.
 */
export async function findTime(
  timeline: Timeline,
  time: number,
  progress: OnProgress,
  signal: AbortSignal,
): Promise<TimeMatch | 'none' | 'aborted'> {
  const { items } = timeline;
  let isNewest = false;
  for (;;) {
    if (signal.aborted) return 'aborted';
    const index = indexOfTime(items, time);
    const item = items[index];
    const sendTime = timeOf(item);
    progress(items.length, sendTime);
    if (item?.type !== 'entry' || sendTime === undefined) {
      if (isNewest) return 'none';
      isNewest = true;
      await timeline.loadNewer();
      if (timeline.newer.at === 'failed' && !signal.aborted) throw timeline.newer.error;
      continue;
    }
    const previous = items.slice(0, index).findLastIndex((one) => one.type === 'gap' || timeOf(one) !== undefined);
    const before = items[previous];
    const isFirst = !before && timeline.older.at === 'end';
    if (isFirst || before?.type === 'entry') return { key: item.key, sendTime, isFirst };
    const nearerSide = () => {
      const older = timeOf(items.slice(0, previous).findLast((one) => timeOf(one) !== undefined));
      return older !== undefined && time - older < sendTime - time ? 'older' : 'newer';
    };
    const edge = before ? await loadGapEdge(timeline, before.id, nearerSide()) : await loadOlderEdge(timeline);
    if (edge?.at === 'failed' && !signal.aborted) throw edge.error;
  }
}

/**
 * The index of the first message sent at a time or later; -1 if there's none. The list is cut where the fewest messages
 * are on the wrong side, so that one with a wrong clock doesn't matter.
 */
function indexOfTime(items: readonly TimelineItem[], time: number): number {
  let [cut, wrong, fewest] = [0, 0, 0];
  for (const [index, item] of items.entries()) {
    const sendTime = timeOf(item);
    if (sendTime !== undefined) wrong += sendTime < time ? -1 : 1;
    if (wrong < fewest) [cut, fewest] = [index + 1, wrong];
  }
  return items.findIndex((item, index) => index >= cut && (timeOf(item) ?? -Infinity) >= time);
}
