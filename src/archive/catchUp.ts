/** What to read next of a chat to close its gaps, and what an answer means for them. */
import type { Listed } from '../service/message.ts';
import { reachesBefore } from '../service/messagePages.ts';
import { type ChatTable, gapsOf } from './chatTable.ts';
import type { Segments, Side } from './segments.ts';

/** How many anchors are tried before an end counts as lost. */
const ANCHORS = 5;

/** A page to read: beyond one side of a segment, at one of its outermost messages. */
export interface ReadTask {
  readonly segment: number;
  readonly side: Side;
  readonly anchors: readonly { readonly msgId: string; readonly beyond: number }[];
}

export class CatchUp {
  readonly #chats: ChatTable;
  readonly #segments: Segments;

  constructor(chats: ChatTable, segments: Segments) {
    this.#chats = chats;
    this.#segments = segments;
  }

  /** Tries again what couldn't be read. What is newer than a segment is never known for long. */
  reopen(chat: number): void {
    for (const { id, older } of this.#segments.list(chat)) {
      if (older === 'lost') this.#segments.setEdge(id, 'older', 'open');
      this.#segments.setEdge(id, 'newer', 'open');
    }
  }

  /** The limit has changed: reads what is older than the earlier one. */
  reopenLimit(chat: number): void {
    for (const { id, older } of this.#segments.list(chat)) {
      if (older === 'limit') this.#segments.setEdge(id, 'older', 'open');
    }
  }

  /** The page to read next, newest gap first; undefined if there's nothing left to try. Closes gaps without messages. */
  next(chat: number): ReadTask | undefined {
    for (;;) {
      const gap = gapsOf(this.#segments.list(chat)).findLast(({ isLost }) => !isLost);
      if (!gap) return undefined;
      const { older, newer } = gap;
      if (newer.older === 'open') return this.#task(newer.id, 'older');
      if (!older) return undefined;
      if (older.newer === 'open') return this.#task(older.id, 'newer');
      // One of them is at an end of the chat: wrong clocks may have hidden their order.
      if (newer.older === 'end' && older.older === 'open') return this.#task(older.id, 'older');
      if (older.newer === 'end' && newer.newer === 'open') return this.#task(newer.id, 'newer');
      // The service has nothing between them, or no longer has one of them.
      this.#segments.join(older.id, newer.id);
    }
  }

  /** Adds the page that was read for a task, oldest first. Returns the number of new messages. */
  extend(chat: number, task: ReadTask, page: readonly Listed[], anchorIndex: number): number {
    const isCurrent = this.#isCurrent(task);
    const { segment, grownBy } = this.#segments.add(chat, page);
    // Another window may have read beyond this page: that it has nothing new doesn't mean that it's the end.
    if (!isCurrent) return grownBy;
    if (this.#isAtEnd(task, page, anchorIndex)) this.#segments.setEdge(segment, task.side, 'end');
    else this.stopAtLimit(chat, segment, page);
    return grownBy;
  }

  /** Nothing older than a page of a segment is read if it reaches back before the limit of its chat. */
  stopAtLimit(chat: number, segment: number, page: readonly Listed[]): void {
    const since = this.#chats.since(chat);
    if (since === undefined || !reachesBefore(page, since)) return;
    const { older } = this.#segments.list(chat).find(({ id }) => id === segment) ?? {};
    if (older === 'open') this.#segments.setEdge(segment, 'older', 'limit');
  }

  /** The service no longer has the anchors of a task. */
  lose(task: ReadTask): void {
    if (this.#isCurrent(task)) this.#segments.setEdge(task.segment, task.side, 'lost');
  }

  #task(segment: number, side: Side): ReadTask {
    return { segment, side, anchors: this.#segments.anchors(segment, side, ANCHORS) };
  }

  /** Whether the page of a task had nothing that leads further. */
  #isAtEnd({ segment, side, anchors }: ReadTask, page: readonly Listed[], anchorIndex: number): boolean {
    const now = this.#segments.anchors(segment, side, ANCHORS);
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

  /** Whether the segment still ends where it did when the task was given. */
  #isCurrent({ segment, side, anchors }: ReadTask): boolean {
    const [now] = this.#segments.anchors(segment, side, 1);
    return now?.msgId === anchors[0]?.msgId && now?.beyond === anchors[0]?.beyond;
  }
}
