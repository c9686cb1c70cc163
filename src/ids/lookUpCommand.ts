/** Looks up IDs that are selected in an editor, or typed, and shows what they belong to. */
import { commands, window } from 'vscode';
import type { Access } from '../connecting/contract.ts';
import { parseIds } from '../markup/pastedIds.ts';
import { type CandidateItem, candidateItems, idsProblem, notFoundText } from '../presentation/candidates.ts';
import { actionsFor } from '../presentation/card.ts';
import { nameOrId, otherName, ownName, summaryOf } from '../presentation/describe.ts';
import {
  askInput,
  copyText,
  createPicker,
  type ListItem,
  listItem,
  pickOne,
  separator,
  showUntilChosen,
} from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { type Fact, joinPhrases } from '../presentation/factParts.ts';
import { factsOf, withNames } from '../presentation/facts.ts';
import { isMissing, type Lookup, lookUp } from '../presentation/lookups.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { isFailure } from '../service/errors.ts';
import type { Found, PossibleReference } from '../service/model.ts';
import type { IdPattern } from './idPattern.ts';
import type { KnownIds, KnownSnapshot } from './knownIds.ts';
import { type IdSelection, insertNames, selectedIds } from './selectedIds.ts';

/** What can be done with what was looked up. */
interface ProfileItem extends ListItem {
  run?(): PromiseLike<unknown>;
}

export class LookUpCommand {
  readonly #access: Pick<Access, 'openService'>;
  readonly #known: KnownIds;
  readonly #pattern: IdPattern;

  constructor(access: Pick<Access, 'openService'>, known: KnownIds, pattern: IdPattern) {
    this.#access = access;
    this.#known = known;
    this.#pattern = pattern;
  }

