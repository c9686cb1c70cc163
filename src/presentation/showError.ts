import { commands, l10n } from 'vscode';
import { SetupError } from '../platform/openService.ts';
import { showFailure } from './dialogs.ts';
import { explain } from './errorText.ts';

/** Says an error in the person's language, with the way to where it can be mended. */
export async function showError(error: unknown): Promise<void> {
  const settings = l10n.t('Open Settings');
  const chosen = await showFailure(explain(error), ...(error instanceof SetupError ? [settings] : []));
  if (chosen && error instanceof SetupError) {
    await commands.executeCommand('workbench.action.openSettings', error.setting);
  }
}
