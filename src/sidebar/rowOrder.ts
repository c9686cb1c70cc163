/** Filters, sorts and moves the listed rows, as the user asks. */
import { fold } from '../markup/caseFolding.ts';
import type { Order } from '../platform/store.ts';
import { createInput, listItem, pickOne, showUntilChosen } from '../presentation/dialogs.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { Timer } from '../service/clock.ts';

/** How long typing has to pause before the filter is used, in milliseconds. */
const TYPING_DELAY = 150;

/** A row with the texts to find and sort it by. */
export interface FilterableRow {
  readonly id: string;
  /** The user's label or the name, if known. */
  readonly title: ShownText | undefined;
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

/** Asks for a filter and uses it while it's typed. Escape restores the one before. */
export async function askFilter(before: string, use: (filter: string) => void): Promise<void> {
  const input = createInput();
  input.title = l10n.t('Filter by Name or ID');
  input.placeholder = l10n.t('Part of a name or ID');
  input.value = before;
  // The input stays when it loses the focus: the user may click a row that was found.
  input.ignoreFocusOut = true;
  const timer = new Timer(() => use(input.value.trim()));
  input.onDidChangeValue(() => timer.restart(TYPING_DELAY));
  const filter = await showUntilChosen(input, before, (choose) => input.onDidAccept(() => choose(input.value.trim())));
  timer.stop();
  use(filter);
}

/** Sorts rows by the rules of a language. Rows without a name or without activity come last where that counts. */
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

/** Asks how to sort rows. Resolves to undefined if the user cancels. */
export async function askOrder(current: Order): Promise<Order | undefined> {
  const orders: { order: Order; label: string; description?: string }[] = [
    {
      order: 'listed',
      label: l10n.t('As listed'),
      description: l10n.t('the order in Settings, which you change by dragging'),
    },
    { order: 'name', label: l10n.t('By name') },
    { order: 'id', label: l10n.t('By ID') },
    {
      order: 'recent',
      label: l10n.t('By recent activity'),
      description: l10n.t('the last message known from watching or from its history'),
    },
  ];
  const items = orders.map(({ order, label, description = '' }) =>
    listItem({ order, icon: order === current ? 'check' : undefined, label, description }),
  );
  return (await pickOne(items, { title: l10n.t('Sort By') }))?.order;
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
