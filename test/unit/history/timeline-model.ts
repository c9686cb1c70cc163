import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Timeline, type TimelineItem } from '../../../src/history/timeline.ts';
import type { Page } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Listed } from '../../../src/service/message.ts';
import { noSuchMessage } from './chat.ts';

/** One message that was sent once. Its place in the list of all of them is what it is in the order of the chat. */
interface Sent {
  readonly place: number;
  readonly msgId: string | undefined;
  readonly entry: Listed;
  isDeleted: boolean;
}

export interface Habits {
  /** The time of the message with that place. */
  time(place: number): number | undefined;
  /** How many messages it lists on one side of an anchor at most. */
  most: number;
}

/** A chat on a service, as plain as can be. */
export class ModelChat {
  readonly sent: Sent[] = [];
  isReversed = false;
  /** How it answers for an anchor that it does not have. */
  lost: 'rejects' | 'empty' | 'without' = 'rejects';
  /** How many calls from now on fail. */
  failures = 0;
  readonly #habits: Habits;

  constructor(habits: Habits) {
    this.#habits = habits;
  }

  /** What cannot be read looks the same as others of its label. */
  send(unreadable: string | undefined): void {
    const place = this.sent.length;
    const msgId = unreadable === undefined ? `m${place}` : undefined;
    const sendTime = this.#habits.time(place);
    const entry = v.parse(Listed, msgId === undefined ? { broken: unreadable } : { msgId, sendTime });
    this.sent.push({ place, msgId, entry, isDeleted: false });
  }

  async list(page: Page): Promise<Listed[]> {
    if (this.failures > 0) {
      this.failures--;
      throw new ServiceError({ kind: 'unreachable', reason: 'ECONNRESET' });
    }
    const { most } = this.#habits;
    const present = this.sent.filter(({ isDeleted }) => !isDeleted);
    if ('latest' in page) return this.#inSomeOrder(present.slice(-page.latest), false);
    const at = present.findIndex(({ msgId }) => msgId === page.anchor);
    if (at < 0 && this.lost === 'rejects') throw noSuchMessage();
    if (at < 0) return this.#inSomeOrder(this.lost === 'empty' ? [] : present.slice(0, 3), false);
    const [before, after] = [Math.min(page.before ?? 0, most), Math.min(page.after ?? 0, most)];
    const found = present.slice(Math.max(0, at - before), at + after + 1);
    return this.#inSomeOrder(found, before === 0 || after === 0);
  }

  /** Only a page that tells its order may come the other way round. */
  #inSomeOrder(page: Sent[], isOneSided: boolean): Listed[] {
    const times = page.map(({ place, msgId }) => msgId && this.#habits.time(place)).filter(Number.isFinite);
    const tellsOrder = isOneSided || Number(times[0]) < Number(times.at(-1));
    const entries = page.map(({ entry }) => entry);
    return this.isReversed && tellsOrder ? entries : entries.reverse();
  }
}

/** A timeline of a chat, with all that must hold of it. */
export class Checked {
  readonly chat: ModelChat;
  readonly timeline: Timeline;
  readonly #copy: TimelineItem[] = [];
  #before = new Set<Listed>();

  constructor(habits: Habits) {
    this.chat = new ModelChat(habits);
    this.timeline = new Timeline(
      (page) => this.chat.list(page),
      ({ splice }) => splice && this.#copy.splice(splice.at, splice.removed, ...splice.inserted),
    );
  }

  /** Places of the entries of each segment. What looks the same is the first of its kind where either would do. */
  segments(): number[][] {
    const placeOf = new Map(this.chat.sent.map(({ entry, place }) => [entry, place]));
    const segments: number[][] = [[]];
    for (const item of this.timeline.items) {
      if (item.type === 'gap') segments.push([]);
      else segments.at(-1)?.push(placeOf.get(item.entry) ?? assert.fail('never sent'));
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
      for (const [at, place] of segment.slice(1).entries()) {
        const last = segment[at] ?? assert.fail();
        assert.ok(last < place, `${last} before ${place}`);
        assert.ok(
          sent.slice(last + 1, place).every(({ isDeleted }) => isDeleted),
          `a hole from ${last} to ${place}`,
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

  /** Segments are in order where their times say anything about it. */
  #checkOrder(one: number[], other: number[]): void {
    const times = [one, other].map((places) => {
      const entries = places.map((place) => this.chat.sent[place]?.entry);
      return entries.flatMap((entry) => (entry?.readable ? (entry.message.sendTime ?? []) : []));
    });
    const [[from, to], [otherFrom, otherTo]] = times.map((known) => [known[0], known.at(-1)]) as [number[], number[]];
    if (from === undefined || otherFrom === undefined || (from === otherFrom && to === otherTo)) return;
    // What cannot be read may end the one and begin the other, until a page shows that it is the same.
    const sameOne = one.findLastIndex((place) => this.chat.sent[place]?.msgId !== undefined);
    assert.ok((one[sameOne] ?? 0) < (other[0] ?? 0), 'segments out of order');
  }
}
