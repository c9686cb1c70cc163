/** The loaded part of a chat's history, and the loads that extend it. */
import type { Page } from '../service/client.ts';
import { type Listed, newestMessage, oldestFirst } from '../service/message.ts';
import {
  anchoredPage,
  isAnchorLost,
  LostAnchorError,
  listBeyond,
  PAGE_SIZE,
  type Side,
  withoutDuplicates,
} from '../service/messagePages.ts';
import { LoadedSegments } from './loadedSegments.ts';
import type { Segment } from './segment.ts';
import { SerialQueue } from './serialQueue.ts';
import type { Edge, Splice, TimelineItem } from './timelineItems.ts';

export { LostAnchorError } from '../service/messagePages.ts';
export type { Edge, Splice, TimelineItem } from './timelineItems.ts';

/** How many messages a jump requests on each side. */
const AROUND = 25;

/** How many anchors a load tries. */
const ANCHORS = 3;

/** Whether a page had no new entries, as many as requested, or fewer. */
type LoadResult = 'empty' | 'full' | 'some';

/** A change of a timeline: `splice` if items have changed, or undefined if only an outer edge has. */
export interface Change {
  readonly splice?: Splice;
}

export class Timeline {
  readonly #list: (page: Page) => Promise<Listed[]>;
  readonly #onChange: (change: Change) => void;
  readonly #loaded = new LoadedSegments();
  /** One load at a time: no two start from the same anchor, and a scroll requests the same load many times. */
  readonly #queue = new SerialQueue();
  #older: Edge = { at: 'open' };
  #newer: Edge = { at: 'open' };
  /** The current load of newer messages runs in the background. */
  #isSilent = false;
  /** Whether the newest page was loaded. */
  #hasLatest = false;

  /** `list` reads one page of the chat; `onChange` is called after each change. */
  constructor(list: (page: Page) => Promise<Listed[]>, onChange: (change: Change) => void) {
    this.#list = list;
    this.#onChange = onChange;
  }

  /** Oldest first. Always the same array. */
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

  /** The newest readable message, with the newest known time (Unix milliseconds). */
  newest(): { msgId: string; sendTime: number } | undefined {
    return newestMessage(this.#loaded.newestFirst());
  }

  /** Loads the page before the oldest entry, or the newest page if nothing is loaded yet. */
  loadOlder(): Promise<void> {
    return this.#queue.share('older', 'done', async () => {
      const { segments } = this.#loaded;
      const [first] = segments;
      if (!first || (segments.length === 1 && !first.isReadable)) return this.#loadLatest('older');
      await this.#extend('older', first, 'older');
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
      const last = this.#loaded.segments.at(-1);
      // After a message was gone to first, all those from there to the newest may be too many.
      if (!last?.isReadable || !this.#hasLatest) return this.#loadLatest('newer');
      let result: LoadResult | undefined;
      do result = await this.#extend('newer', this.#loaded.segments.at(-1) ?? last, 'newer');
      while (result && result !== 'empty');
    });
  }

  /**
   * Loads one page at one side of a gap: after the newest entry `older` than it, or before the oldest entry `newer`
   * than it. The gap closes when both sides meet, or the service has nothing between them.
   */
  loadGap(id: number, from: Side): Promise<void> {
    return this.#queue.share(`gap ${id} ${from}`, 'done', async () => {
      const segments = this.#loaded.segmentsAround(id);
      if (!segments) return;
      // A side without readable entries has no anchor to load from.
      const side = segments[from].isReadable ? from : OPPOSITE[from];
      let result: LoadResult | undefined = 'some';
      // A short page may be the last one, or the service's page limit: load another one to find out.
      for (let pages = 0; pages < 2 && result === 'some'; pages++) {
        const segment = this.#loaded.segmentsAround(id)?.[side];
        if (!segment) return;
        result = await this.#extend(id, segment, OPPOSITE[side]);
      }
      if (result === 'empty') this.#closeGap(id, OPPOSITE[side]);
      if (result) this.#setEdge(id, { at: 'open' });
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
      // The segment at the beginning of the chat stays first.
      const minIndex = this.#older.at === 'end' ? 1 : 0;
      const { splice } = this.#openingMovedEnds(() => this.#loaded.merge(answer.entries, minIndex));
      this.#emit(splice);
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
    this.#hasLatest = true;
    const { splice, isNew } = this.#openingMovedEnds(() => this.#loaded.mergeLatest(page));
    // An earlier failure is over, at whichever end it showed.
    this.#newer = { at: 'open' };
    if (isNew.includes(true)) this.#older = { at: 'open' };
    // Contract 4.4, rule 1: a chat shorter than a page has nothing older.
    else if (page.length < PAGE_SIZE) this.#older = { at: 'end' };
    else if (side === 'older') this.#older = { at: 'failed', error: new LostAnchorError('') };
    this.#emit(splice);
  }

