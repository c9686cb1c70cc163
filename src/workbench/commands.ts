/** Commands whose failures reach the person. */
import { commands, type Disposable, type LogOutputChannel, l10n, window } from 'vscode';
import { SetupError } from './connection.ts';

export type Register = <Args extends unknown[]>(
  command: string,
  run: (...args: Args) => Promise<unknown>,
) => Disposable;

/** A function that registers `botChats.` commands: what one throws is shown and logged, never lost. */
export function commandRegistrar(log: LogOutputChannel): Register {
  return (command, run) =>
    commands.registerCommand(`botChats.${command}`, async (...args) => {
      try {
        await run(...(args as Parameters<typeof run>));
      } catch (error) {
        await show(error, log);
      }
    });
}

/** Says an error in the person's language, with the way to where it can be mended. */
async function show(error: unknown, log: LogOutputChannel): Promise<void> {
  log.error(error instanceof Error ? error : String(error));
  const { explain } = await import('../words/explain.ts');
  const settings = l10n.t('Open Settings');
  const chosen = await window.showErrorMessage(explain(error), ...(error instanceof SetupError ? [settings] : []));
  if (chosen && error instanceof SetupError) {
    await commands.executeCommand('workbench.action.openSettings', error.setting);
  }
}
