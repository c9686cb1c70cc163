import assert from 'node:assert/strict';
import { Timeline } from '../../../../src/chats/history/timeline.ts';
import type { TimelineItem } from '../../../../src/chats/history/timelineItems.ts';
import type { Listed } from '../../../../src/service/message.ts';
import { type Habits, ModelChat } from '../modelChat.ts';

/** A timeline of a chat, and checks of its invariants. */
export class Checked {
  readonly chat: ModelChat;
  readonly timeline: Timeline;
  readonly #copy: TimelineItem[] = [];
  #before = new Set<Listed>();

  constructor(habits: Habits) {
    this.chat = new ModelChat(habits);
    this.timeline = new Timeline(
      (page) => this.chat.list(page),
      (splice) => splice && this.#copy.splice(splice.at, splice.removed, ...splice.inserted),
    );
  }

  /** The indexes of the entries of each segment. For equal entries, the first possible index. */
  segments(): number[][] {
    const indexOf = new Map(this.chat.sent.map(({ entry, index }) => [entry, index]));
    const segments: number[][] = [[]];
    for (const item of this.timeline.items) {
      if (item.type === 'gap') segments.push([]);
      else segments.at(-1)?.push(indexOf.get(item.entry) ?? assert.fail('never sent'));
    }
    return segments;
  }

  check(): void {
    const { items, older } = this.timeline;
    assert.ok(items.length === this.#copy.length && items.every((item, at) => item === this.#copy[at]), 'splices');
    const keys = items.map((item) => (item.type === 'gap' ? item.id : item.key));
    assert.equal(new Set(keys).size, keys.length, 'a key twice');
    const entries = new Set(items.flatMap((item) => (item.type === 'entry' ? [item.entry] : [])));
    for (const entry of this.#before) assert.ok(entries.has(entry), 'lost');
    this.#before = entries;
    const { sent } = this.chat;
    const segments = this.segments();
    for (const segment of segments) {
      assert.ok(segment.length > 0 || items.length === 0, 'a gap beside nothing');
      for (const [at, index] of segment.slice(1).entries()) {
        const last = segment[at] ?? assert.fail();
        assert.ok(last < index, `${last} before ${index}`);
        assert.ok(
          sent.slice(last + 1, index).every(({ isDeleted }) => isDeleted),
          `a hole from ${last} to ${index}`,
        );
      }
    }
    for (const { msgId, entry } of sent) {
      if (msgId !== undefined) assert.equal(this.timeline.has(msgId), entries.has(entry));
    }
    for (const [at, segment] of segments.slice(1).entries()) this.#checkOrder(segments[at] ?? [], segment);
    const first = segments[0]?.[0] ?? 0;
    if (older.at === 'end')
      assert.ok(
        sent.slice(0, first).every(({ isDeleted }) => isDeleted),
        'not the beginning',
      );
    const edges = [older, this.timeline.newer, ...items.flatMap((item) => (item.type === 'gap' ? [item.edge] : []))];
    assert.ok(edges.every(({ at }) => at !== 'loading'));
  }

  /** Checks that segments are in order as far as their times are known. */
  #checkOrder(one: number[], other: number[]): void {
    const times = [one, other].map((indexes) => {
      const entries = indexes.map((index) => this.chat.sent[index]?.entry);
      return entries.flatMap((entry) => (entry?.readable ? (entry.message.sendTime ?? []) : []));
    });
    const [[from, to], [otherFrom, otherTo]] = times.map((known) => [known[0], known.at(-1)]) as [number[], number[]];
    if (from === undefined || otherFrom === undefined || (from === otherFrom && to === otherTo)) return;
    // An unreadable entry may be in both segments until a page shows that it is the same: only readable ones count.
    const isReadable = (index: number) => this.chat.sent[index]?.msgId !== undefined;
    assert.ok((one.findLast(isReadable) ?? 0) < (other.find(isReadable) ?? Infinity), 'segments out of order');
  }
}
