/** Reads and edits lists of IDs in settings. Anything else in them survives every edit. */
import * as v from 'valibot';
import { idInCell } from '../markup/listedId.ts';
import { isPlainObject } from '../service/fields.ts';
import { CHAT_KINDS, type Chat, type Kind } from '../service/model.ts';

/** What lists of each kind are called in settings. */
export const LIST_NAMES = { group: 'groups', bot: 'bots', user: 'people' } as const satisfies Record<Kind, string>;

/** The scopes of a setting. The first one that lists an ID decides its position and label. */
export const SCOPES = ['workspace', 'user'] as const;
type Scope = (typeof SCOPES)[number];

/** The value of a list's setting in each scope; undefined if it isn't set. It may be anything. */
export type Lists = { readonly [S in Scope]?: unknown };

/** A listed ID, with the user's label if there is one. */
interface Entry {
  readonly id: string;
  readonly label?: string;
  readonly scope: Scope;
}

export interface ParsedList {
  readonly entries: readonly Entry[];
  /** Elements that aren't entries, as they are in the settings. */
  readonly unusable: readonly unknown[];
}

/** One element of a scope's list. */
interface Row {
  readonly scope: Scope;
  readonly raw: unknown;
  readonly entry?: Entry;
  /** Identifies the row, even among equal ones. Doesn't depend on its position. */
  readonly key: string;
  /** Whether this is the first row of its ID in all scopes, which is the one that is shown. */
  readonly isFirst: boolean;
}

/**
 * The ID in an element of a list; undefined if it isn't clearly one. A text is read as a cell of a file is, so that the same
 * spelling names the same chat. A number that isn't a safe integer has lost digits.
 */
export function listedId(raw: unknown): string | undefined {
  if (Number.isSafeInteger(raw)) return String(raw);
  const found = typeof raw === 'string' ? idInCell(raw) : undefined;
  return found && 'id' in found ? found.id : undefined;
}

const Label = v.pipe(v.string(), v.trim(), v.nonEmpty());
const EntrySchema = v.object({
  id: v.pipe(
    v.string(),
    v.transform((text) => listedId(text)),
    v.string(),
  ),
  label: v.fallback(v.optional(Label), undefined),
});

/**
 * The groups and people in a setting, which may hold anything: the entries that `read` finds, groups first, and all else that
 * is in it. What stands under a misspelled key would be ignored silently.
 */
export function readChats<E extends { readonly id: string }>(setting: unknown, read: (raw: unknown) => E | undefined) {
  const chats: (E & Chat)[] = [];
  if (!isPlainObject(setting)) return { chats, unusable: [setting] };
  const names: readonly string[] = CHAT_KINDS.map((kind) => LIST_NAMES[kind]);
  const unusable: unknown[] = Object.keys(setting).filter((key) => !names.includes(key));
  for (const kind of CHAT_KINDS) {
    const name = LIST_NAMES[kind];
    const list = setting[name];
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      unusable.push({ [name]: list });
      continue;
    }
    for (const raw of list) {
      const entry = read(raw);
      if (entry) chats.push({ ...entry, kind });
      else unusable.push(raw);
    }
  }
  return { chats, unusable };
}

/** The entries of the workspace, then those of the user, without duplicates. */
export function readLists(lists: Lists): ParsedList {
  const rows = rowsOf(lists);
  return {
    entries: rows.flatMap(({ entry, isFirst }) => (entry && isFirst ? [entry] : [])),
    unusable: rows.flatMap(({ entry, raw }) => (entry ? [] : [raw])),
  };
}

/** Appends entries that no scope lists: to the user's list, or to the workspace's if only that one is set. */
export function addEntries(lists: Lists, entries: readonly { id: string; label?: string }[]): Lists {
  const rows: Pick<Row, 'scope' | 'raw'>[] = rowsOf(lists);
  const known = listedIds(lists);
  const scope = lists.user === undefined && lists.workspace !== undefined ? 'workspace' : 'user';
  for (const newEntry of entries) {
    const entry = entryOf(newEntry, scope);
    if (!entry || known.has(entry.id)) continue;
    known.add(entry.id);
    rows.push({ scope, raw: withLabel(entry.id, entry.id, entry.label) });
  }
  return withRows(lists, rows);
}

/** Removes IDs from every scope. */
export function removeIds(lists: Lists, ids: ReadonlySet<string>): Lists {
  return withRows(
    lists,
    rowsOf(lists).filter((row) => !hasIdIn(row, ids)),
  );
}

/** Sets the label of an ID in the first scope that lists it. An empty label removes it. */
export function setLabel(lists: Lists, id: string, label: string | undefined): Lists {
  const text = label?.trim() || undefined;
  const rows = rowsOf(lists).map((row) => {
    const isTarget = row.isFirst && row.entry?.id === id && row.entry.label !== text;
    return isTarget ? { ...row, raw: withLabel(row.raw, id, text) } : row;
  });
  return withRows(lists, rows);
}

/**
 * Moves IDs before another ID, or to the end. Each stays in its scope, and they keep their order. Changes nothing if
 * `before` isn't listed.
 */
export function moveIds(lists: Lists, ids: ReadonlySet<string>, before: string | undefined): Lists {
  const order = rowsOf(lists).filter(({ isFirst }) => isFirst);
  const target = before === undefined ? order.length : order.findIndex(({ entry }) => entry?.id === before);
  if (target < 0) return lists;
  const isMoved = (row: Row) => hasIdIn(row, ids);
  const isKept = (row: Row) => !isMoved(row);
  const [above, below] = [order.slice(0, target), order.slice(target)];
  return reorder(lists, [...above.filter(isKept), ...order.filter(isMoved), ...below.filter(isKept)]);
}

