/** Audiences: named lists of recipients in the settings, read at each use. */
import * as v from 'valibot';
import { workspace } from 'vscode';
import { trimmedIdentifier } from '../service/fields.ts';
import type { Chat } from '../service/model.ts';
import type { SettingName } from './settings.ts';

export const AUDIENCES = 'botChats.audiences' satisfies SettingName;

/** A number that isn't a safe integer has lost digits. */
const Id = v.union([trimmedIdentifier, v.pipe(v.number(), v.safeInteger(), v.transform(String))]);
const Ids = v.optional(v.array(Id), []);
// Strict: recipients under a misspelled key would be ignored silently.
const Audience = v.pipe(
  v.strictObject({ groups: Ids, people: Ids }),
  v.transform(({ groups, people }): readonly Chat[] => [
    ...[...new Set(groups)].map((id) => ({ type: 'group' as const, id })),
    ...[...new Set(people)].map((id) => ({ type: 'user' as const, id })),
  ]),
);

export interface ParsedAudiences {
  /** By name, each with its groups first and without duplicates. */
  audiences: Map<string, readonly Chat[]>;
  /** The names of audiences that can't be read in full. */
  unreadable: string[];
}

export class Audiences {
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

  /** Saves an audience in the user settings; the others don't change. @throws VS Code's own error */
  async save(name: string, chats: readonly Chat[]): Promise<void> {
    const others: unknown = workspace.getConfiguration().inspect(AUDIENCES)?.globalValue;
    const idsOf = (type: Chat['type']) => chats.filter((chat) => chat.type === type).map(({ id }) => id);
    const audience = { groups: idsOf('group'), people: idsOf('user') };
    const all = { ...(typeof others === 'object' ? others : {}), [name]: audience };
    await workspace.getConfiguration().update(AUDIENCES, all, true);
  }
}

/** The audiences in a setting, which may hold anything. */
export function parseAudiences(setting: unknown): ParsedAudiences {
  const parsed: ParsedAudiences = { audiences: new Map(), unreadable: [] };
  if (typeof setting !== 'object' || setting === null) return parsed;
  for (const [name, value] of Object.entries(setting)) {
    const { success, output } = v.safeParse(Audience, value);
    if (success) parsed.audiences.set(name, output);
    else parsed.unreadable.push(name);
  }
  return parsed;
}
