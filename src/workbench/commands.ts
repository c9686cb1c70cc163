/** Commands whose failures reach the person. */
import { commands, type Disposable, type LogOutputChannel } from 'vscode';

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
        log.error(error instanceof Error ? error : String(error));
        const { showError } = await import('../words/showError.ts');
        await showError(error);
      }
    });
}
