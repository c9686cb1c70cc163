/** Finds where the entries of a page belong among those that are known. Pure. */
import { type Listed, messageKey, sendTimeOf } from '../../service/message.ts';

/** The facts that decide where an entry belongs. */
export interface Entry {
  readonly isReadable: boolean;
  /** The ID of a message; the JSON of an unreadable entry, which others may equal, and which may differ at each read. */
  readonly key: string;
  /** When the message was sent (Unix ms), if known. */
  readonly time: number | undefined;
}

export interface MergedPage {
  /** For each entry of the page, the index of the known one that it is; undefined for a new one. */
  readonly found: readonly (number | undefined)[];
  /** For each entry of the page, the index of the known one that it is or comes after; -1 before the first. */
  readonly after: readonly number[];
  /** The indexes of known unreadable entries that are there twice: two segments may both have had those between them. */
  readonly duplicates: readonly number[];
}

/**
 * Where each entry of a page belongs among known ones, both oldest first. Messages are recognized by their IDs, unreadable
 * entries by their neighbors: first entries that look the same, then entries in the same place. A signed address or a time
 * may make an entry look different each time. `seams` are the indexes of known entries after which something may be
 * missing; all others were consecutive when they were read. `start` is the index at which a page without any known message
 * may begin.
 */
export function mergePage(
  known: readonly Entry[],
  page: readonly Listed[],
  seams: readonly number[] = [],
  start?: number,
): MergedPage {
  const { found, duplicates } = findKnown(known, page, seams, start);
  let previous = -1;
  const after = page.map((entry, at) => {
    const index = found[at];
    if (index !== undefined) previous = Math.max(previous, index);
    else {
      const next = found.find((one, other) => other > at && one !== undefined && one > previous);
      previous = lastBefore(entry, previous, next, known, seams);
    }
    return previous;
  });
  return { found, after, duplicates };
}

/** The index of the known entry that a new one comes after, if it's listed between those at `previous` and `next`. */
function lastBefore(
  entry: Listed,
  previous: number,
  next: number | undefined,
  known: readonly Entry[],
  seams: readonly number[],
): number {
  // Consecutive messages stay consecutive, whatever was deleted meanwhile: new entries are beyond them.
  if (next === undefined) return known.length - 1;
  if (previous === -1) return -1;
  const seam = seams.find((index) => index >= previous && index < next);
  if (seam !== undefined) return seam;
  // The messages weren't consecutive after all: nothing told the order of a page, which was read the wrong way round. Times
  // are the best guess.
  const time = sendTimeOf(entry) ?? NaN;
  let last = previous;
  for (let index = previous + 1; index < next; index++) if (Number(known[index]?.time) <= time) last = index;
  return last;
}

/** Finds the entries of a page among the known ones. */
function findKnown(
  known: readonly Entry[],
  page: readonly Listed[],
  seams: readonly number[],
  start?: number,
): Pick<MergedPage, 'found' | 'duplicates'> {
  const indexes = new Map(known.flatMap(({ key, isReadable }, index) => (isReadable ? [[key, index]] : [])));
  const listed = new Set(page.flatMap((entry) => (entry.readable ? messageKey(entry) : [])));
  const found = page.map((entry) => (entry.readable ? indexes.get(messageKey(entry)) : undefined));
  const unreadable = new Set(known.flatMap(({ key, isReadable }) => (isReadable ? [] : key)));
  const matched = new Set<number>();
  /** For entries of the page that are known on both sides of a seam, the second index. */
  const twins = new Map<number, number>();
  const isConsecutive = (one: number, other: number) =>
    !seams.some((seam) => Math.min(one, other) <= seam && seam < Math.max(one, other));

  /** An unreadable entry beside a known one, as far as the next entry that the page lists. Without a key, it's the next. */
  const findBeside = (key: string | undefined, neighbor: number, step: 1 | -1) => {
    // A loop is used, because there may be thousands of entries.
    if (unreadable.size === 0 || (key !== undefined && !unreadable.has(key))) return undefined;
    for (let index = neighbor + step; isConsecutive(neighbor, index); index += step) {
      const other = known[index];
      if (!other || (other.isReadable && listed.has(other.key))) return undefined;
      if (other.isReadable) continue;
      if (key === undefined) return matched.has(index) ? undefined : index;
      if (!matched.has(index) && other.key === key) return index;
    }
    return undefined;
  };
  const walk = (by: 'look' | 'place', step: 1 | -1, beside?: number) => {
    let neighbor = beside;
    const places = [...page.entries()];
    for (const [at, entry] of step === 1 ? places : places.reverse()) {
      const [before, twin] = [found[at], twins.get(at)];
      const here = [before, twin].find(
        (one) => one !== undefined && neighbor !== undefined && isConsecutive(one, neighbor),
      );
      const key = by === 'look' ? messageKey(entry) : undefined;
      const isSettled = entry.readable || here !== undefined || twin !== undefined;
      const other = isSettled || neighbor === undefined ? undefined : findBeside(key, neighbor, step);
      if (before !== undefined && other !== undefined) twins.set(at, other);
      else found[at] ??= other;
      const index = other ?? here ?? before;
      if (index !== undefined) matched.add(index);
      // A message that isn't known has no neighbors here; an unreadable entry may have become one.
      if (index !== undefined || entry.readable) neighbor = index;
    }
  };
  for (const by of ['look', 'place'] as const) {
    walk(by, 1, start === undefined ? undefined : start - 1);
    walk(by, -1);
  }
  return { found, duplicates: [...twins.values()] };
}
