/**
 * The log of a chat: its known messages, as segments of consecutive ones with gaps between them. Decides what a page that was read means for the segments, and which page to read next. Two stores keep logs: arrays for a history on the screen, SQLite for
 * the archive. One random test drives both and compares them. An export is a log of its last page.
 *
 * A page that overlaps segments joins them. A gap is lost if no anchor on either side exists any more; the next run tries
 * again.
 */
import { type Listed, sendTimeOf } from '../../service/message.ts';
import { reachesBefore, type Side } from '../../service/messagePages.ts';
import type { Known, LogStore, NewEntry, Segment } from './logStore.ts';
import { type MergedPage, mergePage } from './mergePage.ts';

/** A page to read: beyond one side of a segment, at one of its outermost messages. */
export interface ReadTask {
  readonly segment: number;
  readonly side: Side;
  /** The anchors, outermost first, with the number of entries beyond each. */
  readonly anchors: readonly { readonly msgId: string; readonly beyond: number }[];
}

/** What a page has added. */
export interface Added {
  readonly segment: number;
  /** Whether each entry of the page is new. */
  readonly isNew: readonly boolean[];
  /** How many entries there are more than before. */
  readonly grownBy: number;
}

/** Two neighboring segments with something missing between them, or what is missing before the first. */
export interface LogGap {
  readonly older: Segment | undefined;
  readonly newer: Segment;
  /** Whether neither side can be read any further. */
  readonly isLost: boolean;
}

/** How many anchors are tried before an edge counts as lost. */
export const ANCHORS = 5;

/** How many times at each end of a segment tell its place, so that one wrong clock doesn't. */
const SAMPLE = 9;

export class Log {
  readonly #store: LogStore;
  readonly #since: number | undefined;

  /** With `since` (Unix ms), nothing older is read. */
  constructor(store: LogStore, since?: number) {
    this.#store = store;
    this.#since = since;
  }

