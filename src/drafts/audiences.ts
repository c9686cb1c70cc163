/** Audiences: lists of recipients that a person has named, read from the settings afresh at each use. */
import { l10n, workspace } from 'vscode';
import type { SettingName } from '../platform/settings.ts';
import { askInput, askModal } from '../presentation/dialogs.ts';
import type { Chat } from '../service/model.ts';
import { type AudienceReading, audiencesIn } from './audienceSettings.ts';

export const AUDIENCES = 'botChats.audiences' satisfies SettingName;

/** All of them by name, as VS Code merges the scopes. One that cannot be read in full is left out. */
export function readAudiences(): Map<string, readonly Chat[]> {
  return readAudienceSetting().audiences;
}

/** The chats of one; undefined where there is no such audience, or none that can be read. */
export const audience = (name: string): readonly Chat[] | undefined => readAudiences().get(name);

/** Their names. */
export const audienceNames = (): string[] => [...readAudiences().keys()];

/** The same, with the names of those that are left out. */
export function readAudienceSetting(): AudienceReading {
  return audiencesIn(workspace.getConfiguration().get(AUDIENCES));
}

/** Writes an audience into the person's own settings; the others stay as they are. Rejects with VS Code's own error. */
export async function saveAudience(name: string, chats: readonly Chat[]): Promise<void> {
  const others: unknown = workspace.getConfiguration().inspect(AUDIENCES)?.globalValue;
  const kept = typeof others === 'object' ? others : {};
  const idsOf = (type: Chat['type']) => chats.filter((chat) => chat.type === type).map(({ id }) => id);
  const audience = { groups: idsOf('group'), people: idsOf('user') };
  await workspace.getConfiguration().update(AUDIENCES, { ...kept, [name]: audience }, true);
}

/** Asks for a name and saves these chats under it; another audience is replaced only after the person has said so. */
export async function askToSave(chats: readonly Chat[]): Promise<void> {
  const typed = await askInput({
    title: l10n.t('Save as Audience'),
    prompt: l10n.t('A name for these recipients. They are kept in your settings.'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() ? undefined : l10n.t('A name cannot be empty.')),
  });
  const name = typed?.trim();
  if (!name) return;
  const { audiences, unreadable } = readAudienceSetting();
  const replace = l10n.t('Replace');
  const question = l10n.t('There is an audience “{0}” already. Replace it?', name);
  if ((audiences.has(name) || unreadable.includes(name)) && (await askModal(question, '', replace)) !== replace) return;
  await saveAudience(name, chats);
}
