/** The card of a group, bot or user as a list to act on: what can be done with it, and all that is known of it. */
import { commands, env, l10n } from 'vscode';
import { displayName, summaryOf } from '../presentation/describe.ts';
import { type ListItem, pickOne, safeLabel, separator } from '../presentation/dialogs.ts';
import type { Fact } from '../presentation/factParts.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { factsOf } from '../presentation/facts.ts';
import type { Found, Reference } from '../service/model.ts';
import { actionsFor } from './idActions.ts';

export interface ProfileItem extends ListItem {
  run?(): PromiseLike<unknown>;
}

export interface ProfileOptions {
  readonly id: string;
  /** As what it is in the sidebar, if it is. */
  readonly listed: { readonly label?: string } | undefined;
  /** More that can be done here. */
  readonly extraItems?: readonly ProfileItem[];
  /** Shows whom a fact names. */
  follow(reference: Reference): PromiseLike<unknown>;
}

/** Shows it until the person has chosen what to do, or has left. */
export async function showProfile(
  found: Found,
  { id, listed, extraItems: more = [], follow }: ProfileOptions,
): Promise<void> {
  const reference = { kind: found.kind, id };
  const actions = actionsFor(reference, listed !== undefined).map(
    ({ command, icon, label }): ProfileItem => ({
      label: safeLabel(label, icon),
      run: () => commands.executeCommand(command, reference),
    }),
  );
  const facts = flatten(factsOf(found)).map(
    ({ label, value, reference: leads }): ProfileItem => ({
      label: safeLabel(label, leads ? 'arrow-right' : 'blank'),
      description: safeLabel(value.replace(/\s+/g, ' ')),
      run: () => (leads ? follow(leads) : env.clipboard.writeText(value)),
    }),
  );
  const details = separator(l10n.t('Details'));
  const chosen = await pickOne<ProfileItem>([...actions, ...more, details, ...facts], {
    title: joinPhrases(listed?.label, displayName(found), summaryOf(found)),
    placeHolder: l10n.t('Choose what to do, or a detail to copy'),
    matchOnDescription: true,
  });
  await chosen?.run?.();
}

/** Facts with those that they consist of behind them. */
function flatten(facts: readonly Fact[], above = ''): Fact[] {
  return facts.flatMap((fact) => {
    const label = above + fact.label;
    return [...(fact.value ? [{ ...fact, label }] : []), ...flatten(fact.children ?? [], `${label} › `)];
  });
}
