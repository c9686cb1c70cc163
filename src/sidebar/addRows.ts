/** Adds groups, bots and people to the lists after looking them up. */
import { l10n, ThemeIcon } from 'vscode';
import { parseIds } from '../markup/pastedIds.ts';
import { addEntries } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { type CandidateItem, candidateItems, idsProblem } from '../presentation/candidates.ts';
import { askInput, createPicker, showInfo, showUntilChosen } from '../presentation/dialogs.ts';
import { formatCount } from '../presentation/formats.ts';
import { type Lookup, lookUp } from '../presentation/lookups.ts';
import type { Kind } from '../service/model.ts';

/** Asks for IDs, shows what was found, and adds those that the user selects. Resolves to the added IDs. */
export async function addRows(kind: Kind, service: Service, settings: ListSettings): Promise<string[]> {
  let typed = '';
  for (;;) {
    const input = await askIds(kind, typed);
    if (input === undefined) return [];
    typed = input;
    const listed = new Set(settings.read(kind, service).entries.map(({ id }) => id));
    const ids = parseIds(typed);
    const unlisted = ids.filter((id) => !listed.has(id));
    const listedCount = ids.length - unlisted.length;
    if (unlisted.length === 0) {
      void showInfo(allListed(listedCount));
      return ids;
    }
    const wanted = unlisted.map((id) => ({ id, kinds: [kind] }));
    const candidates = await lookUp(wanted, service, { accept: 'fresh', title: l10n.t('Looking up') });
    const chosen = await choose(kind, candidates.flat(), listedCount);
    if (chosen === 'back') continue;
    if (chosen.length > 0) await addIds(kind, chosen, service, settings);
    return chosen;
  }
}

/** Adds IDs without looking them up. */
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
    prompt: l10n.t("Enter one or more IDs, separated by spaces or commas. Each is looked up before it's added."),
    placeHolder: '518204736, 524317890',
    value,
    ignoreFocusOut: true,
    validateInput: idsProblem,
  });
}

/** Shows the candidates. Those that were found are selected; the others can be. */
function choose(kind: Kind, candidates: readonly Lookup[], listedCount: number): Promise<string[] | 'back'> {
  const list = createPicker<CandidateItem>();
  list.title = titleOf(kind);
  const hint = candidates.some(({ found }) => found)
    ? l10n.t('Select IDs to add, then press Enter')
    : l10n.t('Nothing found. Select any you want to add anyway.');
  list.placeholder = listedCount > 0 ? `${hint} · ${alreadyListed(listedCount)}` : hint;
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  const back = { iconPath: new ThemeIcon('edit'), tooltip: l10n.t('Edit IDs') };
  list.buttons = [back];
  list.items = candidateItems(candidates);
  list.selectedItems = list.items.filter(({ candidate }) => candidate?.found);
  return showUntilChosen<string[] | 'back'>(list, [], (resolve) => {
    list.onDidTriggerButton(() => resolve('back'));
    list.onDidAccept(() => resolve(list.selectedItems.flatMap(({ candidate }) => candidate?.id ?? [])));
  });
}

function allListed(count: number): string {
  return count === 1 ? l10n.t("It's already in the sidebar.") : l10n.t('All of them are already in the sidebar.');
}

function alreadyListed(count: number): string {
  return count === 1
    ? l10n.t('One of them is already in the sidebar.')
    : l10n.t('{0} of them are already in the sidebar.', formatCount(count));
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
