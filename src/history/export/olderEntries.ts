/** Which entries of a page are older than what is known already. Pages overlap, and come in either order. */
import { type Listed, messageKey, oldestFirst } from '../../service/message.ts';

/** What a page lists before its anchor, oldest first; undefined where it does not list the anchor. */
export function entriesBeforeAnchor(page: readonly Listed[], anchor: string): Listed[] | undefined {
  const at = page.findIndex((entry) => entry.readable && entry.message.msgId === anchor);
  if (at === -1) return undefined;
  const ordered = oldestFirst(page, { msgId: anchor, is: 'newest' });
  return ordered.slice(0, ordered[0] === page[0] ? at : page.length - 1 - at);
}

/**
 * Those of `older` that are not held yet. `passed` are the held entries that are older than the anchor, too; unreadable
 * ones may be equal to each other, so each of them stands for one alone.
 */
export function withoutOverlap(older: readonly Listed[], held: readonly Listed[], passed: readonly Listed[]): Listed[] {
  const known = new Set(held.flatMap((entry) => (entry.readable ? messageKey(entry) : [])));
  /** How many there are of each. */
  const unreadable = new Map<string, number>();
  for (const entry of passed) {
    if (!entry.readable) unreadable.set(messageKey(entry), (unreadable.get(messageKey(entry)) ?? 0) + 1);
  }
  const fresh = older.toReversed().filter((entry) => {
    const key = messageKey(entry);
    if (entry.readable) return !known.has(key) && known.add(key);
    const left = unreadable.get(key) ?? 0;
    unreadable.set(key, left - 1);
    return left <= 0;
  });
  return fresh.reverse();
}
