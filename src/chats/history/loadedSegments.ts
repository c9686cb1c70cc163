/** Keeps the log of a history as one array of items: the entries of all segments, and the gaps between them. */

import { messageKey, sendTimeOf } from '../../service/message.ts';
import type { Side } from '../../service/messagePages.ts';
import type { EdgeState, Known, LogStore, NewEntry, Segment } from '../log/logStore.ts';
import {
  type Edge,
  type EntryItem,
  type Gap,
  type Splice,
  SpliceRecorder,
  type TimelineItem,
} from './timelineItems.ts';

/** A segment in the array of items: its entries, and the gap after them. */
interface Block {
  readonly id: number;
  older: EdgeState;
  newer: EdgeState;
  size: number;
  gap: Gap | undefined;
}

/** The store of a log in memory. Positions are indexes in the segment. */
export class LoadedSegments implements LogStore {
  /** The items: always the same array. */
  readonly items: TimelineItem[] = [];
  /** The segments in the order of the items. */
  #blocks: Block[] = [];
  readonly #messages = new Map<string, EntryItem>();
  readonly #changes = new SpliceRecorder(this.items);
  #lastId = 0;

  has(msgId: string): boolean {
    return this.#messages.has(msgId);
  }

  segments(): readonly Segment[] {
    return this.#blocks;
  }

  /** The segments on both sides of a gap; undefined if the gap has closed. */
  segmentsAround(gap: number): { older: Segment; newer: Segment } | undefined {
    const at = this.#blocks.findIndex((block) => block.gap?.id === gap);
    const [older, newer] = this.#blocks.slice(at, at + 2);
    return at >= 0 && older && newer ? { older, newer } : undefined;
  }

  place(msgId: string): { segment: number; position: number } | undefined {
    const item = this.#messages.get(msgId);
    if (!item) return undefined;
    let position = indexFromEnds(this.items, item);
    for (const { id, size, gap } of this.#blocks) {
      if (position < size) return { segment: id, position };
      position -= size + (gap ? 1 : 0);
    }
    return undefined;
  }

  *walk(segment: number, side: Side, from?: number): Generator<Known> {
    const { block, start } = this.#find(segment);
    const step = side === 'newer' ? 1 : -1;
    for (
      let position = from ?? (step === 1 ? 0 : block.size - 1);
      position >= 0 && position < block.size;
      position += step
    ) {
      const item = this.items[start + position];
      if (item?.type === 'entry') yield new KnownItem(item, position);
    }
  }

  create(): number {
    const id = ++this.#lastId;
    this.#blocks.push({ id, older: 'open', newer: 'open', size: 0, gap: undefined });
    return id;
  }

  join(older: number, newer: number): void {
    const { block, start } = this.#find(newer);
    const target = this.#find(older).block;
    const isNext = this.#blocks[this.#blocks.indexOf(target) + 1] === block;
    const moved = isNext ? [] : this.items.slice(start, start + block.size + (block.gap ? 1 : 0));
    this.#splice(start, moved.length, []);
    this.#blocks = this.#blocks.filter((one) => one !== block);
    this.#splice(this.#find(older).start + target.size, target.gap ? 1 : 0, moved);
    target.size += block.size;
    target.newer = block.newer;
    target.gap = block.gap;
  }

  insert(segment: number, after: number | undefined, entries: readonly NewEntry[]): void {
    const { block, start } = this.#find(segment);
    const items = entries.map(({ entry }): EntryItem => {
      const msgId = entry.readable ? entry.message.msgId : undefined;
      return { type: 'entry', key: msgId ?? `unreadable ${++this.#lastId}`, entry };
    });
    for (const item of items) if (item.entry.readable) this.#messages.set(item.key, item);
    this.#splice(start + (after ?? -1) + 1, 0, items);
    block.size += items.length;
  }

  remove(segment: number, position: number): void {
    const { block, start } = this.#find(segment);
    this.#splice(start + position, 1, []);
    block.size--;
  }

  setEdge(segment: number, side: Side, state: EdgeState): void {
    this.#find(segment).block[side] = state;
  }

  /** Sets what is shown in a gap. */
  setGap(id: number, edge: Edge): void {
    const block = this.#blocks.find(({ gap }) => gap?.id === id);
    if (!block) return;
    block.gap = { type: 'gap', id, edge };
    this.#splice(this.#find(block.id).start + block.size, 1, [block.gap]);
  }

  /** Puts segments in order, with a gap between each two. */
  arrange(order: readonly Segment[]): void {
    const isInOrder = this.#blocks.every(({ id }, index) => id === order[index]?.id);
    const entries = isInOrder ? [] : this.#blocks.map((block) => this.#entriesOf(block));
    const sorted = order.flatMap(({ id }) => this.#blocks.filter((block) => block.id === id));
    if (!isInOrder) {
      const items = sorted.flatMap((block) => [
        ...(entries[this.#blocks.indexOf(block)] ?? []),
        ...(block.gap ? [block.gap] : []),
      ]);
      this.#blocks = sorted;
      this.#splice(0, this.items.length, items);
    }
    for (const block of sorted) {
      const needsGap = block !== sorted.at(-1);
      if (needsGap === Boolean(block.gap)) continue;
      const end = this.#find(block.id).start + block.size;
      const gap: Gap = { type: 'gap', id: ++this.#lastId, edge: { at: 'open' } };
      this.#splice(end, needsGap ? 0 : 1, needsGap ? [gap] : []);
      block.gap = needsGap ? gap : undefined;
    }
  }

  /** What has changed since the last call; undefined if nothing has. */
  takeSplice(): Splice | undefined {
    return this.#changes.take();
  }

  /** A segment, and the index of its first entry among the items. */
  #find(segment: number): { block: Block; start: number } {
    let start = 0;
    for (const block of this.#blocks) {
      if (block.id === segment) return { block, start };
      start += block.size + (block.gap ? 1 : 0);
    }
    // A segment that another task has joined to another one has no entries.
    return { block: { id: segment, older: 'open', newer: 'open', size: 0, gap: undefined }, start };
  }

  #entriesOf({ id, size }: Block): TimelineItem[] {
    const { start } = this.#find(id);
    return this.items.slice(start, start + size);
  }

  #splice(at: number, removed: number, inserted: readonly TimelineItem[]): void {
    this.#changes.apply({ at, removed, inserted });
  }
}

/** An entry as a log knows it. Its key is computed only when it's needed: that of an unreadable entry is long. */
class KnownItem implements Known {
  readonly #item: EntryItem;
  readonly position: number;

  constructor(item: EntryItem, position: number) {
    this.#item = item;
    this.position = position;
  }

  get isReadable(): boolean {
    return this.#item.entry.readable;
  }

  get key(): string {
    return messageKey(this.#item.entry);
  }

  get time(): number | undefined {
    return sendTimeOf(this.#item.entry);
  }
}

/** The index of an item, which mostly is near one of the ends. */
function indexFromEnds(items: readonly TimelineItem[], item: TimelineItem): number {
  for (let older = 0, newer = items.length - 1; older <= newer; older++, newer--) {
    if (items[older] === item) return older;
    if (items[newer] === item) return newer;
  }
  return -1;
}
