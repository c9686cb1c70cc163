/** Which entries of a page are loaded already. */
import { type Listed, messageKey } from '../service/message.ts';
import type { SegmentNode } from './segment.ts';

/** Among how many that cannot be read one is looked for: they are compared one by one. */
const MAX_UNREADABLE = 100;

export interface Overlap {
  /** The node of each entry, where it is loaded. */
  readonly found: (SegmentNode | undefined)[];
  /** Further nodes of the same entries: two segments may both have had what cannot be read between them. */
  readonly duplicates: SegmentNode[];
}

/**
 * Finds the entries of a page, oldest first, among those that are loaded. A message is found by its ID; what cannot be read
 * has none, and is found by what it stands next to. `start` is a node at which a page without a known message may begin.
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

  /** From a node on: the first that cannot be read and looks like the entry. A message that the page lists ends it. */
  const findUnreadable = (
    entry: Listed,
    from: SegmentNode | undefined,
    side: 'older' | 'newer',
  ): SegmentNode | undefined => {
    const key = messageKey(entry);
    let left = MAX_UNREADABLE;
    for (let node = from; node && left > 0; node = node[side]) {
      if (node.msgId === undefined) left--;
      if (node.msgId === undefined ? !matched.has(node) && messageKey(node.item.entry) === key : ids.has(node.msgId)) {
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
      // What is not loaded has no neighbours here, but what cannot be read may be an entry that came in between.
      if (node || entry?.readable) next = node?.[side];
    }
  };
  walk('newer', start);
  walk('older');
  return { found, duplicates };
}
