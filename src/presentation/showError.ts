/** Shows errors, with what can be done about them, and their whole text if that is longer than what is shown. */
import { commands, env, Uri } from 'vscode';
import { SetupError } from '../platform/openService.ts';
import { InvalidSettingError } from '../platform/scopedSetting.ts';
import { mayNeedAddress } from '../service/errors.ts';
import { showFailure } from './dialogs.ts';
import { ABOUT_CORS, errorText, mayBeBlocked, wholeErrorText } from './errorText.ts';
import { NeverListError } from './neverSend.ts';
import { l10n, type ShownText } from './shown.ts';
import { showReadOnly } from './textEditors.ts';

/** Shows an error, and offers to open the setting or the list that caused it or to change the address that doesn't answer. */
export async function showError(error: unknown): Promise<void> {
  if (error instanceof SetupError || error instanceof InvalidSettingError) {
    const chosen = await askAboutError(error, errorText(error), l10n.t('Open Settings'));
    if (chosen) await commands.executeCommand('workbench.action.openSettings', error.setting);
    return;
  }
  const change = l10n.t('Change Address…');
  const learn = l10n.t('Learn More');
  const list = l10n.t('Open List');
  const actions = [
    ...(mayNeedAddress(error) ? [change] : []),
    ...(mayBeBlocked(error) ? [learn] : []),
    ...(error instanceof NeverListError ? [list] : []),
  ];
  const chosen = await askAboutError(error, errorText(error), ...actions);
  if (chosen === change) await commands.executeCommand('botChats.connect');
  if (chosen === list) await commands.executeCommand('botChats.editNeverList');
  if (chosen === learn) await env.openExternal(Uri.parse(ABOUT_CORS));
}

/**
 * Says what went wrong in a text that {@link errorText} is a part of, with actions, and offers the whole text of the error
 * if that is longer. Resolves to the chosen action, or undefined if dismissed.
 */
export async function askAboutError(
  error: unknown,
  text: ShownText,
  ...actions: ShownText[]
): Promise<string | undefined> {
  const whole = wholeTextAction(error);
  for (;;) {
    const chosen = await showFailure(text, ...actions, ...(whole ? [whole.label] : []));
    if (!whole || chosen !== whole.label) return chosen;
    await whole.run();
    if (actions.length === 0) return undefined;
  }
}

/** The action that opens the whole text of an error in an editor, if less of it is shown. */
export function wholeTextAction(error: unknown): { label: ShownText; run(): Promise<void> } | undefined {
  const whole = wholeErrorText(error);
  if (whole === undefined) return undefined;
  return { label: l10n.t('Show Whole Text'), run: () => showReadOnly(l10n.t('Error'), whole) };
}