  /** Loads one page beyond a segment and shows the state at `edge`. Resolves to undefined if it fails. */
  async #extend(edge: Side | number, segment: Segment, side: Side): Promise<LoadResult | undefined> {
    this.#setEdge(edge, { at: 'loading' });
    const anchors = segment.anchors(side, ANCHORS);
    let answer: Awaited<ReturnType<typeof listBeyond>>;
    try {
      answer = await listBeyond(this.#list, anchors, side);
    } catch (error) {
      // The newest page needs no anchor.
      if (edge === 'newer' && isAnchorLost(error)) await this.#loadLatest(edge);
      else this.#setEdge(edge, { at: 'failed', error });
      return undefined;
    }
    const { entries, anchorIndex, isFull } = answer;
    const { splice, isNew, joinsSegments } = this.#openingMovedEnds(() => this.#loaded.merge(entries));
    const isEmpty =
      !joinsSegments && !(side === 'older' ? isNew.slice(0, anchorIndex) : isNew.slice(anchorIndex + 1)).includes(true);
    if (edge === 'older') this.#older = { at: isEmpty ? 'end' : 'open' };
    if (edge === 'newer') this.#newer = { at: isEmpty ? 'end' : 'open' };
    this.#emit(splice);
    if (isEmpty) return 'empty';
    return isFull ? 'full' : 'some';
  }

  /** Closes a gap beyond one side of which the service has nothing. */
  #closeGap(id: number, side: Side): void {
    const [first, last] = this.#ends();
    // The beginning of a chat never changes; its newest end does.
    const isFirst = this.#loaded.segmentsAround(id)?.older === this.#loaded.segments[0];
    const isKnown = this.#older.at === 'end' && (side === 'older' || isFirst);
    const splice = this.#openingMovedEnds(() => this.#loaded.closeGap(id, side, isKnown));
    // The segment moved to that end: it is the outermost one.
    if (side === 'older' && this.items[0] !== first) this.#older = { at: 'end' };
    if (side === 'newer' && this.items.at(-1) !== last) this.#newer = { at: 'end' };
    this.#emit(splice);
  }

  /** Runs a change of the items, and reopens each end whose item has changed. */
  #openingMovedEnds<T>(change: () => T): T {
    const [first, last] = this.#ends();
    const result = change();
    if (this.items[0] !== first) this.#older = { at: 'open' };
    if (this.items.at(-1) !== last) this.#newer = { at: 'open' };
    return result;
  }

  #ends() {
    return [this.items[0], this.items.at(-1)] as const;
  }

  #setEdge(which: Side | number, edge: Edge): void {
    if (typeof which === 'number') {
      const splice = this.#loaded.setGap(which, edge);
      if (splice) this.#emit(splice);
      return;
    }
    if (which === 'older') this.#older = edge;
    else if (this.#isSilent && (edge.at === 'loading' || isSameFailure(edge, this.#newer))) return;
    else this.#newer = edge;
    this.#emit();
  }

  #emit(splice?: Splice): void {
    this.#onChange(splice ? { splice } : {});
  }
}

function isSameFailure(one: Edge, other: Edge): boolean {
  return one.at === 'failed' && other.at === 'failed' && String(one.error) === String(other.error);
}

const OPPOSITE = { older: 'newer', newer: 'older' } as const;
