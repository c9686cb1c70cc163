/** A loaded part of a history without gaps: consecutive entries on the service. */
import { messageKey, sendTimeOf } from '../service/message.ts';
import type { Side } from '../service/messagePages.ts';
import type { EntryItem, Gap } from './timelineItems.ts';

/** How many times at each end determine the order of segments, so that one wrong clock does not. */
const SAMPLE = 9;

/** An entry in the linked list of its segment. */
export class SegmentNode {
  readonly item: EntryItem;
  older: SegmentNode | undefined;
  newer: SegmentNode | undefined;
  #segment: Segment | undefined;
  #key: string | undefined;

  constructor(item: EntryItem) {
    this.item = item;
  }

  /** Equal for equal entries. Memoized, because each unreadable entry of a page is compared with many nodes. */
  get key(): string {
    this.#key ??= messageKey(this.item.entry);
    return this.#key;
  }

  get segment(): Segment | undefined {
    this.#segment = this.#segment?.root;
    return this.#segment;
  }

  set segment(segment: Segment) {
    this.#segment = segment;
  }

  get msgId(): string | undefined {
    const { entry } = this.item;
    return entry.readable ? entry.message.msgId : undefined;
  }
}

export class Segment {
  oldest: SegmentNode | undefined;
  newest: SegmentNode | undefined;
  size = 0;
  /** The gap after the newest entry; undefined for the last segment. */
  gap: Gap | undefined;
  /** The send times of its first and last entries, as far as they have one. */
  #firstTimes: readonly number[] = [];
  #lastTimes: readonly number[] = [];
  /** The segment that this one was merged into. */
  #mergedInto: Segment | undefined;

  /** The segment that this one was merged into, or itself. */
  get root(): Segment {
    if (!this.#mergedInto) return this;
    this.#mergedInto = this.#mergedInto.root;
    return this.#mergedInto;
  }

  /** Adds nodes, oldest first, at one end. */
  add(side: Side, nodes: readonly SegmentNode[]): void {
    const other = new Segment();
    for (const node of nodes) {
      node.segment = this;
      node.older = other.newest;
      if (other.newest) other.newest.newer = node;
      other.oldest ??= node;
      other.newest = node;
    }
    other.size = nodes.length;
    const times = nodes.map(({ item }) => sendTimeOf(item.entry)).filter((time) => time !== undefined);
    [other.#firstTimes, other.#lastTimes] = [times.slice(0, SAMPLE), times.slice(-SAMPLE)];
    if (side === 'older') this.#link(other, this);
    else this.#link(this, other);
  }

  /** Appends a newer segment and takes over its gap. */
  merge(newer: Segment): void {
    this.#link(this, newer);
    this.gap = newer.gap;
    newer.#mergedInto = this;
  }

  /** Inserts nodes, oldest first, before an existing one. */
  insert(nodes: readonly SegmentNode[], before: SegmentNode): void {
    for (const node of nodes) {
      node.segment = this;
      node.older = before.older;
      node.newer = before;
      if (before.older) before.older.newer = node;
      else this.oldest = node;
      before.older = node;
    }
    this.size += nodes.length;
  }

  /** Removes a node that is not the only one and has no time. */
  remove(node: SegmentNode): void {
    if (node.older) node.older.newer = node.newer;
    else this.oldest = node.newer;
    if (node.newer) node.newer.older = node.older;
    else this.newest = node.older;
    this.size--;
  }

  /** Whether its times prove that it is older. */
  isOlderThan(other: Segment): boolean {
    const [keys, otherKeys] = [this.#orderKeys, other.#orderKeys];
    const at = keys.findIndex((time, index) => time !== otherKeys[index]);
    return Number(keys[at]) < Number(otherKeys[at]);
  }

  /** The times by which segments are ordered, most significant first. */
  get #orderKeys(): readonly (number | undefined)[] {
    return [median(this.#firstTimes), median(this.#lastTimes), this.#firstTimes[0], this.#lastTimes.at(-1)];
  }

  /** Whether any of its entries is readable, so that a load can continue from it. */
  get isReadable(): boolean {
    return this.anchors('newer', 1).length > 0;
  }

  /** Its outermost readable messages, with the number of entries beyond each. */
  anchors(side: Side, limit: number): { msgId: string; beyond: number }[] {
    const anchors: { msgId: string; beyond: number }[] = [];
    let node = side === 'older' ? this.oldest : this.newest;
    for (let beyond = 0; node && anchors.length < limit; beyond++) {
      if (node.msgId !== undefined) anchors.push({ msgId: node.msgId, beyond });
      node = side === 'older' ? node.newer : node.older;
    }
    return anchors;
  }

  /** Makes this segment the concatenation of two, one of which is itself. */
  #link(older: Segment, newer: Segment): void {
    if (older.newest && newer.oldest) {
      older.newest.newer = newer.oldest;
      newer.oldest.older = older.newest;
    }
    [this.oldest, this.newest] = [older.oldest ?? newer.oldest, newer.newest ?? older.newest];
    this.#firstTimes = [...older.#firstTimes, ...newer.#firstTimes].slice(0, SAMPLE);
    this.#lastTimes = [...older.#lastTimes, ...newer.#lastTimes].slice(-SAMPLE);
    this.size = older.size + newer.size;
  }
}

/** The median; the lower one of two. */
function median(times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)];
}
