/**
 * The *Do Not Send* list in the user settings: groups and people that get no message, each with a note if there is one. Read
 * at each use. A workspace can't change it.
 */
import * as v from 'valibot';
import { workspace } from 'vscode';
import { isPlainObject } from '../service/fields.ts';
import { CHAT_KINDS, type Chat, chatKey, chatsAmong } from '../service/model.ts';
import type { SettingName } from './configuration.ts';
import { LIST_NAMES, listedId, readChats } from './idLists.ts';
import { ScopedSetting } from './scopedSetting.ts';

export const NEVER = 'botChats.sending.never' satisfies SettingName;

/** Chats by {@link chatKey}, each with a note, which may be empty. */
export type Notes = ReadonlyMap<string, string>;

export interface ParsedNever {
  /** The chats of the entries that can be read, groups first and without duplicates. */
  readonly chats: readonly Chat[];
  /** The notes on these chats. */
  readonly notes: Notes;
  /** The entries that can't be read. As long as there are any, nobody knows who is on the list. */
  readonly unusable: readonly unknown[];
}

/** An entry with a note. It's strict, because what stands under a misspelled key would be ignored silently. */
const NotedEntry = v.strictObject({
  id: v.pipe(v.unknown(), v.transform(listedId), v.string()),
  note: v.optional(v.pipe(v.string(), v.trim()), ''),
});

export class NeverList {
  readonly #setting = new ScopedSetting(NEVER);
  #last: { readonly json: string | undefined; readonly parsed: ParsedNever } | undefined;

  /** The list as it is now. It's parsed if its JSON has changed: VS Code makes a copy each time, and its event may come late. */
  read(): ParsedNever {
    const setting: unknown = workspace.getConfiguration().get(NEVER);
    // VS Code's proxy would copy all settings when it's serialized.
    const copy = isPlainObject(setting) ? { ...setting } : setting;
    const json = JSON.stringify(copy);
    if (!this.#last || json !== this.#last.json) this.#last = { json, parsed: parseNever(copy) };
    return this.#last.parsed;
  }

  /** Whether the list can be edited: not if the setting holds something else than lists, which would be overwritten. */
  get isEditable(): boolean {
    const setting = workspace.getConfiguration().get(NEVER);
    return isPlainObject(setting) && CHAT_KINDS.every((kind) => isList(setting[LIST_NAMES[kind]]));
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
  const { chats, unusable } = readChats(setting === undefined ? {} : setting, entryOf);
  const notes = new Map<string, string>();
  for (const chat of chats) {
    const key = chatKey(chat);
    // A chat that is listed twice has its first note.
    notes.set(key, notes.get(key) || chat.note);
  }
  return { chats: chatsAmong(chats), notes, unusable };
}

/** Anything else in the setting stays as it is. A value that isn't a list of this kind isn't replaced. */
export function addNever(setting: unknown, chats: readonly Chat[], note: string): unknown {
  const text = note.trim();
  const withNote = (id: string) => (text ? { id, note: text } : id);
  return editLists(setting, (list, kind) => {
    const wanted = new Set(chats.filter((one) => one.kind === kind).map(({ id }) => id));
    const kept = list.map((raw) => {
      const id = entryOf(raw)?.id;
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
      const id = entryOf(raw)?.id;
      return id === undefined || !removed.has(chatKey({ kind, id }));
    }),
  );
}

function editLists(setting: unknown, edit: (list: readonly unknown[], kind: Chat['kind']) => unknown[]): unknown {
  if (setting !== undefined && !isPlainObject(setting)) return setting;
  const values: Record<string, unknown> = { ...setting };
  for (const kind of CHAT_KINDS) {
    const { [LIST_NAMES[kind]]: list = [] } = values;
    if (!Array.isArray(list)) continue;
    const edited = edit(list, kind);
    if (edited.length > 0 || list.length > 0) values[LIST_NAMES[kind]] = edited;
  }
  return values;
}

const isList = (value: unknown) => value === undefined || Array.isArray(value);

/** What an element of a list says: an ID, or one with a note; undefined if it's neither. */
function entryOf(raw: unknown): { id: string; note: string } | undefined {
  const id = listedId(raw);
  if (id !== undefined) return { id, note: '' };
  const { success, output } = v.safeParse(NotedEntry, raw);
  return success ? output : undefined;
}
