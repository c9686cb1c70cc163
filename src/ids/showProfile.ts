/** Shows a group, bot or user in a quick pick: its actions and its details. */
import { commands, l10n } from 'vscode';
import { actionsFor } from '../presentation/card.ts';
import { type KnownNames, nameOrId, otherName, summaryOf } from '../presentation/describe.ts';
import { copyText, type ListItem, pickOne, safeLabel, separator } from '../presentation/dialogs.ts';
import type { Fact } from '../presentation/factParts.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { factsOf, withNames } from '../presentation/facts.ts';
import type { Found, Reference } from '../service/model.ts';

export interface ProfileItem extends ListItem {
  run?(): PromiseLike<unknown>;
}

export interface ProfileOptions {
  readonly id: string;
  /** Names it, and the groups, bots and users that it refers to. */
  readonly known: KnownNames;
  /** Whether it's in the sidebar. */
  readonly isListed: boolean;
  /** Shown after the actions. */
  readonly extraItems?: readonly ProfileItem[];
  /** Shows the group, bot or user that a fact refers to. */
  follow(reference: Reference): PromiseLike<unknown>;
}

/** Resolves when the chosen action is done, or the user cancels. */
export async function showProfile(
  found: Found,
  { id, isListed, extraItems = [], known, follow }: ProfileOptions,
): Promise<void> {
  const reference = { kind: found.kind, id };
  const actions = actionsFor(reference, isListed).map(
    ({ name, icon, label }): ProfileItem => ({
      label: safeLabel(label, icon),
      run: () => commands.executeCommand(`botChats.${name}`, reference),
    }),
  );
  const facts = flatten(withNames(factsOf(found), known)).map(
    ({ label, value, reference: target }): ProfileItem => ({
      label: safeLabel(label, target ? 'arrow-right' : 'blank'),
      description: safeLabel(value.replace(/\s+/g, ' ')),
      run: () => (target ? follow(target) : copyText(value)),
    }),
  );
  const details = separator(l10n.t('Details'));
  const chosen = await pickOne<ProfileItem>([...actions, ...extraItems, details, ...facts], {
    title: joinPhrases(nameOrId(known, found.kind, id), otherName(known, found.kind, id), summaryOf(found)),
    placeHolder: l10n.t('Select an action, or a detail to copy'),
    matchOnDescription: true,
  });
  await chosen?.run?.();
}

/** Facts, each followed by its children. */
function flatten(facts: readonly Fact[], prefix = ''): Fact[] {
  return facts.flatMap((fact) => {
    const label = prefix + fact.label;
    return [...(fact.value ? [{ ...fact, label }] : []), ...flatten(fact.children ?? [], `${label} › `)];
  });
}
