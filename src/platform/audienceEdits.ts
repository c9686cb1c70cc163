/** Edits audiences in the scopes of their setting. Anything else in it survives every edit. */
import { isPlainObject } from '../service/fields.ts';
import { CHAT_KINDS, type Chat } from '../service/model.ts';
import { LIST_NAMES, type Lists, listedId, SCOPES } from './idLists.ts';

type Scope = (typeof SCOPES)[number];
type Values = Readonly<Record<string, unknown>>;

/** The scopes that define an audience. VS Code merges them; the first one that has a list decides it. */
const scopesOf = (settings: Lists, name: string): Scope[] =>
  SCOPES.filter((scope) => Object.hasOwn(valuesOf(settings[scope]), name));

/** Appends chats to an audience that doesn't have them. Creates it in the user settings if there is none. */
export function addMembers(settings: Lists, name: string, chats: readonly Chat[]): Lists {
  const defined = scopesOf(settings, name).length > 0 ? settings : setMembers(settings, name, []);
  return withMembers(defined, name, (raws, kind) => {
    const listed = new Set(raws.map(listedId));
    return [...raws, ...idsOf(chats, kind).filter((id) => !listed.has(id))];
  });
}

/** Removes chats from an audience. */
export function removeMembers(settings: Lists, name: string, chats: readonly Chat[]): Lists {
  return withMembers(settings, name, (raws, kind) => {
    const removed = new Set<string | undefined>(idsOf(chats, kind));
    return raws.filter((raw) => !removed.has(listedId(raw)));
  });
}

/** Replaces an audience where it is defined first, or creates it in the user settings. */
export function setMembers(settings: Lists, name: string, chats: readonly Chat[]): Lists {
  const [scope = 'user'] = scopesOf(settings, name);
  return withEntry(settings, scope, name, { groups: idsOf(chats, 'group'), people: idsOf(chats, 'user') });
}

/** Renames an audience in every scope, in its place. */
export function renameAudience(settings: Lists, name: string, newName: string): Lists {
  return editScopes(settings, name, (entry) => [[newName, entry[1]]]);
}

/** Removes an audience from every scope. */
export const removeAudience = (settings: Lists, name: string): Lists => editScopes(settings, name, () => []);

/** Undoes a removal: restores an audience of `before` in its place, unless there is one of its name. Keeps later edits. */
export function restoreAudience(settings: Lists, before: Lists, name: string): Lists {
  if (scopesOf(settings, name).length > 0) return settings;
  return scopesOf(before, name).reduce((result, scope) => {
    const [old, now] = [valuesOf(before[scope]), valuesOf(settings[scope])];
    const order = new Set([...Object.keys(old), ...Object.keys(now)]);
    const entries = [...order].flatMap((key) => {
      if (key === name) return [[key, old[key]] as const];
      return Object.hasOwn(now, key) ? [[key, now[key]] as const] : [];
    });
    return withEntries(result, scope, entries);
  }, settings);
}

/** Edits each list of IDs of an audience in the scope that decides it. An unchanged scope keeps its identity. */
function withMembers(
  settings: Lists,
  name: string,
  edit: (raws: readonly unknown[], kind: Chat['kind']) => readonly unknown[],
): Lists {
  return CHAT_KINDS.reduce((result, kind) => {
    const scopes = scopesOf(result, name);
    const listOf = (scope: Scope) => valuesOf(valuesOf(result[scope])[name])[LIST_NAMES[kind]];
    const scope = scopes.find((one) => listOf(one) !== undefined) ?? scopes[0];
    if (!scope) return result;
    const list = listOf(scope);
    const raws = Array.isArray(list) ? list : [];
    const edited = edit(raws, kind);
    if (edited.length === raws.length) return result;
    return withEntry(result, scope, name, { ...valuesOf(valuesOf(result[scope])[name]), [LIST_NAMES[kind]]: edited });
  }, settings);
}

/** Replaces the entry of an audience in every scope that has it. */
function editScopes(
  settings: Lists,
  name: string,
  replace: (entry: readonly [string, unknown]) => (readonly [string, unknown])[],
): Lists {
  return scopesOf(settings, name).reduce((result, scope) => {
    const entries = Object.entries(valuesOf(settings[scope]));
    return withEntries(
      result,
      scope,
      entries.flatMap((entry) => (entry[0] === name ? replace(entry) : [entry])),
    );
  }, settings);
}

/** Sets an audience in a scope, in its place or at the end. */
const withEntry = (settings: Lists, scope: Scope, name: string, audience: Values) =>
  withEntries(settings, scope, [...new Map([...Object.entries(valuesOf(settings[scope])), [name, audience]])]);

/** `__proto__` may be a name, and an assignment would set the prototype. */
const withEntries = (settings: Lists, scope: Scope, entries: readonly (readonly [string, unknown])[]): Lists => ({
  ...settings,
  [scope]: Object.fromEntries(entries),
});

const valuesOf = (value: unknown): Values => (isPlainObject(value) ? value : {});

/** The IDs of the chats of a type, without duplicates. */
const idsOf = (chats: readonly Chat[], kind: Chat['kind']) => [
  ...new Set(chats.filter((chat) => chat.kind === kind).map(({ id }) => id)),
];