/** Moves IDs one step up (-1) or down (1) within their scopes. Those at the edge stay, and so do those next to them. */
export function nudgeIds(lists: Lists, ids: ReadonlySet<string>, by: -1 | 1): Lists {
  const order = SCOPES.flatMap((scope) => {
    const rows = rowsOf(lists).filter((row) => row.isFirst && row.scope === scope);
    return by < 0 ? moveUp(rows, ids) : moveUp(rows.toReversed(), ids).toReversed();
  });
  return reorder(lists, order);
}

/**
 * Undoes a removal: restores the `ids` that are in `before` and in no scope of `lists`, each after the row that it
 * followed. Keeps later edits.
 */
export function restoreIds(lists: Lists, before: Lists, ids: ReadonlySet<string> = listedIds(before)): Lists {
  const known = listedIds(lists);
  const current = rowsOf(lists);
  const currentKeys = new Set(current.map(({ key }) => key));
  /** The rows to restore, by the key of the row that they follow, or by scope if they come first. */
  const restored = new Map<string, Row[]>([...SCOPES, ...currentKeys].map((key) => [key, []]));
  const previous: Record<Scope, string> = { workspace: 'workspace', user: 'user' };
  for (const row of rowsOf(before)) {
    if (currentKeys.has(row.key)) previous[row.scope] = row.key;
    else if (hasIdIn(row, ids) && !hasIdIn(row, known)) restored.get(previous[row.scope])?.push(row);
  }
  const first = SCOPES.flatMap((scope) => restored.get(scope) ?? []);
  return withRows(lists, [...first, ...current.flatMap((row) => [row, ...(restored.get(row.key) ?? [])])]);
}

/** The rows of all scopes, those of the workspace first. */
function rowsOf(lists: Lists): Row[] {
  const known = new Set<string>();
  const counts = new Map<string, number>();
  return SCOPES.flatMap((scope) =>
    elementsOf(lists[scope]).map((raw) => {
      const entry = entryOf(raw, scope);
      const isFirst = entry !== undefined && !known.has(entry.id);
      if (entry) known.add(entry.id);
      const what = `${scope} ${entry ? `ID ${entry.id}` : JSON.stringify(raw)}`;
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      return { scope, raw, isFirst, key: `${count} ${what}`, ...(entry && { entry }) };
    }),
  );
}

/** The elements of a setting. A value that isn't a list counts as one element. */
function elementsOf(setting: unknown): readonly unknown[] {
  if (Array.isArray(setting)) return setting;
  return setting === undefined ? [] : [setting];
}

function entryOf(raw: unknown, scope: Scope): Entry | undefined {
  const { success, output } = v.safeParse(EntrySchema, typeof raw === 'string' ? { id: raw } : raw);
  if (!success) return undefined;
  const { id, label } = output;
  return label === undefined ? { id, scope } : { id, label, scope };
}

const listedIds = (lists: Lists) => new Set(rowsOf(lists).flatMap(({ entry }) => (entry ? [entry.id] : [])));
const hasIdIn = ({ entry }: Row, ids: ReadonlySet<string>) => entry !== undefined && ids.has(entry.id);

/** An element with a label or without one. Keeps its other properties; a plain ID if there are none. */
function withLabel(raw: unknown, id: string, label: string | undefined): unknown {
  const properties: Record<string, unknown> = typeof raw === 'object' ? { ...raw } : { id };
  if (label !== undefined) return { ...properties, label };
  const { label: _, ...others } = properties;
  return Object.keys(others).length > 1 ? others : id;
}

/** Moves each of these IDs before the row above it, unless that one is moved, too. */
function moveUp(order: readonly Row[], ids: ReadonlySet<string>): Row[] {
  const result = [...order];
  for (const [at, row] of order.entries()) {
    const above = result[at - 1];
    if (!above || !hasIdIn(row, ids) || hasIdIn(above, ids)) continue;
    result[at - 1] = row;
    result[at] = above;
  }
  return result;
}

/**
 * Reorders the shown rows of each scope, in place. Copies of a row come last: the first one would be shown. All other
 * rows stay where they are.
 */
function reorder(lists: Lists, order: readonly Row[]): Lists {
  const rows = SCOPES.flatMap((scope) => {
    const current = rowsOf(lists).filter((row) => row.scope === scope);
    const shown = order.filter((row) => row.scope === scope);
    if (current.filter(({ isFirst }) => isFirst).every(({ key }, at) => key === shown[at]?.key)) return current;
    const ids = new Set(shown.map(({ entry }) => entry?.id ?? ''));
    const queue = [...shown, ...current.filter((row) => !row.isFirst && hasIdIn(row, ids))].values();
    return current.map((row) => (hasIdIn(row, ids) ? (queue.next().value ?? row) : row));
  });
  return withRows(lists, rows);
}

/** The lists with these rows. An unchanged scope keeps its identity. */
function withRows(lists: Lists, rows: readonly Pick<Row, 'scope' | 'raw'>[]): Lists {
  const changed = SCOPES.flatMap((scope) => {
    const raws = rows.filter((row) => row.scope === scope).map(({ raw }) => raw);
    const current = elementsOf(lists[scope]);
    const isSame = raws.length === current.length && raws.every((raw, at) => raw === current[at]);
    return isSame ? [] : [[scope, raws] as const];
  });
  return changed.length > 0 ? { ...lists, ...Object.fromEntries(changed) } : lists;
}
