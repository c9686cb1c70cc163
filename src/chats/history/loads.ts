/** Loads of a timeline that span several pages, or come again and again. */
import { type Clock, systemClock } from '../../service/clock.ts';
import type { Side } from '../../service/messagePages.ts';
import type { Timeline } from './timeline.ts';
import { type Edge, timeOf } from './timelineItems.ts';

/** Called before each page: the number of items, and the time (Unix ms) since which all are loaded, if known. */
export type OnProgress = (items: number, reached: number | undefined) => void;

/**
 * Loads pages until there are no gaps and nothing older. Resolves to the number of messages, or to undefined if the signal
 * is aborted. Rejects with the first failure, which also shows in the timeline.
 */
export async function loadAll(
  timeline: Timeline,
  progress: OnProgress,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { items } = timeline;
  for (;;) {
    // Newest gap first, so that messages deleted meanwhile cannot block the load.
    const gapIndex = items.findLastIndex((item) => item.type === 'gap');
    const gap = items[gapIndex];
    progress(items.length, timeOf(items.find((item, index) => index > gapIndex && timeOf(item) !== undefined)));
    if (signal.aborted) return undefined;
    if (!gap && timeline.older.at === 'end') return items.length;
    const edge = gap?.type === 'gap' ? await loadGapEdge(timeline, gap.id, 'newer') : await loadOlderEdge(timeline);
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

export interface PollOptions {
  /** Seconds from a response to the next poll; 0 pauses. */
  seconds(): number;
  /** Whether a poll is useful now, for example because the panel is visible. */
  isWanted(): boolean;
  /** Polls once. */
  poll(): Promise<unknown>;
}

/** Polls at an interval that may change at any time, until the signal is aborted; resolves then. */
export async function poll(
  { seconds, isWanted, poll: pollOnce }: PollOptions,
  signal: AbortSignal,
  clock: Clock = systemClock,
) {
  /** How often the conditions are checked, in milliseconds. */
  const CHECK_INTERVAL = 1000;
  let lastPoll = clock.now();
  while (!signal.aborted) {
    await clock.sleep(CHECK_INTERVAL, signal).catch(() => {});
    const pause = seconds() * 1000;
    if (signal.aborted || pause <= 0 || !isWanted() || clock.now() - lastPoll < pause) continue;
    await pollOnce();
    lastPoll = clock.now();
  }
}
