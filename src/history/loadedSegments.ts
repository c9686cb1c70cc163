/** The loaded parts of a history: pages go in; items in the order of time, and what became of them, come out. */
import type { Listed } from '../service/message.ts';
import type { Side } from './messagePages.ts';
import { findOverlap, type Overlap } from './overlap.ts';
import { type PagePieces, splitPage } from './pagePieces.ts';
import { Node, Segment } from './segment.ts';
import { apply, cover, type Edge, type Gap, type Splice, type TimelineItem } from './timelineItems.ts';

/** What became of a page. */
export interface Woven {
  readonly splice: Splice | undefined;
  /** Whether each of its entries is new. */
  readonly fresh: boolean[];
  /** Whether it has shown that several segments are one. */
  readonly isJoin: boolean;
}

export class LoadedSegments {
  readonly items: TimelineItem[] = [];
  /** Oldest first. All but the last have a gap. */
  readonly segments: Segment[] = [];
  readonly #nodes = new Map<string, Node>();
  #serial = 0;

  has(msgId: string): boolean {
    return this.#nodes.has(msgId);
  }

  /** The segments on both sides of a gap; undefined where there is no such gap any more. */
  around(id: number): { older: Segment; newer: Segment } | undefined {
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
   * Takes in neighbours on the service, oldest first. Where none of them is loaded they become a segment, which goes by
   * time to a place among the others, to `least` or one after it.
   */
  weave(page: readonly Listed[], least = 0): Woven {
    return this.#weave(page, this.#match(page), least);
  }

  /** Takes in the newest page, oldest first. */
  weaveLatest(page: readonly Listed[]): Woven {
    return this.#weave(page, this.#match(page, this.segments.at(-1)), this.segments.length);
  }

  /** Gives a gap another edge. */
  setGap(id: number, edge: Edge): Splice | undefined {
    const segment = this.around(id)?.older;
    if (!segment) return undefined;
    segment.gap = { type: 'gap', id, edge };
    return this.#applied({ at: this.#end(segment), removed: 1, inserted: [segment.gap] });
  }

  /**
   * The service has nothing beyond one side of a gap. So there is nothing between the segments; or, where neither
   * times nor `isInOrder` tell their order, the segment of that side is the outermost one.
   */
  close(id: number, side: Side, isInOrder: boolean): Splice | undefined {
    const around = this.around(id);
    if (!around) return undefined;
    const { older, newer } = around;
    if (!isInOrder && !older.isOlderThan(newer) && older.isReadable && newer.isReadable) {
      return side === 'older' ? this.#arrange([newer], 0) : this.#arrange([older], this.segments.length);
    }
    const splice = this.#applied({ at: this.#end(older), removed: 1, inserted: [] });
    this.#merge(older, newer);
    return splice;
  }

  #match(page: readonly Listed[], start?: Segment): Overlap {
    return findOverlap(page, (msgId) => this.#nodes.get(msgId), start?.isReadable ? undefined : start?.oldest);
  }

  #weave(page: readonly Listed[], { found, twins }: Overlap, least: number): Woven {
    const nodes = page.map((entry, at) => found[at] ?? this.#add(entry));
    const fresh = found.map((node) => !node);
    const pieces = splitPage(nodes);
    const { segments, runs } = pieces;
    const isJoin = segments.length > 1;
    const [first] = segments;
    if (!first) return { splice: this.#place(runs[0] ?? [], least), fresh, isJoin };
    const removed = this.items.length;
    const at = this.segments.indexOf(first);
    const isNextTo = segments.every((segment, index) => this.segments[at + index] === segment);
    if (!isNextTo) this.#arrange(segments);
    const splice = this.#join(first, pieces, twins);
    const isMoved = this.#sort(first);
    if (isNextTo && !isMoved) return { splice, fresh, isJoin };
    // No times had told the order before.
    return { splice: { at: 0, removed, inserted: [...this.items] }, fresh, isJoin };
  }

  /** Puts a segment to where its times say, if it has become clear that it is not there; true where it was not. */
  #sort(segment: Segment): boolean {
    const at = this.segments.indexOf(segment);
    const isWrong = (other: Segment, index: number) =>
      index < at ? segment.isOlderThan(other) : other.isOlderThan(segment);
    if (!this.segments.some(isWrong)) return false;
    this.#arrange([segment], this.#placeOf(segment));
    return true;
  }

  /** Makes one segment of neighbours and of the new entries before, between and after them. */
  #join(first: Segment, { segments, runs, inner }: PagePieces, twins: readonly Node[]): Splice | undefined {
    const splices = segments.map((segment, index): Splice => {
      const at = this.#end(segment) - segment.size;
      // The gap before it closes.
      return { at: index > 0 ? at - 1 : at, removed: index > 0 ? 1 : 0, inserted: itemsOf(runs[index]) };
    });
    splices.push({ at: this.#end(segments.at(-1) ?? first), removed: 0, inserted: itemsOf(runs[segments.length]) });
    for (const { nodes, before } of inner) {
      splices.push({ at: this.items.indexOf(before.item), removed: 0, inserted: itemsOf(nodes) });
    }
    for (const { item } of twins) splices.push({ at: this.items.indexOf(item), removed: 1, inserted: [] });
    const needed = splices.filter(({ removed, inserted }) => removed + inserted.length > 0);
    needed.sort((one, other) => one.at - other.at);

    for (const twin of twins) twin.segment?.remove(twin);
    for (const { nodes, before } of inner) before.segment?.insert(nodes, before);
    for (const [index, segment] of segments.entries()) {
      first.add(index === 0 ? 'older' : 'newer', runs[index] ?? []);
      if (segment !== first) this.#merge(first, segment);
    }
    first.add('newer', runs[segments.length] ?? []);
    return this.#applied(cover(this.items, needed));
  }

  /** Makes a new segment. */
  #place(nodes: Node[], least: number): Splice | undefined {
    if (nodes.length === 0) return undefined;
    const segment = new Segment();
    segment.add('newer', nodes);
    const at = Math.max(Math.min(least, this.segments.length), this.#placeOf(segment));
    const isLast = at === this.segments.length;
    const older = this.segments[at - 1];
    const place = older ? this.#end(older) : 0;
    this.segments.splice(at, 0, segment);
    if (!older || older.gap) {
      segment.gap = isLast ? undefined : this.#newGap();
      const inserted = [...itemsOf(nodes), ...(segment.gap ? [segment.gap] : [])];
      return this.#applied({ at: place + (older ? 1 : 0), removed: 0, inserted });
    }
    older.gap = this.#newGap();
    return this.#applied({ at: place, removed: 0, inserted: [older.gap, ...itemsOf(nodes)] });
  }

  /** Puts segments next to each other, at the place of the last of them where none is given. Costs all items. */
  #arrange(segments: readonly Segment[], place?: number): Splice {
    const last = Math.max(...segments.map((segment) => this.segments.indexOf(segment)));
    const rest = (part: Segment[]) => part.filter((segment) => !segments.includes(segment));
    const cut = place ?? last + 1;
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
    return this.#applied({ at: 0, removed: this.items.length, inserted });
  }

  /** What one jumps to is mostly older, so it goes before those that no times compare it with. */
  #placeOf(segment: Segment): number {
    return this.segments.findLastIndex((other) => other.isOlderThan(segment)) + 1;
  }

  #add(entry: Listed): Node {
    const msgId = entry.readable ? entry.message.msgId : undefined;
    const node = new Node({ type: 'entry', key: msgId ?? `unreadable ${++this.#serial}`, entry });
    if (msgId !== undefined) this.#nodes.set(msgId, node);
    return node;
  }

  #merge(older: Segment, newer: Segment): void {
    older.merge(newer);
    this.segments.splice(this.segments.indexOf(newer), 1);
  }

  #newGap(): Gap {
    return { type: 'gap', id: ++this.#serial, edge: { at: 'open' } };
  }

  /** The place after the newest entry of a segment. */
  #end(segment: Segment): number {
    const at = this.segments.indexOf(segment);
    return this.segments.slice(0, at + 1).reduce((sum, { size }) => sum + size, at);
  }

  #applied<S extends Splice | undefined>(splice: S): S {
    if (splice) apply(this.items, splice);
    return splice;
  }
}

const itemsOf = (nodes: readonly Node[] = []): TimelineItem[] => nodes.map(({ item }) => item);
