/** The messages of a chat after a mark, and their number, from its newest page. */
import type { Mark } from '../../platform/store.ts';
import { isSentBy, type Listed, newestMessage, oldestFirst, sendTimeOf } from '../../service/message.ts';
import { withoutDuplicates } from '../../service/messagePages.ts';

/** The requested number of messages of the newest page. */
export const NEWEST_PAGE_SIZE = 50;

/** The requested number if the newest page has only messages of the bot, and may hide others' before them. */
export const LARGE_PAGE_SIZE = 500;

/** The mark of a chat without messages. */
export const EMPTY_MARK: Mark = { msgId: '', sendTime: 0 };

export interface UnreadCount {
  /** The number of known messages, except the bot's own. */
  readonly unread: number;
  /** There may be more, older than the page. */
  readonly more: boolean;
}

/**
 * Counts the messages after the mark in the newest page, which is in the order of the service. Those in `sent`, as those of
 * the bot, are the user's own.
 */
export function unreadOf(
  page: readonly Listed[],
  seen: Mark,
  botId: string,
  sent: readonly string[] = [],
): UnreadCount {
  const entries = inOrder(page);
  const unread = ofOthers(newerThan(entries, seen), botId, sent).length;
  // Contract 4.4, rule 1: if a page isn't full, there are no older messages. The service may list no more than that.
  if (seen.msgId === '') return { unread, more: page.length >= NEWEST_PAGE_SIZE };
  const isReached = entries.some((entry) => isAtMark(entry, seen) || (sendTimeOf(entry) ?? Infinity) <= seen.sendTime);
  return { unread, more: entries.length > 0 && !isReached };
}

/** The messages after the mark in the newest page, except the user's own, oldest first. */
export function newerMessages(
  page: readonly Listed[],
  mark: Mark,
  botId: string,
  sent: readonly string[] = [],
): Listed[] {
  return ofOthers(newerThan(inOrder(page), mark), botId, sent);
}

/** Whether the newest page would have a message that isn't in it any more. */
export function isDeleted(mark: Mark, page: readonly Listed[]): boolean {
  const entries = inOrder(page);
  if (entries.some((entry) => isAtMark(entry, mark))) return false;
  // As above: a page that isn't full is the whole chat.
  if (page.length < NEWEST_PAGE_SIZE) return true;
  const oldest = entries.map(sendTimeOf).find((time) => time !== undefined);
  return oldest !== undefined && oldest < mark.sendTime;
}

/** The IDs of the bot's own messages in a page, newest first. */
export function sentMessages(page: readonly Listed[], botId: string): string[] {
  const newestFirst = inOrder(page).toReversed();
  return newestFirst.flatMap((entry) => (entry.readable && isSentBy(entry.message, botId) ? entry.message.msgId : []));
}

/** The newest end of a page in the order of the service. Undefined if it's empty. */
export function newestMark(page: readonly Listed[]): Mark | undefined {
  return newestMessage(inOrder(page).toReversed());
}

/** Whether a mark is later than another: by their positions if the page has both, otherwise by their times. */
export function isLater(mark: Mark, other: Mark, page: readonly Listed[]): boolean {
  if (mark.msgId === other.msgId) return (mark.unreadable ?? 0) > (other.unreadable ?? 0);
  if (mark.msgId === '' || other.msgId === '') return other.msgId === '';
  const entries = inOrder(page);
  const [at, otherAt] = [mark, other].map((one) => entries.findIndex((entry) => isAtMark(entry, one))) as [
    number,
    number,
  ];
  if (at >= 0 && otherAt >= 0) return at > otherAt;
  if (mark.sendTime !== other.sendTime) return mark.sendTime > other.sendTime;
  // At equal times, a message that isn't in the page yet is later than one that is.
  return at < 0;
}

function newerThan(entries: Listed[], mark: Mark): Listed[] {
  const at = entries.findIndex((entry) => isAtMark(entry, mark));
  if (at >= 0 || mark.msgId === '') return afterUnreadable(entries.slice(at + 1), mark);
  // The message was deleted or is older than the page.
  let isNewer = false;
  return entries.filter((entry) => {
    const time = sendTimeOf(entry);
    // An entry without a time is newer if the one before it is.
    if (time !== undefined) isNewer = time > mark.sendTime;
    return isNewer;
  });
}

/** The entries after the unreadable ones that belong to a mark. One may have become readable, or have been deleted. */
function afterUnreadable(entries: Listed[], { unreadable = 0 }: Mark): Listed[] {
  const readable = entries.findIndex((entry) => entry.readable);
  return entries.slice(Math.min(unreadable, readable < 0 ? entries.length : readable));
}

/** Memoized: the list of activity asks about each message of a page. */
const ordered = new WeakMap<readonly Listed[], Listed[]>();

/** The entries of a page as histories have them, whose marks count them, too: oldest first, without repeated messages. */
function inOrder(page: readonly Listed[]): Listed[] {
  const entries = ordered.get(page) ?? withoutDuplicates(oldestFirst(page));
  ordered.set(page, entries);
  return entries;
}

const ofOthers = (entries: Listed[], botId: string, sent: readonly string[]) =>
  entries.filter((entry) => !entry.readable || !(isSentBy(entry.message, botId) || sent.includes(entry.message.msgId)));

const isAtMark = (entry: Listed, { msgId }: Mark) => entry.readable && entry.message.msgId === msgId;
