/** The loaded part of a chat's history, and the loads that extend it. */

import type { Page } from '../../service/client.ts';
import { type Listed, newestMessage, oldestFirst } from '../../service/message.ts';
import {
  anchoredPage,
  isAnchorLost,
  LostAnchorError,
  listBeyond,
  PAGE_SIZE,
  type Side,
  withoutDuplicates,
} from '../../service/messagePages.ts';
import { SerialQueue } from '../../service/taskQueue.ts';
import { Log, type ReadTask } from '../log/log.ts';
import { LoadedSegments } from './loadedSegments.ts';
import type { Edge, Splice, TimelineItem } from './timelineItems.ts';

/** How many messages a jump requests on each side. */
const AROUND = 25;

/** The result of a load: a page with nothing further, with as many entries as requested, or with fewer; or no page. */
type LoadResult = 'end' | 'full' | 'some' | 'failed' | LostAnchors;

/** Why none of the anchors of a load could be used. */
interface LostAnchors {
  readonly lost: unknown;
}

/** Called after each change of a timeline: of its items, or only of an outer edge. */
type ChangeListener = (splice: Splice | undefined) => void;

export class Timeline {
  readonly #list: (page: Page) => Promise<Listed[]>;
  readonly #onChange: ChangeListener;
  readonly #loaded = new LoadedSegments();
  readonly #log = new Log(this.#loaded);
  /** Loads run one at a time: no two start from the same anchor, and a scroll requests the same load many times. */
  readonly #queue = new SerialQueue();
  #older: Edge = { at: 'open' };
  #newer: Edge = { at: 'open' };
  /** Whether the current load of newer messages runs in the background. */
  #isSilent = false;
  /** Whether the newest page was loaded. */
  #hasNewest = false;

  /** `list` reads one page of the chat. */
  constructor(list: (page: Page) => Promise<Listed[]>, onChange: ChangeListener) {
    this.#list = list;
    this.#onChange = onChange;
  }

  /** The items, oldest first: always the same array. */
  get items(): readonly TimelineItem[] {
    return this.#loaded.items;
  }

  /** The edge before the first item. */
  get older(): Edge {
    return this.#older;
  }

  /** The edge after the last item. */
  get newer(): Edge {
    return this.#newer;
  }

  has(msgId: string): boolean {
    return this.#loaded.has(msgId);
  }

  /** Whether the newest page was loaded. */
  get hasNewest(): boolean {
    return this.#hasNewest;
  }

  /**
   * The newest readable message, with the newest known time. Undefined until the newest page is loaded: a message that was
   * gone to may have any number of newer ones.
   */
  newest(): ReturnType<typeof newestMessage> {
    return this.#hasNewest ? newestMessage(newestFirst(this.items)) : undefined;
  }

