/** The loaded segments of a history, in order of time. Merges pages into them and returns the resulting splices. */
import type { Listed } from '../service/message.ts';
import type { Side } from '../service/messagePages.ts';
import { findOverlap, type Overlap } from './overlap.ts';
import { type PageSplit, splitPage } from './pageSplit.ts';
import { Segment, SegmentNode } from './segment.ts';
import { applySplice, combineSplices, type Edge, type Gap, type Splice, type TimelineItem } from './timelineItems.ts';

/** The result of merging a page. */
export interface MergeResult {
  readonly splice: Splice | undefined;
  /** Whether each entry of the page is new. */
  readonly isNew: boolean[];
  /** Whether the page connected several segments. */
  readonly joinsSegments: boolean;
}

export class LoadedSegments {
  readonly items: TimelineItem[] = [];
  /** Oldest first. All but the last one end with a gap. */
  readonly segments: Segment[] = [];
  readonly #nodes = new Map<string, SegmentNode>();
  #lastId = 0;

  has(msgId: string): boolean {
    return this.#nodes.has(msgId);
  }

  /** The segments on both sides of a gap; undefined if the gap has closed. */
  segmentsAround(id: number): { older: Segment; newer: Segment } | undefined {
    const at = this.segments.findIndex(({ gap }) => gap?.id === id);
    const [older, newer] = this.segments.slice(at, at + 2);
    return at >= 0 && older && newer ? { older, newer } : undefined;
  }

  *newestFirst(): Generator<Listed> {
    for (const segment of this.segments.toReversed()) {
      for (let node = segment.newest; node; node = node.older) yield node.item.entry;
    }
  }

  /**
   * Merges a page of consecutive messages, oldest first. If none of them is loaded, they become a new segment, which is
   * inserted by time at index `minIndex` or later.
   */
  merge(page: readonly Listed[], minIndex = 0): MergeResult {
    return this.#mergeEntries(page, this.#findOverlap(page), minIndex);
  }

  /** Merges the newest page, oldest first. */
  mergeLatest(page: readonly Listed[]): MergeResult {
    return this.#mergeEntries(page, this.#findOverlap(page, this.segments.at(-1)), this.segments.length);
  }

  /** Sets the edge of a gap. */
  setGap(id: number, edge: Edge): Splice | undefined {
    const segment = this.segmentsAround(id)?.older;
    if (!segment) return undefined;
    segment.gap = { type: 'gap', id, edge };
    return this.#apply({ at: this.#endIndex(segment), removed: 1, inserted: [segment.gap] });
  }

  /**
   * Closes a gap beyond one side of which the service has nothing. Either nothing is missing between the segments, or,
   * if neither their times nor `isInOrder` prove their order, the segment on that side is the outermost one.
   */
  closeGap(id: number, side: Side, isInOrder: boolean): Splice | undefined {
    const segments = this.segmentsAround(id);
    if (!segments) return undefined;
    const { older, newer } = segments;
    if (!isInOrder && !older.isOlderThan(newer) && older.isReadable && newer.isReadable) {
      return side === 'older' ? this.#reorder([newer], 0) : this.#reorder([older], this.segments.length);
    }
    const splice = this.#apply({ at: this.#endIndex(older), removed: 1, inserted: [] });
    this.#mergeSegments(older, newer);
    return splice;
  }

  #findOverlap(page: readonly Listed[], start?: Segment): Overlap {
    return findOverlap(page, (msgId) => this.#nodes.get(msgId), start?.isReadable ? undefined : start?.oldest);
  }

  #mergeEntries(page: readonly Listed[], { found, duplicates }: Overlap, minIndex: number): MergeResult {
    const nodes = page.map((entry, at) => found[at] ?? this.#createNode(entry));
    const isNew = found.map((node) => !node);
    const split = splitPage(nodes);
    const { segments, runs } = split;
    const joinsSegments = segments.length > 1;
    const [first] = segments;
    if (!first) return { splice: this.#insertSegment(runs[0] ?? [], minIndex), isNew, joinsSegments };
    const removed = this.items.length;
    const at = this.segments.indexOf(first);
    const areAdjacent = segments.every((segment, index) => this.segments[at + index] === segment);
    if (!areAdjacent) this.#reorder(segments);
    const splice = this.#joinSegments(first, split, duplicates);
    const isMoved = this.#moveIfMisplaced(first);
    if (areAdjacent && !isMoved) return { splice, isNew, joinsSegments };
    // The page revealed an order that the times did not show: replace all items.
    return { splice: { at: 0, removed, inserted: [...this.items] }, isNew, joinsSegments };
  }

  /** Moves a segment if its times show that it is misplaced. Returns whether it moved. */
  #moveIfMisplaced(segment: Segment): boolean {
    const at = this.segments.indexOf(segment);
    const isMisplaced = (other: Segment, index: number) =>
      index < at ? segment.isOlderThan(other) : other.isOlderThan(segment);
    if (!this.segments.some(isMisplaced)) return false;
    this.#reorder([segment], this.#indexFor(segment));
    return true;
  }

