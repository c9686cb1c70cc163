/** Adds groups, bots and people to the lists after looking them up. */
import { ThemeIcon } from 'vscode';
import { joinShown } from '../markup/escapeInvisible.ts';
import { parseIds } from '../markup/pastedIds.ts';
import { addEntries } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { type CandidateItem, candidateItems, idsProblem } from '../presentation/candidates.ts';
import { askInput, createPicker, showInfo, showUntilChosen } from '../presentation/dialogs.ts';
import { formatCount } from '../presentation/formats.ts';
import { isMissing, type Lookup, lookUp } from '../presentation/lookups.ts';
import { l10n, type ShownText, shownText } from '../presentation/shown.ts';
import { isFailure } from '../service/errors.ts';
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
    let candidates = (await lookUp(wanted, service, lookupOptions())).flat();
    const found = candidates.filter((one) => one.found).map(({ id }) => id);
    let chosen = await choose(kind, candidates, service, listedCount, found);
    while (typeof chosen === 'object' && 'selected' in chosen) {
      candidates = await withOthers(candidates, service);
      chosen = await choose(kind, candidates, service, listedCount, chosen.selected);
    }
    if (chosen === 'back') continue;
    if (chosen.length > 0) await addIds(kind, chosen, service, settings);
    return chosen;
  }
}

const lookupOptions = () => ({ accept: 'fresh', title: l10n.t('Looking up') }) as const;

/** Whether an ID may be that of another kind. Nobody has asked for other kinds, so they aren't looked up by themselves. */
const mayBeOther = (one: Lookup) => isMissing(one) && one.error !== undefined && !one.instead;

/** The candidates; where an ID doesn't exist as this kind, with what has it instead. */
async function withOthers(candidates: readonly Lookup[], service: Service): Promise<Lookup[]> {
  const wanted = candidates.filter(mayBeOther).map(({ id }) => ({ id }));
  const others = new Map((await lookUp(wanted, service, lookupOptions())).flat().map((one) => [one.id, one]));
  return candidates.map((candidate) => {
    const { found, error } = others.get(candidate.id) ?? candidate;
    if (!found) return isFailure(error, 'cancelled') ? candidate : { ...candidate, error };
    // A resource of this kind may have been created meanwhile.
    return { ...candidate, ...(found.kind === candidate.kind ? { found } : { instead: found }) };
  });
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
    placeHolder: shownText`518204736, 524317890`,
    value,
    ignoreFocusOut: true,
    validateInput: idsProblem,
  });
}

/** What the user wants: to add these IDs, to change the typed ones, or to look up other kinds with `selected` kept. */
type Choice = string[] | 'back' | { selected: string[] };

/** Shows the candidates, of which those in `selected` are selected at first. */
function choose(
  kind: Kind,
  candidates: readonly Lookup[],
  { directory }: Service,
  listedCount: number,
  selected: readonly string[],
): Promise<Choice> {
  const list = createPicker<CandidateItem>();
  list.title = titleOf(kind);
  const hint = candidates.some(({ found }) => found)
    ? l10n.t('Select IDs to add, then press Enter')
    : l10n.t('Nothing found. Select any you want to add anyway.');
  list.placeholder = listedCount > 0 ? joinShown([hint, alreadyListed(listedCount)], ' · ') : hint;
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  const back = { iconPath: new ThemeIcon('edit'), tooltip: l10n.t('Edit IDs') };
  const others = { iconPath: new ThemeIcon('search'), tooltip: l10n.t('Look Up as Other Kinds') };
  list.buttons = candidates.some(mayBeOther) ? [others, back] : [back];
  list.items = candidateItems(candidates, directory);
  const atFirst = new Set(selected);
  list.selectedItems = list.items.filter(({ candidate }) => candidate && atFirst.has(candidate.id));
  const chosen = () => list.selectedItems.flatMap(({ candidate }) => candidate?.id ?? []);
  return showUntilChosen<Choice>(list, [], (resolve) => {
    list.onDidTriggerButton((button) => resolve(button === others ? { selected: chosen() } : 'back'));
    list.onDidAccept(() => resolve(chosen()));
  });
}

function allListed(count: number): ShownText {
  return count === 1 ? l10n.t("It's already in the sidebar.") : l10n.t('All of them are already in the sidebar.');
}

function alreadyListed(count: number): ShownText {
  return count === 1
    ? l10n.t('One of them is already in the sidebar.')
    : l10n.t('{0} of them are already in the sidebar.', formatCount(count));
}

function titleOf(kind: Kind): ShownText {
  switch (kind) {
    case 'group':
      return l10n.t('Add Groups');
    case 'bot':
      return l10n.t('Add Bots');
    case 'user':
      return l10n.t('Add People');
  }
}
