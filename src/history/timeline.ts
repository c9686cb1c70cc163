/** The loaded parts of a chat's history, and the loads that make them grow together. */
import type { Page } from '../service/client.ts';
import { type Listed, newestMessage, oldestFirst } from '../service/message.ts';
import { LoadedSegments } from './loadedSegments.ts';
import {
  anchoredPage,
  isAnchorLost,
  LostAnchorError,
  listBeyond,
  PAGE_SIZE,
  type Side,
  withoutDuplicates,
} from './messagePages.ts';
import type { Segment } from './segment.ts';
import { SerialQueue } from './serialQueue.ts';
import type { Edge, Splice, TimelineItem } from './timelineItems.ts';

export { LostAnchorError } from './messagePages.ts';
export type { Edge, Splice, TimelineItem } from './timelineItems.ts';

/** How many messages a jump asks for on each side. */
const AROUND = 25;

/** How many messages of a segment a load tries to go on from. */
const ANCHORS = 3;

/** What a page brought: nothing new, all that was asked for, or less. */
type LoadResult = 'empty' | 'full' | 'some';

/** What became of a timeline: `splice` where items have changed, nothing where only an outer edge has. */
export interface Change {
  readonly splice?: Splice;
}

export class Timeline {
  readonly #list: (page: Page) => Promise<Listed[]>;
  readonly #onChange: (change: Change) => void;
  readonly #segments = new LoadedSegments();
  /** No two pages start from the same anchor; and one scroll asks many times before the first answer. */
  readonly #queue = new SerialQueue();
  #older: Edge = { at: 'open' };
  #newer: Edge = { at: 'open' };
  /** Nobody waits for the load of newer messages that is on its way. */
  #isSilent = false;

  /** `list` reads one page of the chat; `onChange` is called after each step of a load, when it has been done. */
  constructor(list: (page: Page) => Promise<Listed[]>, onChange: (change: Change) => void) {
    this.#list = list;
    this.#onChange = onChange;
  }

  /** Oldest first; the same array always. */
  get items(): readonly TimelineItem[] {
    return this.#segments.items;
  }

  /** Beyond the first item. */
  get older(): Edge {
    return this.#older;
  }

  /** Beyond the last item. */
  get newer(): Edge {
    return this.#newer;
  }

  has(msgId: string): boolean {
    return this.#segments.has(msgId);
  }

