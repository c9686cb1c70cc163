/**
 * The *Do Not Send* list in the user settings: groups and people that get no message, each with a note if there is one. Read
 * at each use. A workspace can't change it.
 */
import * as v from 'valibot';
import { workspace } from 'vscode';
import { isPlainObject, settingIdentifier } from '../service/fields.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../service/model.ts';
import { LIST_NAMES } from './idLists.ts';
import { ScopedSetting } from './scopedSetting.ts';
import type { SettingName } from './settings.ts';

export const NEVER = 'botChats.sending.never' satisfies SettingName;

/** Chats by {@link chatKey}, each with a note, which may be empty. */
export type Notes = ReadonlyMap<string, string>;

export interface ParsedNever {
  /** The entries that can be read. */
  readonly notes: Notes;
  /** Those that can't, as JSON. Until there are none, nobody knows who is on the list. */
  readonly unusable: readonly string[];
}

const NAMES: readonly string[] = CHAT_KINDS.map((kind) => LIST_NAMES[kind]);
const Note = v.optional(v.pipe(v.string(), v.trim()), '');
/** An ID, or one with a note. Strict: what stands under a misspelled key would be ignored silently. */
const Entry = v.union([
  v.pipe(
    settingIdentifier,
    v.transform((id) => ({ id, note: '' })),
  ),
  v.strictObject({ id: settingIdentifier, note: Note }),
]);

export class NeverList {
  readonly #setting = new ScopedSetting(NEVER);

  read(): ParsedNever {
    return parseNever(workspace.getConfiguration().get(NEVER));
  }

  /** False if the setting holds something else than lists. Nothing of it is overwritten. */
  get isEditable(): boolean {
    const setting = workspace.getConfiguration().get(NEVER);
    if (setting === undefined) return true;
    return isPlainObject(setting) && NAMES.every((key) => Array.isArray(setting[key] ?? []));
  }

  /** Puts chats on the list, or changes the note of those that are on it. @throws VS Code's own error */
  add(chats: readonly Chat[], note = ''): Promise<void> {
    return this.#edit((value) => addNever(value, chats, note));
  }

  /** Takes chats off the list. @throws VS Code's own error */
  remove(chats: readonly Chat[]): Promise<void> {
    return this.#edit((value) => removeNever(value, chats));
  }

  async #edit(edit: (value: unknown) => unknown): Promise<void> {
    await this.#setting.edit((scopes) => ({ ...scopes, user: edit(scopes.user) }));
  }
}

/** The entries of the setting, which may hold anything. */
export function parseNever(setting: unknown): ParsedNever {
  const notes = new Map<string, string>();
  if (setting === undefined) return { notes, unusable: [] };
  if (!isPlainObject(setting)) return { notes, unusable: [jsonOf(setting)] };
  const unusable = Object.keys(setting)
    .filter((key) => !NAMES.includes(key))
    .map(jsonOf);
  for (const kind of CHAT_KINDS) {
    const list = setting[LIST_NAMES[kind]] ?? [];
    if (!Array.isArray(list)) unusable.push(jsonOf({ [LIST_NAMES[kind]]: list }));
    else
      for (const raw of list) {
        const { success, output } = v.safeParse(Entry, raw);
        if (!success) {
          unusable.push(jsonOf(raw));
          continue;
        }
        const key = chatKey({ kind, id: output.id });
        // Who is listed twice has the first note.
        notes.set(key, notes.get(key) || output.note);
      }
  }
  return { notes, unusable };
}

/** Anything else in the setting stays as it is. A value that isn't a list of this kind isn't replaced. */
export function addNever(setting: unknown, chats: readonly Chat[], note: string): unknown {
  const text = note.trim();
  const withNote = (id: string) => (text ? { id, note: text } : id);
  return editLists(setting, (list, kind) => {
    const wanted = new Set(chats.filter((one) => one.kind === kind).map(({ id }) => id));
    const kept = list.map((raw) => {
      const id = idOf(raw);
      const isFirst = id !== undefined && wanted.delete(id);
      return isFirst ? withNote(id) : raw;
    });
    return [...kept, ...[...wanted].map(withNote)];
  });
}

export function removeNever(setting: unknown, chats: readonly Chat[]): unknown {
  const removed = new Set(chats.map(chatKey));
  return editLists(setting, (list, kind) =>
    list.filter((raw) => {
      const id = idOf(raw);
      return id === undefined || !removed.has(chatKey({ kind, id }));
    }),
  );
}

function editLists(setting: unknown, edit: (list: readonly unknown[], kind: Chat['kind']) => unknown[]): unknown {
  if (setting !== undefined && !isPlainObject(setting)) return setting;
  const values: Record<string, unknown> = { ...setting };
  for (const kind of CHAT_KINDS) {
    const list = values[LIST_NAMES[kind]] ?? [];
    if (!Array.isArray(list)) continue;
    const edited = edit(list, kind);
    if (edited.length > 0 || list.length > 0) values[LIST_NAMES[kind]] = edited;
  }
  return values;
}

const jsonOf = (value: unknown) => JSON.stringify(value) ?? String(value);

function idOf(raw: unknown): string | undefined {
  const entry = v.safeParse(Entry, raw);
  return entry.success ? entry.output.id : undefined;
}
