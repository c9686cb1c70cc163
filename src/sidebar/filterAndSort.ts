/** Asks for the filter and the order of the sidebar. */
import { l10n } from 'vscode';
import type { Order } from '../platform/store.ts';
import { createInput, pickOne, safeLabel, showUntilChosen } from '../presentation/dialogs.ts';
import { Timer } from '../service/clock.ts';

/** How long typing has to pause before the filter is used, in milliseconds. */
const TYPING_DELAY = 150;

/** Asks for a filter and uses it while it's typed. Escape restores the one before. */
export async function askFilter(before: string, use: (filter: string) => void): Promise<void> {
  const input = createInput();
  input.title = l10n.t('Filter by Name or ID');
  input.placeholder = l10n.t('Part of a name or ID');
  input.value = before;
  // The user may click a row that was found.
  input.ignoreFocusOut = true;
  const timer = new Timer(() => use(input.value.trim()));
  input.onDidChangeValue(() => timer.restart(TYPING_DELAY));
  const filter = await showUntilChosen(input, before, (choose) => input.onDidAccept(() => choose(input.value.trim())));
  timer.stop();
  use(filter);
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
  const items = orders.map(({ order, label, description = '' }) => ({
    order,
    label: safeLabel(label, order === current ? 'check' : undefined),
    description: safeLabel(description),
  }));
  return (await pickOne(items, { title: l10n.t('Sort By') }))?.order;
}
