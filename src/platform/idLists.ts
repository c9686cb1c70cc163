/** Lists of IDs as settings hold them, read and edited; whatever else stands in them survives every edit. */
import * as v from 'valibot';
import { trimmedIdentifier } from '../service/fields.ts';

/** The scopes of a list's setting; the first one that has an ID decides its place and label. */
export const SCOPES = ['workspace', 'user'] as const;
type Scope = (typeof SCOPES)[number];

/** A list's setting as it stands in each scope; undefined where it is not set. Anything may stand there. */
export type Lists = { readonly [S in Scope]?: unknown };

/** One ID that a person listed, with a label of their own where they gave one. */
interface Entry {
  readonly id: string;
  readonly label?: string;
  readonly scope: Scope;
}

export interface ParsedList {
  readonly entries: readonly Entry[];
  /** What is no entry, as it stands in the settings. */
  readonly unusable: readonly unknown[];
}

/** One element of a scope's list, whatever it is. */
interface Row {
  readonly scope: Scope;
  readonly raw: unknown;
  readonly entry?: Entry;
  /** Tells it from all others, its like as well, wherever it stands in its scope. */
  readonly key: string;
  /** Whether this is the first row of its ID in all scopes: the one that is shown. */
  readonly isFirst: boolean;
}

const Label = v.pipe(v.string(), v.trim(), v.nonEmpty());
const EntrySchema = v.object({ id: trimmedIdentifier, label: v.fallback(v.optional(Label), undefined) });

/** What is listed: the entries of the workspace, then the user's others; an ID once. */
export function readLists(lists: Lists): ParsedList {
  const rows = rowsOf(lists);
  return {
    entries: rows.flatMap(({ entry, isFirst: leads }) => (entry && leads ? [entry] : [])),
    unusable: rows.flatMap(({ entry, raw }) => (entry ? [] : [raw])),
  };
}

/** Appends those that no scope lists yet: to the user's list, or to the workspace's where only that one is set. */
export function addEntries(lists: Lists, entries: readonly { id: string; label?: string }[]): Lists {
  const rows: Pick<Row, 'scope' | 'raw'>[] = rowsOf(lists);
  const known = listedIds(lists);
  const scope = lists.user === undefined && lists.workspace !== undefined ? 'workspace' : 'user';
  for (const given of entries) {
    const entry = entryOf(given, scope);
    if (!entry || known.has(entry.id)) continue;
    known.add(entry.id);
    rows.push({ scope, raw: withLabel(entry.id, entry.id, entry.label) });
  }
  return withRows(lists, rows);
}

/** Takes IDs away from every scope. */
export function removeIds(lists: Lists, ids: ReadonlySet<string>): Lists {
  return withRows(
    lists,
    rowsOf(lists).filter((row) => !hasIdIn(row, ids)),
  );
}

/** Labels an ID in the scope that decides; without a label, or with an empty one, takes its label away. */
export function setLabel(lists: Lists, id: string, label: string | undefined): Lists {
  const text = label?.trim() || undefined;
  const rows = rowsOf(lists).map((row) => {
    const isIt = row.isFirst && row.entry?.id === id && row.entry.label !== text;
    return isIt ? { ...row, raw: withLabel(row.raw, id, text) } : row;
  });
  return withRows(lists, rows);
}

/**
 * Moves IDs to the place before another, or to the end, as near as their scopes allow: each stays in its own. They
 * keep their order among themselves. Nothing moves where `before` is not listed.
 */
export function moveIds(lists: Lists, ids: ReadonlySet<string>, before: string | undefined): Lists {
  const order = rowsOf(lists).filter(({ isFirst: leads }) => leads);
  const target = before === undefined ? order.length : order.findIndex(({ entry }) => entry?.id === before);
  if (target < 0) return lists;
  const goes = (row: Row) => hasIdIn(row, ids);
  const stays = (row: Row) => !goes(row);
  const [above, below] = [order.slice(0, target), order.slice(target)];
  return reorder(lists, [...above.filter(stays), ...order.filter(goes), ...below.filter(stays)]);
}

