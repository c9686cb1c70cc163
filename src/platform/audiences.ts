/** Audiences: named lists of recipients in the settings, read at each use. */
import { workspace } from 'vscode';
import { isPlainObject } from '../service/fields.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { setMembers } from './audienceEdits.ts';
import type { SettingName } from './configuration.ts';
import { type Lists, listedId, readChats, SCOPES } from './idLists.ts';
import { InvalidSettingError, ScopedSetting } from './scopedSetting.ts';

/** How many chats may be added to an audience: more make VS Code's settings slow. A longer one in the settings is read. */
export const MAX_MEMBERS = 10_000;

export const AUDIENCES = 'botChats.audiences' satisfies SettingName;

export interface ParsedAudiences {
  /** The chats of each audience, by its name: groups first, without duplicates. */
  audiences: Map<string, readonly Chat[]>;
  /** Audiences that can't be read in full, or the setting if it holds something else, by name: what in them can't be read. */
  unreadable: Map<string, readonly unknown[]>;
}

export class Audiences {
  readonly #setting = new ScopedSetting(AUDIENCES);

  /** All audiences, as VS Code merges the scopes. */
  read(): ParsedAudiences {
    return parseAudiences(workspace.getConfiguration().get(AUDIENCES));
  }

  /** The chats of an audience; undefined if there is none of that name, or it can't be read in full. */
  get(name: string): readonly Chat[] | undefined {
    return this.read().audiences.get(name);
  }

  names(): string[] {
    return [...this.read().audiences.keys()];
  }

  /** @throws InvalidSettingError if a scope holds something else than audiences, so that none is read */
  check(): void {
    checkScopes(this.#setting.read());
  }

  /** Saves an audience where it's defined, or in the user settings; others don't change. @throws as {@link edit} */
  async save(name: string, chats: readonly Chat[]): Promise<void> {
    await this.edit((settings) => setMembers(settings, name, chats));
  }

  /** Edits the setting in its scopes. Edits run one after the other. @throws InvalidSettingError, or VS Code's own error */
  edit(edit: (settings: Lists) => Lists): Promise<{ before: Lists; after: Lists }> {
    return this.#setting.edit((settings) => {
      checkScopes(settings);
      return edit(settings);
    });
  }
}

/** VS Code merges objects. Anything else in one scope hides the audiences of the other, and an edit would overwrite it. */
function checkScopes(settings: Lists): void {
  if (SCOPES.some((scope) => settings[scope] !== undefined && !isPlainObject(settings[scope])))
    throw new InvalidSettingError(AUDIENCES);
}

/**
 * Finds how an audience is called in the settings, which have these names: elsewhere, an umlaut may be a letter and two
 * dots. A name that isn't there stays as it is.
 */
export function audienceNamed(names: Iterable<string>): (name: string) => string {
  const formOf = (name: string) => name.trim().normalize('NFC');
  const exact = new Set(names);
  const byForm = new Map(Array.from(exact, (name) => [formOf(name), name]));
  return (name) => (exact.has(name) ? name : (byForm.get(formOf(name)) ?? name));
}

/** The audiences in a setting, which may hold anything. */
export function parseAudiences(setting: unknown): ParsedAudiences {
  const parsed: ParsedAudiences = { audiences: new Map(), unreadable: new Map() };
  if (setting === undefined || setting === null) return parsed;
  if (!isPlainObject(setting)) return { ...parsed, unreadable: new Map([[AUDIENCES, [setting]]]) };
  for (const [name, value] of Object.entries(setting)) {
    const { chats, unusable } = readChats(value, memberIn);
    if (unusable.length > 0) parsed.unreadable.set(name, unusable);
    else parsed.audiences.set(name, [...new Map(chats.map((chat) => [chatKey(chat), chat])).values()]);
  }
  return parsed;
}

function memberIn(raw: unknown): { id: string } | undefined {
  const id = listedId(raw);
  return id === undefined ? undefined : { id };
}
