/** Loads of a timeline that span several pages, or come again and again. */
import { type Clock, systemClock } from '../../service/clock.ts';
import { firstSince, type Side } from '../../service/messagePages.ts';
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
    // The newest gap comes first, so that messages deleted meanwhile can't block the load.
    const gapIndex = items.findLastIndex((item) => item.type === 'gap');
    const gap = items[gapIndex];
    progress(items.length, timeOf(items.find((item, index) => index > gapIndex && timeOf(item) !== undefined)));
    if (signal.aborted) return undefined;
    if (!gap && timeline.older.at === 'end') return items.length;
    const edge = gap?.type === 'gap' ? await loadGapEdge(timeline, gap.id, 'newer') : await loadOlderEdge(timeline);
    if (edge?.at === 'failed' && !signal.aborted) throw edge.error;
  }
}

export interface TimeMatch {
  readonly key: string;
  /** When the message was sent (Unix ms). */
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

/** Loads one older page. Resolves to the edge before it. */
async function loadOlderEdge(timeline: Timeline): Promise<Edge> {
  await timeline.loadOlder();
  return timeline.older;
}

/** Loads one page from a side of a gap. Resolves to its edge, or to undefined if the gap has closed. */
async function loadGapEdge(timeline: Timeline, id: number, from: Side): Promise<Edge | undefined> {
  await timeline.loadGap(id, from);
  const gap = timeline.items.find((item) => item.type === 'gap' && item.id === id);
  return gap?.type === 'gap' ? gap.edge : undefined;
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

interface PollOptions {
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