  /** Loads the page before the oldest entry, or the newest page if nothing is loaded yet. */
  loadOlder(): Promise<void> {
    return this.#queue.share('older', 'done', async () => {
      const segments = this.#log.segments();
      const task = segments[0] && this.#log.task(segments[0].id, 'older');
      if (!task || (segments.length === 1 && task.anchors.length === 0)) return this.#loadLatest('older');
      const result = await this.#extend('older', task);
      if (isLost(result)) this.#setEdge('older', { at: 'failed', error: result.lost });
    });
  }

  /**
   * Loads everything newer than the newest entry, or the newest page if that was never loaded. A `silent` load shows only
   * its result at the newest end, not that it is loading.
   */
  loadNewer({ silent = false } = {}): Promise<void> {
    // A message may arrive after the current response, so only a load that has not begun is shared.
    return this.#queue.share(silent ? 'newer, silent' : 'newer', 'begun', async () => {
      this.#isSilent = silent;
      for (;;) {
        const last = this.#log.segments().at(-1);
        const task = last && this.#log.task(last.id, 'newer');
        // After a message was gone to first, all those from there to the newest may be too many.
        if (!task?.anchors.length || !this.#hasNewest) return this.#loadLatest('newer');
        const result = await this.#extend('newer', task);
        // The newest page needs no anchor.
        if (isLost(result)) return this.#loadLatest('newer');
        if (result === 'end' || result === 'failed') return;
      }
    });
  }

  /**
   * Loads one page at one side of a gap: after the newest entry `older` than it, or before the oldest entry `newer`
   * than it. The gap closes when both sides meet, or the service has nothing between them.
   */
  loadGap(id: number, from: Side): Promise<void> {
    return this.#queue.share(`gap ${id} ${from}`, 'done', async () => {
      const sides = this.#loaded.segmentsAround(id);
      if (!sides) return;
      if (sides.older.newer === 'lost') this.#loaded.setEdge(sides.older.id, 'newer', 'open');
      if (sides.newer.older === 'lost') this.#loaded.setEdge(sides.newer.id, 'older', 'open');
      const [older, newer] = [sides.older.id, sides.newer.id];
      let error: unknown;
      // A short page may be the last one, or the service's page limit: load another one to find out.
      for (let short = 0; short < 2; ) {
        const gap = this.#log.gaps().find((one) => one.older?.id === older && one.newer.id === newer);
        // The page has closed the gap, or has shown that these segments have another order.
        if (!gap) break;
        const task = this.#log.gapTask(gap, from);
        if (!task && gap.isLost) return this.#setEdge(id, { at: 'failed', error });
        if (!task) return this.#change(() => this.#log.close(gap));
        const result = await this.#extend(id, task);
        if (result === 'failed') return;
        if (result === 'full') break;
        if (result === 'some') short++;
        if (isLost(result)) error = result.lost;
      }
      this.#setEdge(id, { at: 'open' });
    });
  }

  /**
   * Loads the messages around a message, unless it is loaded. Resolves to false if the service does not list it; rejects
   * as `list` does. Neither changes the timeline.
   */
  goTo(msgId: string): Promise<boolean> {
    return this.#queue.run(async () => {
      if (this.has(msgId)) return true;
      const answer = anchoredPage(await this.#list({ anchor: msgId, before: AROUND, after: AROUND }), msgId);
      if (!answer) return false;
      this.#change(() => this.#log.add(answer.entries));
      return true;
    });
  }

  /** Loads the newest page. */
  async #loadLatest(side: Side): Promise<void> {
    this.#setEdge(side, { at: 'loading' });
    let page: Listed[];
    try {
      page = withoutDuplicates(oldestFirst(await this.#list({ latest: PAGE_SIZE })));
    } catch (error) {
      return this.#setEdge(side, { at: 'failed', error });
    }
    this.#hasNewest = true;
    this.#change(() => {
      const hasNew = page.length > 0 && this.#log.addLatest(page).isNew.includes(true);
      // A failure of an earlier load is over, at whichever end it was shown.
      this.#newer = { at: 'open' };
      if (hasNew) this.#older = { at: 'open' };
      // Contract 4.4, rule 1: a chat shorter than a page has nothing older. A service may list fewer than asked for.
      else if (page.length < PAGE_SIZE && (side === 'older' || this.items.length <= page.length))
        this.#older = { at: 'end' };
      else if (side === 'older') this.#older = { at: 'failed', error: new LostAnchorError('') };
    });
  }

  /** Loads one page, and shows its state at an edge. */
  async #extend(edge: Side | number, task: ReadTask): Promise<LoadResult> {
    this.#setEdge(edge, { at: 'loading' });
    let answer: Awaited<ReturnType<typeof listBeyond>>;
    try {
      answer = await listBeyond(this.#list, task.anchors, task.side);
    } catch (error) {
      if (!isAnchorLost(error)) {
        this.#setEdge(edge, { at: 'failed', error });
        return 'failed';
      }
      this.#log.lose(task);
      return { lost: error };
    }
    return this.#change(() => {
      const { isEnd } = this.#log.extend(task, answer.entries, answer.anchorIndex);
      if (edge === 'older') this.#older = { at: isEnd ? 'end' : 'open' };
      if (edge === 'newer') this.#newer = { at: isEnd ? 'end' : 'open' };
      if (isEnd) return 'end';
      return answer.isFull ? 'full' : 'some';
    });
  }

  /** Changes the log, shows it, and the state of each end whose item has changed. */
  #change<T>(change: () => T): T {
    const [first, last] = [this.items[0], this.items.at(-1)];
    const result = change();
    const order = this.#log.segments();
    this.#loaded.arrange(order);
    if (this.items[0] !== first) this.#older = { at: order[0]?.older === 'end' ? 'end' : 'open' };
    if (this.items.at(-1) !== last) this.#newer = { at: 'open' };
    this.#emit();
    return result;
  }

  #setEdge(which: Side | number, edge: Edge): void {
    if (typeof which === 'number') this.#loaded.setGap(which, edge);
    else if (which === 'older') this.#older = edge;
    else if (this.#isSilent && (edge.at === 'loading' || isSameFailure(edge, this.#newer))) return;
    else this.#newer = edge;
    this.#emit();
  }

  #emit(): void {
    this.#onChange(this.#loaded.takeSplice());
  }
}

const isLost = (result: LoadResult): result is LostAnchors => typeof result === 'object';

function* newestFirst(items: readonly TimelineItem[]): Generator<Listed> {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item?.type === 'entry') yield item.entry;
  }
}

function isSameFailure(one: Edge, other: Edge): boolean {
  return one.at === 'failed' && other.at === 'failed' && String(one.error) === String(other.error);
}