  /** The newest message that can be read, with the newest time known (Unix milliseconds). */
  newest(): { msgId: string; sendTime: number } | undefined {
    return newestMessage(this.#segments.newestFirst());
  }

  /** Loads the page before the oldest entry, or the newest page where nothing is loaded yet. */
  loadOlder(): Promise<void> {
    return this.#queue.share('older', 'done', async () => {
      const { segments } = this.#segments;
      const [first] = segments;
      if (!first || (segments.length === 1 && !first.isReadable)) return this.#loadLatest('older');
      await this.#extend('older', first, 'older');
    });
  }

  /**
   * Loads everything that is newer than the newest entry, or the newest page where nothing is loaded yet. What nobody
   * waits for is `silent`: the newest end says only what has become of it.
   */
  loadNewer({ silent = false } = {}): Promise<void> {
    // A message may come after the answer under way: who asks then means another load.
    return this.#queue.share(silent ? 'newer, silent' : 'newer', 'begun', async () => {
      this.#isSilent = silent;
      const last = this.#segments.segments.at(-1);
      if (!last?.isReadable) return this.#loadLatest('newer');
      let result: LoadResult | undefined;
      do result = await this.#extend('newer', this.#segments.segments.at(-1) ?? last, 'newer');
      while (result && result !== 'empty');
    });
  }

  /**
   * Loads one page at one side of a gap: after the newest entry `older` than it, or before the oldest entry `newer`
   * than it. The gap closes where both sides meet, or where the service has nothing between them.
   */
  loadGap(id: number, from: Side): Promise<void> {
    return this.#queue.share(`gap ${id} ${from}`, 'done', async () => {
      const segments = this.#segments.segmentsAround(id);
      if (!segments) return;
      // Where nothing of one side can be read, only the other one can go on.
      const side = segments[from].isReadable ? from : OPPOSITE[from];
      let result: LoadResult | undefined = 'some';
      // A short page may be all that there is, or all that the service gives at a time: the next one tells.
      for (let pages = 0; pages < 2 && result === 'some'; pages++) {
        const segment = this.#segments.segmentsAround(id)?.[side];
        if (!segment) return;
        result = await this.#extend(id, segment, OPPOSITE[side]);
      }
      if (result === 'empty') this.#closeGap(id, OPPOSITE[side]);
      if (result) this.#setEdge(id, { at: 'open' });
    });
  }

  /**
   * Loads what is around a message, unless it is loaded. False where the service does not list it; rejects with what
   * `list` rejects with. Either changes nothing.
   */
  goTo(msgId: string): Promise<boolean> {
    return this.#queue.run(async () => {
      if (this.has(msgId)) return true;
      const answer = anchoredPage(await this.#list({ anchor: msgId, before: AROUND, after: AROUND }), msgId);
      if (!answer) return false;
      // Nothing is older than the beginning.
      const minIndex = this.#older.at === 'end' ? 1 : 0;
      const { splice } = this.#openingMovedEnds(() => this.#segments.merge(answer.entries, minIndex));
      this.#emit(splice);
      return true;
    });
  }

  /** The newest page. */
  async #loadLatest(asked: Side): Promise<void> {
    this.#setEdge(asked, { at: 'loading' });
    let page: Listed[];
    try {
      page = withoutDuplicates(oldestFirst(await this.#list({ latest: PAGE_SIZE })));
    } catch (error) {
      return this.#setEdge(asked, { at: 'failed', error });
    }
    const { splice, isNew } = this.#openingMovedEnds(() => this.#segments.mergeLatest(page));
    // A failure to open shows at the end that was asked for, and is over with it.
    this.#newer = { at: 'open' };
    if (isNew.includes(true)) this.#older = { at: 'open' };
    // Contract 4.4, rule 1: a chat that fills no page has nothing older.
    else if (page.length < PAGE_SIZE) this.#older = { at: 'end' };
    else if (asked === 'older') this.#older = { at: 'failed', error: new LostAnchorError('') };
    this.#emit(splice);
  }

  /** Loads one page beyond a segment, and says at `edge` how that goes; undefined where it failed. */
  async #extend(edge: Side | number, segment: Segment, side: Side): Promise<LoadResult | undefined> {
    this.#setEdge(edge, { at: 'loading' });
    const anchors = segment.anchors(side, ANCHORS);
    let answer: Awaited<ReturnType<typeof listBeyond>>;
    try {
      answer = await listBeyond(this.#list, anchors, side);
    } catch (error) {
      // Whatever became of those messages, the newest page can be asked for without them.
      if (edge === 'newer' && isAnchorLost(error)) await this.#loadLatest(edge);
      else this.#setEdge(edge, { at: 'failed', error });
      return undefined;
    }
    const { entries, anchorIndex, isFull } = answer;
    const { splice, isNew, joinsSegments } = this.#openingMovedEnds(() => this.#segments.merge(entries));
    const isEmpty =
      !joinsSegments && !(side === 'older' ? isNew.slice(0, anchorIndex) : isNew.slice(anchorIndex + 1)).includes(true);
    if (edge === 'older') this.#older = { at: isEmpty ? 'end' : 'open' };
    if (edge === 'newer') this.#newer = { at: isEmpty ? 'end' : 'open' };
    this.#emit(splice);
    if (isEmpty) return 'empty';
    return isFull ? 'full' : 'some';
  }

  /** The service has nothing beyond this side of a gap. */
  #closeGap(id: number, side: Side): void {
    const [first, last] = this.#ends();
    // The beginning stays what it is; the newest end does not.
    const isFirst = this.#segments.segmentsAround(id)?.older === this.#segments.segments[0];
    const isKnown = this.#older.at === 'end' && (side === 'older' || isFirst);
    const splice = this.#openingMovedEnds(() => this.#segments.closeGap(id, side, isKnown));
    // The segment has gone to that end, and is known to be the outermost one.
    if (side === 'older' && this.items[0] !== first) this.#older = { at: 'end' };
    if (side === 'newer' && this.items.at(-1) !== last) this.#newer = { at: 'end' };
    this.#emit(splice);
  }

  /** Changes items: an end where another one stands afterwards is open. */
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
      const splice = this.#segments.setGap(which, edge);
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
