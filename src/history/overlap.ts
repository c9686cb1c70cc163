/** Finds the entries of a page that are already loaded. */
import { type Listed, messageKey } from '../service/message.ts';
import type { SegmentNode } from './segment.ts';

/** How many unreadable entries are compared, one by one, to find one of them. */
const MAX_UNREADABLE = 100;

export interface Overlap {
  /** The node of each entry; undefined if it is not loaded. */
  readonly found: (SegmentNode | undefined)[];
  /** Other nodes of the same entries: two segments may both contain the unreadable entries between them. */
  readonly duplicates: SegmentNode[];
}

/**
 * Finds the entries of a page, oldest first, among the loaded ones: messages by ID, unreadable entries by their
 * neighbors. `start` is the node at which a page without any known message may begin.
 */
export function findOverlap(
  page: readonly Listed[],
  known: (msgId: string) => SegmentNode | undefined,
  start?: SegmentNode,
): Overlap {
  const ids = new Set(page.flatMap((entry) => (entry.readable ? [entry.message.msgId] : [])));
  const found = page.map((entry) => (entry.readable ? known(entry.message.msgId) : undefined));
  const duplicates: SegmentNode[] = [];
  const matched = new Set<SegmentNode>();

  /** Walks from a node to the first equal unreadable one; stops at a message that the page lists. */
  const findUnreadable = (
    entry: Listed,
    from: SegmentNode | undefined,
    side: 'older' | 'newer',
  ): SegmentNode | undefined => {
    const key = messageKey(entry);
    let left = MAX_UNREADABLE;
    for (let node = from; node && left > 0; node = node[side]) {
      if (node.msgId === undefined) left--;
      if (node.msgId === undefined ? node.key === key && !matched.has(node) : ids.has(node.msgId)) {
        return node.msgId === undefined ? node : undefined;
      }
    }
    return undefined;
  };

  const walk = (side: 'older' | 'newer', begin?: SegmentNode) => {
    let next = begin;
    const indexes = [...page.keys()];
    for (const at of side === 'newer' ? indexes : indexes.reverse()) {
      const entry = page[at];
      const before = found[at];
      const isElsewhere = !before || before.segment !== next?.segment;
      const other = entry && !entry.readable && isElsewhere ? findUnreadable(entry, next, side) : undefined;
      if (before && other) duplicates.push(other);
      else found[at] ??= other;
      const node = other ?? before;
      if (node) matched.add(node);
      // A message that is not loaded has no neighbors here; an unreadable entry may have been inserted.
      if (node || entry?.readable) next = node?.[side];
    }
  };
  walk('newer', start);
  walk('older');
  return { found, duplicates };
}
