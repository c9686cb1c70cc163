/** What the sandbox leaves behind: its chats stay in the person's lists once they were edited there. */
import { l10n } from 'vscode';
import { type Lists, readLists, removed } from '../platform/idLists.ts';
import { editLists, listsOf } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { showInfo } from '../presentation/dialogs.ts';

const KINDS = ['group', 'bot', 'user'] as const;

/** Offers to take the sandbox's own chats out of the lists, where another service is used from now on. */
export async function offerToRemoveLeftovers(sandbox: NonNullable<Service['sandbox']>): Promise<void> {
  const leftovers = KINDS.map((kind) => {
    const own = new Set(sandbox[kind]);
    const ids = readLists(listsOf(kind, {})).entries.map(({ id }) => id);
    return { kind, ids: new Set(ids.filter((id) => own.has(id))) };
  });
  const count = leftovers.reduce((sum, { ids }) => sum + ids.size, 0);
  if (count === 0) return;
  const remove = l10n.t('Remove Them');
  const text = l10n.t(
    'The sidebar still lists what the sandbox came with ({0}). Your service will not know it.',
    count,
  );
  if ((await showInfo(text, remove)) !== remove) return;
  for (const { kind, ids } of leftovers) await editLists(kind, {}, (lists) => withoutEmpty(removed(lists, ids), lists));
}

/** A list that became empty would keep the sandbox from showing its own chats again: its setting is taken away. */
function withoutEmpty(lists: Lists, before: Lists): Lists {
  const unless = (list: unknown, was: unknown) =>
    Array.isArray(list) && list.length === 0 && list !== was ? undefined : list;
  return { workspace: unless(lists.workspace, before.workspace), user: unless(lists.user, before.user) };
}
