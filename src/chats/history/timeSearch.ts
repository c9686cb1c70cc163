/** Finds the message at which a time begins, and loads what is needed to be sure of it. */
import { firstSince } from '../../service/messagePages.ts';
import { loadGapEdge, loadOlderEdge, type OnProgress } from './loads.ts';
import type { Timeline } from './timeline.ts';
import { timeOf } from './timelineItems.ts';

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
    const { item, index = -1 } = firstSince(items, time, timeOf) ?? {};
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
