/** What is new in a chat since a mark, told from its newest page. */

import type { Mark } from '../../platform/store.ts';
import { type Listed, messageKey, newestMessage as newestIn, oldestFirst, sendTimeOf } from '../../service/message.ts';

/** How many messages the newest page is asked for. */
export const NEWEST_PAGE_SIZE = 50;

/** The mark of a chat in which there was nothing. */
export const NOTHING: Mark = { msgId: '', sendTime: 0 };

export interface Unread {
  /** How many messages are known to have come, the bot's own not among them. */
  readonly unread: number;
  /** There may be more of them than the page reaches. */
  readonly more: boolean;
}

/** How much of the newest page, in the order of the service, came after the mark. */
export function unreadOf(page: readonly Listed[], seen: Mark, botId: string): Unread {
  const entries = inOrder(page);
  const newer = newerThan(entries, seen);
  const unread = newer.filter((entry) => !entry.readable || entry.message.senderId !== botId).length;
  // Contract 4.4, rule 1: a chat that fills no page has nothing older.
  if (seen.msgId === '') return { unread, more: page.length >= NEWEST_PAGE_SIZE };
  const isReached = entries.some((entry) => isOf(entry, seen) || (sendTimeOf(entry) ?? Infinity) <= seen.sendTime);
  return { unread, more: entries.length > 0 && !isReached };
}

/** The newest message of a page in the order of the service; undefined where there is none that can be read. */
export function newestMark(page: readonly Listed[]): Mark | undefined {
  return lastMark(inOrder(page));
}

/** The last message of entries that are in the order of time; undefined where there is none that can be read. */
export function lastMark(entries: readonly Listed[]): Mark | undefined {
  return newestIn(entries.toReversed());
}

/** Whether a mark is further on than another: by their places where the page has both, and else by their times. */
export function isLater(mark: Mark, other: Mark, page: readonly Listed[]): boolean {
  if (mark.msgId === other.msgId) return false;
  if (mark.msgId === '' || other.msgId === '') return other.msgId === '';
  const entries = inOrder(page);
  const [at, otherAt] = [mark, other].map((one) => entries.findIndex((entry) => isOf(entry, one))) as [number, number];
  if (at >= 0 && otherAt >= 0) return at > otherAt;
  if (mark.sendTime !== other.sendTime) return mark.sendTime > other.sendTime;
  // Of two messages of one time, the one that came after the page is the later one.
  return at < 0;
}

function newerThan(entries: Listed[], mark: Mark): Listed[] {
  if (mark.msgId === '') return entries;
  const at = entries.findIndex((entry) => isOf(entry, mark));
  if (at >= 0) return entries.slice(at + 1);
  // The message was deleted, or the page does not reach back to it.
  let isNewer = false;
  return entries.filter((entry) => {
    const time = sendTimeOf(entry);
    // What has no time is newer where the one before it is.
    if (time !== undefined) isNewer = time > mark.sendTime;
    return isNewer;
  });
}

/** Oldest first, each once. */
function inOrder(page: readonly Listed[]): Listed[] {
  const keys = new Set<string>();
  return oldestFirst(page).filter((entry) => {
    const key = messageKey(entry);
    return !keys.has(key) && keys.add(key);
  });
}

const isOf = (entry: Listed, { msgId }: Mark) => entry.readable && entry.message.msgId === msgId;
