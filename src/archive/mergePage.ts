/** Merges a page of a chat into messages that are already archived. Pure. */

/** What decides where a message belongs. */
export interface Entry {
  /** The ID of a message; the JSON of an unreadable entry. */
  readonly key: string;
  readonly isReadable: boolean;
  /** Unix ms, if known. */
  readonly time: number | undefined;
}

/**
 * Where each entry of a page goes: the index of a known entry that it is, or that it comes after (-1 for the first).
 * Both lists are oldest first. Unreadable entries are recognized by their neighbors.
 */
export function mergePage(known: readonly Entry[], page: readonly Entry[]): { isKnown: boolean; index: number }[] {
  const found = findKnown(known, page);
  let previous = -1;
  return found.map((index, at) => {
    if (index !== undefined) {
      previous = Math.max(previous, index);
      return { isKnown: true, index };
    }
    const next = found.slice(at).find((one) => one !== undefined && one > previous) ?? known.length;
    // Entries that the page doesn't list stay in order of time with those that it does.
    const { time } = page[at] ?? {};
    for (let other = previous + 1; other < next; other++) {
      const otherTime = known[other]?.time;
      if (time !== undefined && otherTime !== undefined && otherTime <= time) previous = other;
    }
    return { isKnown: false, index: previous };
  });
}

/**
 * The indexes of unreadable entries that are known twice: two segments that a page connects may both have had those
 * between them. `merged` is the result for that page.
 */
export function duplicatesIn(
  known: readonly Entry[],
  merged: readonly { isKnown: boolean; index: number }[],
): number[] {
  const listed = new Set(merged.flatMap(({ isKnown, index }) => (isKnown ? index : [])));
  const indexes = [...listed];
  const duplicates: number[] = [];
  let keys = new Set<string>();
  let unlisted: number[] = [];
  for (let index = Math.min(...indexes); index <= Math.max(...indexes); index++) {
    const entry = known[index];
    if (!entry || (entry.isReadable && !listed.has(index))) continue;
    if (!entry.isReadable && listed.has(index)) keys.add(entry.key);
    else if (!entry.isReadable) unlisted.push(index);
    else {
      duplicates.push(...unlisted.filter((one) => keys.has(known[one]?.key ?? '')));
      [keys, unlisted] = [new Set(), []];
    }
  }
  return duplicates;
}

/** The index of each entry of a page among the known ones. */
function findKnown(known: readonly Entry[], page: readonly Entry[]): (number | undefined)[] {
  const indexes = new Map(known.flatMap(({ key, isReadable }, index) => (isReadable ? [[key, index]] : [])));
  const listed = new Set(page.flatMap(({ key, isReadable }) => (isReadable ? key : [])));
  const found = page.map(({ key, isReadable }) => (isReadable ? indexes.get(key) : undefined));
  /** An unreadable entry beside a known one: as far as the next message that the page lists. */
  const findBeside = (key: string | undefined, neighbor: number, step: 1 | -1) => {
    for (let index = neighbor + step; ; index += step) {
      const entry = known[index];
      if (!entry || (entry.isReadable && listed.has(entry.key))) return undefined;
      if (!entry.isReadable && entry.key === key) return index;
    }
  };
  const walk = (from: number, step: 1 | -1) => {
    let neighbor: number | undefined;
    for (let at = from; page[at]; at += step) {
      if (!page[at]?.isReadable && neighbor !== undefined) found[at] ??= findBeside(page[at]?.key, neighbor, step);
      neighbor = found[at] ?? neighbor;
    }
  };
  const first = found.findIndex((index) => index !== undefined);
  walk(first, 1);
  walk(first, -1);
  return found;
}
