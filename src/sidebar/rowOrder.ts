/** Filters and sorts the listed rows. Doesn't use VS Code. */
import { fold } from '../markup/caseFolding.ts';
import type { Order } from '../platform/store.ts';

/** A row with the texts to find and sort it by. */
export interface FilterableRow {
  readonly id: string;
  /** The user's label or the name, if known. */
  readonly title: string | undefined;
  /** The name, if known: a row is found by it even if it shows a label. */
  readonly name?: string | undefined;
  /** When its last known message was sent (Unix ms), if any is known. */
  readonly lastTime?: number | undefined;
}

/** The rows whose ID, label or name contains every word of the filter, folded as for a search. */
export function filterRows<T extends FilterableRow>(rows: readonly T[], filter: string): T[] {
  const words = fold(filter).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  return rows.filter(({ id, title = '', name = '' }) => {
    const text = fold(`${title}\n${name}\n${id}`);
    return words.every((word) => text.includes(word));
  });
}

/** Sorts rows by the rules of a language. By name or by activity, rows without one come last. */
export function sortRows<T extends FilterableRow>(rows: readonly T[], order: Order, language: string): T[] {
  if (order === 'listed') return [...rows];
  if (order === 'recent') return rows.toSorted((a, b) => (b.lastTime ?? -Infinity) - (a.lastTime ?? -Infinity) || 0);
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
 * The ID before which rows go that were dropped on a target; undefined for the end. Rows from above the target go after
 * it and others before it, so that the first dropped row takes the target's place.
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