  /** Looks up the given group, bot or user, or the selected IDs, or asks for IDs. */
  async lookUp(reference?: PossibleReference): Promise<void> {
    if (!(await this.#access.openService())) return;
    const known = await this.#known.read();
    if (!known) return;
    if (reference) return this.#follow(reference, known);
    const editor = window.activeTextEditor;
    const selected = editor && selectedIds(editor, await this.#pattern.matcher(known));
    const ids = selected?.targets.length ? selected.targets.map(({ id }) => id) : await askIds();
    if (ids) await this.#show([...new Set(ids)], known, selected);
  }

  /** `previous` are the results that the user has seen. An ID that wasn't found then is looked up again. */
  async #show(
    ids: readonly string[],
    known: KnownSnapshot,
    selected: IdSelection | undefined,
    previous: readonly Lookup[] = [],
  ): Promise<void> {
    const seen = new Map(previous.flatMap((one) => (one.found ? [[one.id, one] as const] : [])));
    const missing = ids.filter((id) => !seen.has(id));
    const accept = previous.length > 0 ? 'new' : 'remembered';
    const lookedUp = new Map((await this.#lookUp(missing, known, accept)).map((one) => [one.id, one]));
    const candidates = ids.flatMap((id) => seen.get(id) ?? lookedUp.get(id) ?? []);
    const [only, another] = candidates;
    if (only && !another) return this.#showOne(only, known, selected);
    const chosen = await chooseOne(l10n.t('{0} IDs', ids.length), [
      ...editItems(selected, candidates),
      ...candidateItems(candidates, known.service.directory),
    ]);
    if (chosen?.candidate && !chosen.candidate.found) return this.#show(ids, known, selected, candidates);
    if (chosen?.candidate) await this.#showOne(chosen.candidate, known, selected);
    await chosen?.run?.();
  }

  /** @throws UserFacingError if the ID isn't found, or the error of the lookup */
  async #showOne({ id, found, error }: Lookup, known: KnownSnapshot, selected: IdSelection | undefined): Promise<void> {
    if (isFailure(error, 'cancelled')) return;
    if (error) throw error;
    if (!found) throw new UserFacingError(notFoundText(id));
    const targets = selected?.targets.filter((target) => target.id === id) ?? [];
    await this.#showProfile(found, id, known, selected ? editItems({ ...selected, targets }, [{ id, found }]) : []);
  }

  /** Shows the actions and details of a group, bot or user. Resolves when the chosen action is done, or the user cancels. */
  async #showProfile(found: Found, id: string, known: KnownSnapshot, edits: readonly ProfileItem[]): Promise<void> {
    const { directory } = known.service;
    const reference = { kind: found.kind, id };
    const actions = actionsFor(reference, known.listed.has(id)).map(
      ({ name, icon, label }): ProfileItem =>
        listItem({ icon, label, run: () => commands.executeCommand(`botChats.${name}`, reference) }),
    );
    const facts = flatten(withNames(factsOf(found), directory)).map(
      ({ label, value, reference: target }): ProfileItem =>
        listItem({
          icon: target ? 'arrow-right' : 'blank',
          label,
          description: value.replace(/\s+/g, ' '),
          run: () => (target ? this.#follow(target, known) : copyText(value)),
        }),
    );
    const details = separator(l10n.t('Details'));
    const chosen = await pickOne<ProfileItem>([...actions, ...edits, details, ...facts], {
      title: joinPhrases(nameOrId(directory, found.kind, id), otherName(directory, found.kind, id), summaryOf(found)),
      placeHolder: l10n.t('Select an action, or a detail to copy'),
      matchOnDescription: true,
    });
    await chosen?.run?.();
  }

  async #follow({ kind, id }: PossibleReference, known: KnownSnapshot): Promise<void> {
    const [candidate] = kind
      ? (await lookUp([{ id, kinds: [kind] }], known.service, { title: l10n.t('Looking up') })).flat()
      : await this.#lookUp([id], known);
    if (candidate) await this.#showOne(candidate, known, undefined);
  }

  async #lookUp(
    ids: readonly string[],
    { service, kindOf }: KnownSnapshot,
    accept: 'remembered' | 'new' = 'remembered',
  ): Promise<readonly Lookup[]> {
    const wanted = ids.map((id) => {
      const kind = kindOf(id);
      return { id, kinds: kind && [kind] };
    });
    const options = { accept, title: l10n.t('Looking up') };
    const results = (await lookUp(wanted, service, options)).flat();
    // An ID in a list or a draft may be that of another kind.
    const missing = results.filter((one) => one.kind && isMissing(one)).map(({ id }) => ({ id }));
    const others = new Map((await lookUp(missing, service, options)).flat().map((one) => [one.id, one]));
    return results.map((one) => others.get(one.id) ?? one);
  }
}

/** Items that insert the service's names, since others read the document, if any ID has a name. */
function editItems(selected: IdSelection | undefined, candidates: readonly Lookup[]): ProfileItem[] {
  const named = candidates.flatMap(({ id, found }): [string, string][] => (found ? [[id, ownName(found)]] : []));
  const names = new Map(named.filter(([id, name]) => name !== id));
  if (!selected?.targets.some(({ id }) => names.has(id))) return [];
  const isOne = selected.targets.length === 1;
  return [
    listItem({
      icon: 'replace',
      label: isOne ? l10n.t('Replace with Name') : l10n.t('Replace with Names'),
      run: () => insertNames(selected, names, 'replace'),
    }),
    listItem({
      icon: 'tag',
      label: isOne ? l10n.t('Add Name After') : l10n.t('Add Names After'),
      run: () => insertNames(selected, names, 'annotate'),
    }),
  ];
}

type ResultItem = CandidateItem & ProfileItem;

/** Enter shows the first candidate, and edits nothing. */
function chooseOne(title: ShownText, items: readonly ResultItem[]): Promise<ResultItem | undefined> {
  const list = createPicker<ResultItem>();
  list.title = title;
  list.placeholder = l10n.t('Select an ID to see its details');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.items = items;
  list.activeItems = items.filter(({ candidate }) => candidate).slice(0, 1);
  return showUntilChosen<ResultItem | undefined>(list, undefined, (choose) =>
    list.onDidAccept(() => choose(list.selectedItems[0])),
  );
}

async function askIds(): Promise<string[] | undefined> {
  const typed = await askInput({
    title: l10n.t('Look Up ID'),
    prompt: l10n.t('Enter the IDs of people, bots, or groups, separated by spaces or commas.'),
    ignoreFocusOut: true,
    validateInput: idsProblem,
  });
  return typed === undefined ? undefined : parseIds(typed);
}

/** Facts, each followed by its children. */
function flatten(facts: readonly Fact[], prefix = ''): Fact[] {
  return facts.flatMap((fact) => {
    const label = prefix + fact.label;
    return [...(fact.value ? [{ ...fact, label }] : []), ...flatten(fact.children ?? [], `${label} › `)];
  });
}
