/** Finds the older entries of a page. Pages overlap, and may be in either order. */
import { type Listed, messageKey, oldestFirst } from '../../service/message.ts';

/** The entries of a page that are older than its anchor, oldest first; undefined if the page lacks the anchor. */
export function entriesBeforeAnchor(page: readonly Listed[], anchor: string): Listed[] | undefined {
  const at = page.findIndex((entry) => entry.readable && entry.message.msgId === anchor);
  if (at === -1) return undefined;
  const ordered = oldestFirst(page, { msgId: anchor, is: 'newest' });
  return ordered.slice(0, ordered[0] === page[0] ? at : page.length - 1 - at);
}

/**
 * Removes from `older` the entries that are already known. `knownOlder` are the known entries before the anchor:
 * unreadable entries may be equal, so each of them matches only one.
 */
export function withoutOverlap(
  older: readonly Listed[],
  known: readonly Listed[],
  knownOlder: readonly Listed[],
): Listed[] {
  const messageKeys = new Set(known.flatMap((entry) => (entry.readable ? messageKey(entry) : [])));
  /** Counts by key. */
  const unreadable = new Map<string, number>();
  for (const entry of knownOlder) {
    if (!entry.readable) unreadable.set(messageKey(entry), (unreadable.get(messageKey(entry)) ?? 0) + 1);
  }
  const fresh = older.toReversed().filter((entry) => {
    const key = messageKey(entry);
    if (entry.readable) return !messageKeys.has(key) && messageKeys.add(key);
    const left = unreadable.get(key) ?? 0;
    unreadable.set(key, left - 1);
    return left <= 0;
  });
  return fresh.reverse();
}
