/** Which of the listed rows are shown, and in which order. Plain data: no editor in it. */

import type { Order } from '../platform/store.ts';

/** A row as a person can find it. */
export interface Findable {
  readonly id: string;
  /** What the row shows, where that is known: the person's own label or the name. */
  readonly title: string | undefined;
  /** Other words that it is found by. */
  readonly name?: string | undefined;
}

/** Those whose ID, label or name holds every word of the filter, in any case and width. */
export function filterRows<T extends Findable>(rows: readonly T[], filter: string): T[] {
  const words = fold(filter).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  return rows.filter(({ id, title = '', name = '' }) => {
    const text = fold(`${title}\n${name}\n${id}`);
    return words.every((word) => text.includes(word));
  });
}

/** Rows in an order of that language; those without a name come last when it is by name. */
export function sortRows<T extends Findable>(rows: readonly T[], order: Order, language: string): T[] {
  if (order === 'listed') return [...rows];
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const byId = (a: T, b: T) => compare(a.id, b.id);
  if (order === 'id') return rows.toSorted(byId);
  return rows.toSorted((a, b) => {
    if (a.title === undefined || b.title === undefined) {
      return Number(a.title === undefined) - Number(b.title === undefined) || byId(a, b);
    }
    return compare(a.title, b.title) || byId(a, b);
  });
}

/**
 * Where rows that were dropped on a target go: before the ID that this gives, or to the end. Rows that come from above
 * their target go behind it and others before it, so that the first dropped row takes the target's place either way.
 */
export function dropTarget(
  listed: readonly string[],
  dropped: ReadonlySet<string>,
  target: string,
): string | undefined {
  const at = listed.indexOf(target);
  const fromAbove = listed.findIndex((id) => dropped.has(id)) < at;
  return listed.slice(fromAbove ? at + 1 : at).find((id) => !dropped.has(id));
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase();
