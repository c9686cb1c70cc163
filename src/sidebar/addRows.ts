/** Adding groups, bots and people to the lists: each is looked up before. */
import { l10n, ThemeIcon } from 'vscode';
import { addEntries } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { type Candidate, type CandidateItem, candidateItems, lookUpAll } from '../presentation/candidates.ts';
import { askInput, createPicker, showInfo } from '../presentation/dialogs.ts';
import { parseIds } from '../service/fields.ts';
import type { Kind } from '../service/model.ts';

/** Asks for IDs, shows what they belong to, and adds those that the person wants. Resolves to the IDs that were added. */
export async function addRows(kind: Kind, service: Service, settings: ListSettings): Promise<string[]> {
  let typed = '';
  for (;;) {
    const asked = await askIds(kind, typed);
    if (asked === undefined) return [];
    typed = asked;
    const listed = new Set(settings.read(kind, service).entries.map(({ id }) => id));
    const ids = parseIds(typed);
    const fresh = ids.filter((id) => !listed.has(id));
    const already = ids.length - fresh.length;
    if (fresh.length === 0) {
      void showInfo(allListed(already));
      return ids;
    }
    const look = (id: string, signal: AbortSignal) => service.directory.get(kind, id, { signal, accept: 'fresh' });
    const chosen = await choose(kind, await lookUpAll(fresh, look), already);
    if (chosen === 'back') continue;
    if (chosen.length > 0) await addIds(kind, chosen, service, settings);
    return chosen;
  }
}

/** Adds IDs that are known to exist. */
export async function addIds(
  kind: Kind,
  ids: readonly string[],
  service: Service,
  settings: ListSettings,
): Promise<void> {
  await settings.edit(kind, service, (lists) =>
    addEntries(
      lists,
      ids.map((id) => ({ id })),
    ),
  );
}

function askIds(kind: Kind, value: string): Thenable<string | undefined> {
  return askInput({
    title: titleOf(kind),
    prompt: l10n.t('One ID or many, with blanks or commas between them. Each is looked up before it is added.'),
    placeHolder: '518204736, 524317890',
    value,
    ignoreFocusOut: true,
    validateInput: (text) => (parseIds(text).length > 0 ? undefined : l10n.t('Type or paste at least one ID.')),
  });
}

/** Shows what was found; it is ticked, and what was not found can be ticked all the same. */
async function choose(kind: Kind, candidates: readonly Candidate[], already: number): Promise<string[] | 'back'> {
  const list = createPicker<CandidateItem>();
  list.title = titleOf(kind);
  const hint = candidates.some(({ found }) => found)
    ? l10n.t('Enter adds what is ticked')
    : l10n.t('Nothing was found. Tick what you want to add anyway.');
  list.placeholder = already > 0 ? `${hint} · ${alreadyListed(already)}` : hint;
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  const back = { iconPath: new ThemeIcon('edit'), tooltip: l10n.t('Change the IDs') };
  list.buttons = [back];
  list.items = candidateItems(candidates);
  list.selectedItems = list.items.filter(({ candidate }) => candidate?.found);
  try {
    return await new Promise((resolve) => {
      list.onDidTriggerButton(() => resolve('back'));
      list.onDidAccept(() => resolve(list.selectedItems.flatMap(({ candidate }) => candidate?.id ?? [])));
      list.onDidHide(() => resolve([]));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

function allListed(count: number): string {
  return count === 1 ? l10n.t('It is in the sidebar already.') : l10n.t('All of them are in the sidebar already.');
}

function alreadyListed(count: number): string {
  return count === 1
    ? l10n.t('One of them is in the sidebar already.')
    : l10n.t('{0} of them are in the sidebar already.', count);
}

function titleOf(kind: Kind): string {
  switch (kind) {
    case 'group':
      return l10n.t('Add Groups');
    case 'bot':
      return l10n.t('Add Bots');
    case 'user':
      return l10n.t('Add People');
  }
}
