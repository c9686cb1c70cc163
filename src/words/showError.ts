import { commands, l10n, window } from 'vscode';
import { SetupError } from '../workbench/openService.ts';
import { explain } from './explain.ts';
import { notice } from './notice.ts';

/** Says an error in the person's language, with the way to where it can be mended. */
export async function showError(error: unknown): Promise<void> {
  const settings = l10n.t('Open Settings');
  const chosen = await window.showErrorMessage(
    notice(explain(error)),
    ...(error instanceof SetupError ? [settings] : []),
  );
  if (chosen && error instanceof SetupError) {
    await commands.executeCommand('workbench.action.openSettings', error.setting);
  }
}
