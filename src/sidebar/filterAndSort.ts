/** Finding rows: the filter and the order of the sidebar. */
import { l10n } from 'vscode';
import type { Order } from '../platform/store.ts';
import { createInput, pickOne, safeLabel } from '../presentation/dialogs.ts';

/** Typing is followed at most this often (milliseconds). */
const PAUSE = 150;

/** Asks for a filter, which is used while it is typed. Escape goes back to the one before. */
export async function askFilter(before: string, use: (filter: string) => void): Promise<void> {
  const input = createInput();
  input.title = l10n.t('Filter by Name or ID');
  input.placeholder = l10n.t('Part of a name, a label or an ID');
  input.value = before;
  // So that what was found can be clicked.
  input.ignoreFocusOut = true;
  let pause: ReturnType<typeof setTimeout> | undefined;
  input.onDidChangeValue((value) => {
    clearTimeout(pause);
    pause = setTimeout(() => use(value.trim()), PAUSE);
  });
  const filter = await new Promise<string>((resolve) => {
    input.onDidAccept(() => resolve(input.value.trim()));
    input.onDidHide(() => resolve(before));
    input.show();
  });
  clearTimeout(pause);
  input.dispose();
  use(filter);
}

/** Asks how rows are sorted; undefined when the person stepped back. */
export async function askOrder(now: Order): Promise<Order | undefined> {
  const orders: { order: Order; words: string; more?: string }[] = [
    { order: 'listed', words: l10n.t('As listed'), more: l10n.t('the order of the settings, as you drag them') },
    { order: 'name', words: l10n.t('By name') },
    { order: 'id', words: l10n.t('By ID') },
  ];
  const items = orders.map(({ order, words, more = '' }) => ({
    order,
    label: safeLabel(words, order === now ? 'check' : undefined),
    description: safeLabel(more),
  }));
  return (await pickOne(items, { title: l10n.t('Sort By') }))?.order;
}
