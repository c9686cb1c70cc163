/** Removes the sandbox's chats from the user's lists, where they stay once the lists were edited. */
import { l10n } from 'vscode';
import { type Lists, removeIds } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { showInfo } from '../presentation/dialogs.ts';

const KINDS = ['group', 'bot', 'user'] as const;

/** Offers to remove the sandbox's chats from the lists after connecting to another service. */
export async function offerToRemoveLeftovers(
  sandbox: NonNullable<Service['sandbox']>,
  settings: ListSettings,
): Promise<void> {
  const leftovers = KINDS.map((kind) => {
    const own = new Set(sandbox[kind]);
    const ids = settings.read(kind, {}).entries.map(({ id }) => id);
    return { kind, ids: new Set(ids.filter((id) => own.has(id))) };
  });
  const count = leftovers.reduce((sum, { ids }) => sum + ids.size, 0);
  if (count === 0) return;
  const remove = l10n.t('Remove Sandbox Items');
  const text =
    count === 1
      ? l10n.t("1 sandbox item is still in the sidebar. Your service doesn't have it.")
      : l10n.t("{0} sandbox items are still in the sidebar. Your service doesn't have them.", count);
  if ((await showInfo(text, remove)) !== remove) return;
  for (const { kind, ids } of leftovers)
    await settings.edit(kind, {}, (lists) => withoutEmpty(removeIds(lists, ids), lists));
}

/** Unsets lists that became empty: an empty list would hide the sandbox's chats when it is used again. */
function withoutEmpty(lists: Lists, before: Lists): Lists {
  const unless = (list: unknown, was: unknown) =>
    Array.isArray(list) && list.length === 0 && list !== was ? undefined : list;
  return { workspace: unless(lists.workspace, before.workspace), user: unless(lists.user, before.user) };
}
