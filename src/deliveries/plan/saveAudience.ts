/** Saves recipients as an audience. */
import { l10n } from 'vscode';
import type { Audiences } from '../../platform/audiences.ts';
import { audienceNameProblem } from '../../presentation/audienceNames.ts';
import { askInput, askModal } from '../../presentation/dialogs.ts';
import type { Chat } from '../../service/model.ts';

/** Asks for a name and saves the chats under it. Asks before replacing an audience. */
export async function saveAudience(chats: readonly Chat[], settings: Audiences): Promise<void> {
  const typed = await askInput({
    title: l10n.t('Save as Audience'),
    prompt: l10n.t("Enter a name for this audience. It's saved in your settings."),
    ignoreFocusOut: true,
    validateInput: (text) => audienceNameProblem(text),
  });
  const name = typed?.trim();
  if (!name) return;
  const { audiences, unreadable } = settings.read();
  const replace = l10n.t('Replace');
  const question = l10n.t('An audience named “{0}” already exists. Replace it?', name);
  if ((audiences.has(name) || unreadable.includes(name)) && (await askModal(question, '', replace)) !== replace) return;
  await settings.save(name, chats);
}