  /** Adds a page of consecutive messages, oldest first, without duplicates. Joins the segments that it connects. */
  add(page: readonly Listed[]): Added {
    const found = [...new Set(page.flatMap((entry) => this.#placeOf(entry)?.segment ?? []))];
    const added = this.#addTo(found, page);
    if (this.#since !== undefined && reachesBefore(this.#times(added.segment), this.#since))
      this.#stopAtLimit(added.segment);
    return added;
  }

  /** Adds the newest page, like {@link add}. */
  addLatest(page: readonly Listed[]): Added {
    const last = this.segments().at(-1);
    const added = last && this.#isBegunBy(last.id, page) ? this.#addTo([last.id], page, 0) : this.add(page);
    // The segment that was the newest before may not be it any more.
    for (const { id, newer } of this.#store.segments()) if (newer === 'end') this.#store.setEdge(id, 'newer', 'open');
    this.#store.setEdge(added.segment, 'newer', 'end');
    return added;
  }

  /** Adds the page with which the chat begins, like {@link add}. */
  addFirst(page: readonly Listed[]): Added {
    const added = this.add(page);
    // An unreadable entry may have looked different before.
    const [anchor] = this.#anchors(added.segment, 'older', 1);
    const entry = anchor && page[anchor.beyond];
    if (entry?.readable && entry.message.msgId === anchor?.msgId) this.#store.setEdge(added.segment, 'older', 'end');
    return added;
  }

  /** Reopens the newest end, because newer messages are known to exist. */
  forgetNewest(): void {
    for (const { id, newer } of this.#store.segments()) if (newer === 'end') this.#store.setEdge(id, 'newer', 'open');
  }

  /** The segments in order, the oldest first. */
  segments(): Segment[] {
    return inOrder(this.#store.segments(), this.#store);
  }

  /** The gaps, in order. */
  gaps(): LogGap[] {
    const segments = this.segments();
    return segments.flatMap((newer, index): LogGap[] => {
      const older = segments[index - 1];
      if (newer.older === 'limit' || (!older && newer.older === 'end')) return [];
      return [{ older, newer, isLost: newer.older === 'lost' && (!older || older.newer === 'lost') }];
    });
  }

  /** The page to read next, newest gap first; undefined if there's nothing left to try. Closes gaps without messages. */
  nextTask(): ReadTask | undefined {
    for (;;) {
      const gap = this.gaps().findLast(({ isLost }) => !isLost);
      const task = gap && this.gapTask(gap);
      if (!gap || task) return task;
      this.close(gap);
    }
  }

  /** The page to read next in a gap, from one of its sides if possible; undefined if neither side leads further. */
  gapTask({ older, newer }: LogGap, from: Side = 'newer'): ReadTask | undefined {
    const tasks = [
      ...(newer.older === 'open' ? [this.task(newer.id, 'older')] : []),
      ...(older?.newer === 'open' ? [this.task(older.id, 'newer')] : []),
    ];
    return from === 'newer' ? tasks[0] : tasks.at(-1);
  }

  /** Closes a gap in which the service has nothing. */
  close({ older, newer }: LogGap): void {
    if (older) this.#store.join(older.id, newer.id);
  }

  /** The page beyond one side of a segment. */
  task(segment: number, side: Side): ReadTask {
    return { segment, side, anchors: this.#anchors(segment, side, ANCHORS) };
  }

  /** Adds the page that was read for a task, like {@link add}. `isEnd` if the service has nothing further on that side. */
  extend(task: ReadTask, page: readonly Listed[], anchorIndex: number): Added & { readonly isEnd: boolean } {
    const isCurrent = this.#isCurrent(task);
    const added = this.add(page);
    // Another window may have read beyond this page, so that a page without news needn't be the end.
    const isEnd = isCurrent && this.#isAtEnd(task, page, anchorIndex);
    if (isEnd) this.#store.setEdge(added.segment, task.side, 'end');
    return { ...added, isEnd };
  }

  /** Notes that the service no longer has the anchors of a task. */
  lose(task: ReadTask): void {
    if (this.#isCurrent(task)) this.#store.setEdge(task.segment, task.side, 'lost');
  }

  /** Tries again to read lost gaps. The newer side of each segment opens, too, as newer messages may have come since. */
  reopen(): void {
    for (const { id, older } of this.#store.segments()) {
      if (older === 'lost') this.#store.setEdge(id, 'older', 'open');
      this.#store.setEdge(id, 'newer', 'open');
    }
  }

  /** Opens the limit, because it has changed: older messages are read. */
  reopenLimit(): void {
    for (const { id, older } of this.#store.segments()) {
      if (older === 'limit') this.#store.setEdge(id, 'older', 'open');
    }
  }

  #placeOf(entry: Listed) {
    return entry.readable ? this.#store.place(entry.message.msgId) : undefined;
  }

  /** Whether a page begins as a segment of unreadable entries does, for which nothing else tells. */
  #isBegunBy(segment: number, page: readonly Listed[]): boolean {
    if (this.#anchors(segment, 'newer', 1).length > 0) return false;
    return mergePage([...this.#store.walk(segment, 'newer')], page, [], 0).found.some((index) => index !== undefined);
  }

  /** Adds a page to the segments that it connects, in the order of the page, or to a new one. */
  #addTo(found: readonly number[], page: readonly Listed[], start?: number): Added {
    const [segment = this.#store.create(), ...others] = found;
    const seams = others.map((other) => {
      const [last] = this.#store.walk(segment, 'older');
      this.#store.join(segment, other);
      return last?.position;
    });
    const known = this.#knownAround(segment, page);
    const indexes = seams.map((position) => known.findIndex((one) => one.position === position));
    const merged = mergePage(known, page, indexes, start);
    this.#apply(segment, page, merged, known);
    const isNew = merged.found.map((index) => index === undefined);
    return { segment, isNew, grownBy: isNew.filter(Boolean).length - merged.duplicates.length };
  }

  /** The known entries among which those of a page are, and as many on both sides as the page has, oldest first. */
  #knownAround(segment: number, page: readonly Listed[]): Known[] {
    const positions = page.flatMap((entry) => this.#placeOf(entry)?.position ?? []);
    // A page without a known message can only belong to the beginning of the segment.
    if (positions.length === 0) return [...this.#store.walk(segment, 'newer')];
    const [from, to] = [Math.min(...positions), Math.max(...positions)];
    const older: Known[] = [];
    for (const one of this.#store.walk(segment, 'older', from)) {
      if (older.push(one) > page.length) break;
    }
    const newer: Known[] = [];
    let beyond = 0;
    for (const one of this.#store.walk(segment, 'newer', from)) {
      if (one.position > to && ++beyond > page.length) break;
      if (one.position > from) newer.push(one);
    }
    return [...older.reverse(), ...newer];
  }

  /** Inserts the unknown entries of a page, and removes entries that are known twice. */
  #apply(segment: number, page: readonly Listed[], merged: MergedPage, known: readonly Known[]): void {
    const times = nearTimes(page);
    const runs = new Map<number, NewEntry[]>();
    for (const [at, entry] of page.entries()) {
      const index = merged.after[at] ?? -1;
      const run = runs.get(index) ?? [];
      if (merged.found[at] === undefined) run.push({ entry, time: times[at] });
      runs.set(index, run);
    }
    const last = known.length - 1;
    // Entries are inserted newest first, so that earlier positions stay as they are.
    for (let index = last; index >= -1; index--) {
      const run = runs.get(index) ?? [];
      if (run.length > 0) {
        // Consecutive messages stay consecutive: entries beyond a known one at an edge are beyond the whole segment.
        const [newest] = index === last ? this.#store.walk(segment, 'older') : [];
        this.#store.insert(segment, (newest ?? known[index])?.position, run);
        if (index === -1) this.#store.setEdge(segment, 'older', 'open');
        if (index === last) this.#store.setEdge(segment, 'newer', 'open');
      }
      if (merged.duplicates.includes(index)) this.#store.remove(segment, known[index]?.position ?? 0);
    }
  }

  /** The outermost readable messages of a segment on one side. */
  #anchors(segment: number, side: Side, limit: number): { msgId: string; beyond: number }[] {
    const anchors: { msgId: string; beyond: number }[] = [];
    let beyond = 0;
    for (const { isReadable, key } of this.#store.walk(segment, side === 'older' ? 'newer' : 'older')) {
      if (isReadable) anchors.push({ msgId: key, beyond });
      if (anchors.length === limit) break;
      beyond++;
    }
    return anchors;
  }

  /** Whether the segment still ends where it did when the task was given. */
  #isCurrent({ segment, side, anchors }: ReadTask): boolean {
    const [now] = this.#anchors(segment, side, 1);
    return now?.msgId === anchors[0]?.msgId && now?.beyond === anchors[0]?.beyond;
  }

  /** Whether the page of a task had nothing that leads further. */
  #isAtEnd({ segment, side, anchors }: ReadTask, page: readonly Listed[], anchorIndex: number): boolean {
    const now = this.#anchors(segment, side, ANCHORS);
    const hasSameAnchors =
      now.length === anchors.length && now.every(({ msgId }, index) => msgId === anchors[index]?.msgId);
    if (!hasSameAnchors) return false;
    // Unreadable entries lead further, too, unless they are those that were known: in a page whose order was misjudged,
    // they may not be recognized.
    const anchor = page[anchorIndex];
    const known = anchors.find(({ msgId }) => anchor?.readable && msgId === anchor.message.msgId)?.beyond ?? 0;
    const listed = side === 'older' ? anchorIndex : page.length - 1 - anchorIndex;
    return now[0]?.beyond === anchors[0]?.beyond || listed <= known;
  }

  /** The times of a segment, oldest first. */
  *#times(segment: number): Generator<number | undefined> {
    for (const { time } of this.#store.walk(segment, 'newer')) yield time;
  }

  #stopAtLimit(segment: number): void {
    const { older } = this.#store.segments().find(({ id }) => id === segment) ?? {};
    if (older === 'open') this.#store.setEdge(segment, 'older', 'limit');
  }
}

/** The time of each entry, or of the nearest one before it, or else after it. */
function nearTimes(page: readonly Listed[]): (number | undefined)[] {
  let time = page.map(sendTimeOf).find((one) => one !== undefined);
  return page.map((entry) => {
    time = sendTimeOf(entry) ?? time;
    return time;
  });
}

/** Sorts segments, the oldest first. Only their times and ends tell their order. */
function inOrder(segments: readonly Segment[], store: Pick<LogStore, 'walk'>): Segment[] {
  if (segments.length < 2) return [...segments];
  const keys = new Map(segments.map(({ id }) => [id, orderKeys(id, store)]));
  return segments.toSorted((one, other) => {
    const begins = Number(other.older === 'end') - Number(one.older === 'end');
    const ends = Number(one.newer === 'end') - Number(other.newer === 'end');
    // If both ends contradict the times, most of the clocks were wrong.
    if (begins !== 0 && begins === ends) return begins;
    const [times, otherTimes] = [keys.get(one.id) ?? [], keys.get(other.id) ?? []];
    const at = times.findIndex((time, index) => time !== otherTimes[index]);
    const byTime = Number(times[at]) - Number(otherTimes[at]) || 0;
    // If nothing tells, the segment that was read later comes first: people mostly go to older messages.
    return byTime || begins || ends || other.id - one.id;
  });
}

/** The times at both ends of a segment by which it's ordered (Unix ms), most significant first. */
function orderKeys(segment: number, store: Pick<LogStore, 'walk'>): (number | undefined)[] {
  const sample = (toward: Side) => {
    const times: number[] = [];
    for (const { time } of store.walk(segment, toward)) {
      if (time !== undefined) times.push(time);
      if (times.length === SAMPLE) break;
    }
    return times;
  };
  const [first, last] = [sample('newer'), sample('older')];
  return [median(first), median(last), first[0], last[0]];
}

/** The median; of two in the middle, the lower one. */
function median(times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)];
}
