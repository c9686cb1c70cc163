/** Reads and validates the message pages that the service returns. */
import type { Page } from './client.ts';
import { isFailure, isTransient } from './errors.ts';
import { type Listed, oldestFirst } from './message.ts';

export type Side = 'older' | 'newer';

/** The number of messages requested per page of a history. */
export const PAGE_SIZE = 50;

/** How many of the oldest messages must precede a time: a single clock may be wrong. */
const ENOUGH = 3;

/** A page, oldest first and without duplicates. */
export interface AnchoredPage {
  readonly entries: Listed[];
  /** The index of the anchor in `entries`. */
  readonly anchorIndex: number;
}

/** The service no longer lists the messages that a load would continue from. */
export class LostAnchorError extends Error {
  override readonly name = 'LostAnchorError';
  /** The last anchor that was tried; empty if there was none to try. */
  readonly msgId: string;

  constructor(msgId: string) {
    super(msgId ? `no message ${msgId} in the answer` : 'no message to go on from');
    this.msgId = msgId;
  }
}

/** Reads a page around an anchor, or on one side of it; undefined if the page does not contain the anchor. */
export function anchoredPage(page: readonly Listed[], anchor: string, side?: Side): AnchoredPage | undefined {
  const ordered = oldestFirst(page, side && { msgId: anchor, is: side === 'older' ? 'newest' : 'oldest' });
  const entries = withoutDuplicates(ordered);
  const anchorIndex = entries.findIndex((entry) => entry.readable && entry.message.msgId === anchor);
  return anchorIndex < 0 ? undefined : { entries, anchorIndex };
}

/**
 * Lists the page beyond one side of a segment. `anchors` are its outermost messages, with the number of entries beyond
 * each. If the service no longer has an anchor, the next one is tried. Rejects with the failure of the last one.
 */
export async function listBeyond(
  list: (page: Page) => Promise<Listed[]>,
  anchors: readonly { msgId: string; beyond: number }[],
  side: Side,
  pageSize = PAGE_SIZE,
): Promise<AnchoredPage & { isFull: boolean }> {
  let lost: unknown = new LostAnchorError('');
  for (const { msgId, beyond } of anchors) {
    // The loaded entries beyond the anchor are listed again, in addition to a full page.
    const count = pageSize + beyond;
    try {
      const page = await list({ anchor: msgId, ...(side === 'older' ? { before: count } : { after: count }) });
      const answer = anchoredPage(page, msgId, side);
      if (answer) return { ...answer, isFull: answer.entries.length > count };
      lost = new LostAnchorError(msgId);
    } catch (error) {
      if (!mayBeAnchorError(error)) throw error;
      lost = error;
    }
  }
  throw lost;
}

/** The newest `count` messages, oldest first, and more if none of these is readable: loads continue from one that is. */
export async function listNewest(list: (page: Page) => Promise<Listed[]>, count: number): Promise<Listed[]> {
  let page = await list({ latest: count });
  for (let latest = count; page.length >= latest && !page.some(({ readable }) => readable); ) {
    latest *= 4;
    page = await list({ latest });
  }
  return oldestFirst(page);
}

/** Loads pages of up to `largest` messages, and smaller ones where a page is too large for the limits of a response. */
export function adaptivePages(largest: number) {
  let size = largest;
  return async <T>(read: (size: number) => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        const answer = await read(size);
        size = Math.min(largest, size * 2);
        return answer;
      } catch (error) {
        if (size === 1 || !isFailure(error, 'tooLarge')) throw error;
        size = Math.ceil(size / 2);
      }
    }
  };
}

/**
 * Whether all known messages in a row, of these times (Unix ms), oldest first, reach back before a time, so that older ones
 * needn't be read. Those of the last page alone don't tell: it may have added only one or two, with wrong clocks.
 */
export function reachesBefore(times: Iterable<number | undefined>, time: number): boolean {
  let count = 0;
  for (const one of times) {
    if (one === undefined) continue;
    if (one >= time) return false;
    if (++count === ENOUGH) return true;
  }
  return false;
}

/**
 * The first of a chat's messages, oldest first, that was sent at a time (Unix ms) or later; undefined if there's none.
 * The chat is cut where the fewest messages are on the wrong side, so that one with a wrong clock doesn't matter.
 */
export function firstSince<T>(
  items: Iterable<T>,
  time: number,
  timeOf: (item: T) => number | undefined,
): { readonly item: T; readonly index: number } | undefined {
  let [index, wrong, fewest] = [-1, 0, 0];
  let found: { item: T; index: number } | undefined;
  for (const item of items) {
    index++;
    const sendTime = timeOf(item);
    if (sendTime === undefined) continue;
    wrong += sendTime < time ? -1 : 1;
    if (wrong < fewest) [found, fewest] = [undefined, wrong];
    else if (sendTime >= time) found ??= { item, index };
  }
  return found;
}

/** Removes repeated messages. */
export function withoutDuplicates(entries: readonly Listed[]): Listed[] {
  const ids = new Set<string>();
  return entries.filter((entry) => {
    if (!entry.readable) return true;
    const { msgId } = entry.message;
    return !ids.has(msgId) && ids.add(msgId);
  });
}

/** Whether a load may have failed because its anchors no longer exist. */
export function isAnchorLost(error: unknown): boolean {
  return error instanceof LostAnchorError || mayBeAnchorError(error);
}

/** Codes that were observed for something else than a missing message: a rejected token, a banned bot or chat. */
const OTHER_CODES: ReadonlySet<number> = new Set([1003, 1004, 1005]);

/** Whether a call may have failed because of its anchor, so that another anchor may succeed. */
const mayBeAnchorError = (error: unknown) =>
  isFailure(error, 'rejected') && !isTransient(error) && !OTHER_CODES.has(error.failure.code);
