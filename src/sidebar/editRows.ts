/** Edits the lists: removes, renames and moves rows. */
import { l10n } from 'vscode';
import { moveIds, nudgeIds, readLists, removeIds, restoreIds, setLabel } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import { askInput } from '../presentation/dialogs.ts';
import type { Kind } from '../service/model.ts';
import { dropTarget } from './rowOrder.ts';
import type { ChatRow } from './rows.ts';

/** Removes rows from the lists. Resolves to a function that restores them. */
export async function removeRows(
  rows: readonly ChatRow[],
  service: Service,
  settings: ListSettings,
): Promise<() => Promise<void>> {
  const undos: (() => Promise<unknown>)[] = [];
  for (const [kind, ids] of byKind(rows)) {
    const { before } = await settings.edit(kind, service, (lists) => removeIds(lists, ids));
    undos.push(() => settings.edit(kind, service, (now) => restoreIds(now, before, ids)));
  }
  return async () => {
    for (const undo of undos) await undo();
  };
}

/** Asks for the user's own name for a row and saves it. */
export async function relabelRow(
  row: ChatRow,
  service: Service,
  settings: ListSettings,
  name: string,
  label: string | undefined,
): Promise<void> {
  const input = await askInput({
    title: l10n.t('Rename'),
    prompt: l10n.t('Enter your own name for {0}, which is never sent. Leave it empty to show the original name.', name),
    value: label ?? '',
    placeHolder: name,
  });
  if (input === undefined) return;
  await settings.edit(row.kind, service, (lists) => setLabel(lists, row.id, input.trim() || undefined));
}

/** Moves rows up (-1) or down (1) by one. */
export async function nudgeRows(
  rows: readonly ChatRow[],
  service: Service,
  settings: ListSettings,
  by: -1 | 1,
): Promise<void> {
  for (const [kind, ids] of byKind(rows)) await settings.edit(kind, service, (lists) => nudgeIds(lists, ids, by));
}

/** Moves the rows of a kind to the position of a target, or to the end of their list. */
export async function moveRows(
  rows: readonly ChatRow[],
  kind: Kind,
  target: ChatRow | undefined,
  service: Service,
  settings: ListSettings,
): Promise<void> {
  const ids = byKind(rows).get(kind);
  if (!ids) return;
  await settings.edit(kind, service, (lists) => {
    const listed = readLists(lists).entries.map(({ id }) => id);
    return moveIds(lists, ids, target && dropTarget(listed, ids, target.id));
  });
}

function byKind(rows: readonly ChatRow[]): Map<Kind, Set<string>> {
  const kinds = new Map<Kind, Set<string>>();
  for (const { kind, id } of rows) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(id));
  return kinds;
}