/** Moves IDs one step up (-1) or down (1) within their scopes. Those at the end stay, and so do those right behind them. */
export function nudgeIds(lists: Lists, ids: ReadonlySet<string>, by: -1 | 1): Lists {
  const order = SCOPES.flatMap((scope) => {
    const rows = rowsOf(lists).filter((row) => row.isFirst && row.scope === scope);
    return by < 0 ? moveUp(rows, ids) : moveUp(rows.toReversed(), ids).toReversed();
  });
  return reorder(lists, order);
}

/**
 * Undoes a removal: the IDs that `before` has and no scope of `lists` has come back in their scopes, each after what
 * it stood after. `ids`, where given, are the only ones to come back. What was edited since is kept.
 */
export function restoreIds(lists: Lists, before: Lists, ids: ReadonlySet<string> = listedIds(before)): Lists {
  const known = listedIds(lists);
  const now = rowsOf(lists);
  const here = new Set(now.map(({ key: name }) => name));
  /** What comes back, by the name of the row that it comes after, or of its scope where it comes first. */
  const back = new Map<string, Row[]>([...SCOPES, ...here].map((name) => [name, []]));
  const after: Record<Scope, string> = { workspace: 'workspace', user: 'user' };
  for (const row of rowsOf(before)) {
    if (here.has(row.key)) after[row.scope] = row.key;
    else if (hasIdIn(row, ids) && !hasIdIn(row, known)) back.get(after[row.scope])?.push(row);
  }
  const first = SCOPES.flatMap((scope) => back.get(scope) ?? []);
  return withRows(lists, [...first, ...now.flatMap((row) => [row, ...(back.get(row.key) ?? [])])]);
}

/** All rows of all scopes, those of the workspace first. */
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

/** A setting's elements; what is no list counts as its only one. */
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

/** An element with another label or none: as short as the settings allow, but with all else that it holds. */
function withLabel(raw: unknown, id: string, label: string | undefined): unknown {
  const held: Record<string, unknown> = typeof raw === 'object' ? { ...raw } : { id };
  if (label !== undefined) return { ...held, label };
  const { label: _, ...others } = held;
  return Object.keys(others).length > 1 ? others : id;
}

/** One step towards the beginning for each of these IDs that has another before it. */
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
 * The shown rows in another order. In a scope where that is one, they share out their places, and those of their
 * copies there, which come last: one that came before its row would be shown in its stead. All others keep theirs.
 */
function reorder(lists: Lists, order: readonly Row[]): Lists {
  const rows = SCOPES.flatMap((scope) => {
    const stood = rowsOf(lists).filter((row) => row.scope === scope);
    const shown = order.filter((row) => row.scope === scope);
    if (stood.filter(({ isFirst: leads }) => leads).every(({ key: name }, at) => name === shown[at]?.key)) return stood;
    const ids = new Set(shown.map(({ entry }) => entry?.id ?? ''));
    const queue = [...shown, ...stood.filter((row) => !row.isFirst && hasIdIn(row, ids))].values();
    return stood.map((row) => (hasIdIn(row, ids) ? (queue.next().value ?? row) : row));
  });
  return withRows(lists, rows);
}

/** The lists with these rows. A scope whose rows are those it had stays the very same. */
function withRows(lists: Lists, rows: readonly Pick<Row, 'scope' | 'raw'>[]): Lists {
  const changed = SCOPES.flatMap((scope) => {
    const raws = rows.filter((row) => row.scope === scope).map(({ raw }) => raw);
    const stood = elementsOf(lists[scope]);
    const isSame = raws.length === stood.length && raws.every((raw, at) => raw === stood[at]);
    return isSame ? [] : [[scope, raws] as const];
  });
  return changed.length > 0 ? { ...lists, ...Object.fromEntries(changed) } : lists;
}