  /** Joins adjacent segments and the new entries before, between and after them into one segment. */
  #joinSegments(
    first: Segment,
    { segments, runs, insertions }: PageSplit,
    duplicates: readonly SegmentNode[],
  ): Splice | undefined {
    const splices = segments.map((segment, index): Splice => {
      const at = this.#endIndex(segment) - segment.size;
      // Remove the gap before the segment.
      return { at: index > 0 ? at - 1 : at, removed: index > 0 ? 1 : 0, inserted: itemsOf(runs[index]) };
    });
    splices.push({
      at: this.#endIndex(segments.at(-1) ?? first),
      removed: 0,
      inserted: itemsOf(runs[segments.length]),
    });
    for (const { nodes, before } of insertions) {
      splices.push({ at: this.items.indexOf(before.item), removed: 0, inserted: itemsOf(nodes) });
    }
    for (const { item } of duplicates) splices.push({ at: this.items.indexOf(item), removed: 1, inserted: [] });
    const needed = splices.filter(({ removed, inserted }) => removed + inserted.length > 0);
    needed.sort((one, other) => one.at - other.at);

    for (const duplicate of duplicates) duplicate.segment?.remove(duplicate);
    for (const { nodes, before } of insertions) before.segment?.insert(nodes, before);
    for (const [index, segment] of segments.entries()) {
      first.add(index === 0 ? 'older' : 'newer', runs[index] ?? []);
      if (segment !== first) this.#mergeSegments(first, segment);
    }
    first.add('newer', runs[segments.length] ?? []);
    return this.#apply(combineSplices(this.items, needed));
  }

  /** Inserts a new segment. */
  #insertSegment(nodes: SegmentNode[], minIndex: number): Splice | undefined {
    if (nodes.length === 0) return undefined;
    const segment = new Segment();
    segment.add('newer', nodes);
    const at = Math.max(Math.min(minIndex, this.segments.length), this.#indexFor(segment));
    const isLast = at === this.segments.length;
    const older = this.segments[at - 1];
    const index = older ? this.#endIndex(older) : 0;
    this.segments.splice(at, 0, segment);
    if (!older || older.gap) {
      segment.gap = isLast ? undefined : this.#newGap();
      const inserted = [...itemsOf(nodes), ...(segment.gap ? [segment.gap] : [])];
      return this.#apply({ at: index + (older ? 1 : 0), removed: 0, inserted });
    }
    older.gap = this.#newGap();
    return this.#apply({ at: index, removed: 0, inserted: [older.gap, ...itemsOf(nodes)] });
  }

  /** Moves segments next to each other: to `index`, or else to the last of them. Rebuilds all items. */
  #reorder(segments: readonly Segment[], index?: number): Splice {
    const last = Math.max(...segments.map((segment) => this.segments.indexOf(segment)));
    const rest = (list: Segment[]) => list.filter((segment) => !segments.includes(segment));
    const cut = index ?? last + 1;
    this.segments.splice(
      0,
      Infinity,
      ...rest(this.segments.slice(0, cut)),
      ...segments,
      ...rest(this.segments.slice(cut)),
    );
    const inserted: TimelineItem[] = [];
    for (const segment of this.segments) {
      for (let node = segment.oldest; node; node = node.newer) inserted.push(node.item);
      segment.gap = segment === this.segments.at(-1) ? undefined : (segment.gap ?? this.#newGap());
      if (segment.gap) inserted.push(segment.gap);
    }
    return this.#apply({ at: 0, removed: this.items.length, inserted });
  }

  /** Segments that cannot be compared by time come after it: a jump mostly goes to older messages. */
  #indexFor(segment: Segment): number {
    return this.segments.findLastIndex((other) => other.isOlderThan(segment)) + 1;
  }

  #createNode(entry: Listed): SegmentNode {
    const msgId = entry.readable ? entry.message.msgId : undefined;
    const node = new SegmentNode({ type: 'entry', key: msgId ?? `unreadable ${++this.#lastId}`, entry });
    if (msgId !== undefined) this.#nodes.set(msgId, node);
    return node;
  }

  #mergeSegments(older: Segment, newer: Segment): void {
    older.merge(newer);
    this.segments.splice(this.segments.indexOf(newer), 1);
  }

  #newGap(): Gap {
    return { type: 'gap', id: ++this.#lastId, edge: { at: 'open' } };
  }

  /** The index after the newest entry of a segment. */
  #endIndex(segment: Segment): number {
    const at = this.segments.indexOf(segment);
    return this.segments.slice(0, at + 1).reduce((sum, { size }) => sum + size, at);
  }

  #apply<S extends Splice | undefined>(splice: S): S {
    if (splice) applySplice(this.items, splice);
    return splice;
  }
}

const itemsOf = (nodes: readonly SegmentNode[] = []): TimelineItem[] => nodes.map(({ item }) => item);
