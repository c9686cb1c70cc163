/** Adding groups, bots and people to the lists: each is looked up before. */
import { l10n, ProgressLocation, type QuickPickItem, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { isFailure } from '../service/errors.ts';
import type { Found, Kind } from '../service/model.ts';
import { KIND_ICONS, nameOf, summaryOf } from '../words/describe.ts';
import { explain } from '../words/explain.ts';
import { pickLabel } from '../words/pickLabel.ts';
import { signalOf } from '../workbench/cancellation.ts';
import { idsIn } from '../workbench/idsIn.ts';
import { editLists, listOf } from '../workbench/listSettings.ts';
import { added } from '../workbench/lists.ts';
import type { Service } from '../workbench/service.ts';

/** What a lookup said of an ID that is to be added. */
type Candidate = { id: string } & ({ found: Found } | { error: unknown });

interface CandidateItem extends QuickPickItem {
  id?: string;
}

/** Asks for IDs, shows what they belong to, and adds those that the person wants. Resolves to the IDs that were added. */
export async function addRows(kind: Kind, service: Service): Promise<string[]> {
  let typed = '';
  for (;;) {
    const asked = await askIds(kind, typed);
    if (asked === undefined) return [];
    typed = asked;
    const listed = new Set(listOf(kind, service).entries.map(({ id }) => id));
    const ids = idsIn(typed);
    const fresh = ids.filter((id) => !listed.has(id));
    const already = ids.length - fresh.length;
    if (fresh.length === 0) {
      void window.showInformationMessage(allListed(already));
      return ids;
    }
    const chosen = await choose(kind, await lookUp(kind, fresh, service), already);
    if (chosen === 'back') continue;
    if (chosen.length > 0) await addIds(kind, chosen, service);
    return chosen;
  }
}

/** Adds IDs that are known to exist. */
export async function addIds(kind: Kind, ids: readonly string[], service: Service): Promise<void> {
  await editLists(kind, service, (lists) =>
    added(
      lists,
      ids.map((id) => ({ id })),
    ),
  );
}

function askIds(kind: Kind, value: string): Thenable<string | undefined> {
  return window.showInputBox({
    title: titleOf(kind),
    prompt: l10n.t('One ID or many, with blanks or commas between them. Each is looked up before it is added.'),
    placeHolder: '518204736, 524317890',
    value,
    ignoreFocusOut: true,
    validateInput: (text) => (idsIn(text).length > 0 ? undefined : l10n.t('Type or paste at least one ID.')),
  });
}

/** Looks all of them up; what was not answered when the person cancels is a failure like others. */
function lookUp(kind: Kind, ids: readonly string[], { directory }: Service): Thenable<Candidate[]> {
  const title = l10n.t('Looking up');
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (progress, cancellation) => {
      const signal = signalOf(cancellation);
      let done = 0;
      return Promise.all(
        ids.map(async (id): Promise<Candidate> => {
          try {
            return { id, found: await directory.get(kind, id, { signal, accept: 'fresh' }) };
          } catch (error) {
            return { id, error };
          } finally {
            const message = l10n.t('{0} of {1}', ++done, ids.length);
            progress.report({ message, increment: 100 / ids.length });
          }
        }),
      );
    },
  );
}

/** Shows what was found; it is ticked, and what was not found can be ticked all the same. */
async function choose(kind: Kind, candidates: readonly Candidate[], already: number): Promise<string[] | 'back'> {
  const list = window.createQuickPick<CandidateItem>();
  const found = candidates.flatMap((one): CandidateItem[] => ('found' in one ? [foundItem(one.id, one.found)] : []));
  const missing = candidates.filter((one) => 'error' in one && isFailure(one.error, 'notFound'));
  const failed = candidates.filter((one) => 'error' in one && !isFailure(one.error, 'notFound'));
  list.title = titleOf(kind);
  const hint =
    found.length > 0
      ? l10n.t('Enter adds what is ticked')
      : l10n.t('Nothing was found. Tick what you want to add anyway.');
  list.placeholder = already > 0 ? `${hint} · ${alreadyListed(already)}` : hint;
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  const back = { iconPath: new ThemeIcon('edit'), tooltip: l10n.t('Change the IDs') };
  list.buttons = [back];
  list.items = [
    ...section(l10n.t('Found'), found),
    ...section(l10n.t('Does not exist'), missing.map(troubleItem)),
    ...section(l10n.t('Could not be looked up'), failed.map(troubleItem)),
  ];
  list.selectedItems = list.items.filter(({ id, picked }) => id && picked);
  try {
    return await new Promise((resolve) => {
      list.onDidTriggerButton(() => resolve('back'));
      list.onDidAccept(() => resolve(list.selectedItems.flatMap(({ id }) => id ?? [])));
      list.onDidHide(() => resolve([]));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

function section(label: string, items: CandidateItem[]): CandidateItem[] {
  return items.length > 0 ? [{ label, kind: QuickPickItemKind.Separator }, ...items] : [];
}

function foundItem(id: string, found: Found): CandidateItem {
  const description = [id, summaryOf(found)].filter(Boolean).join(' · ');
  return { id, picked: true, label: pickLabel(KIND_ICONS[found.kind], nameOf(found)), description };
}

function troubleItem(candidate: Candidate): CandidateItem {
  const detail = 'error' in candidate ? explain(candidate.error) : '';
  return { id: candidate.id, label: pickLabel('warning', candidate.id), detail };
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
