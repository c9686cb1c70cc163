/** Commands whose failures reach the person. */
import { commands, type Disposable, type LogOutputChannel } from 'vscode';

export type Register = <Args extends unknown[]>(
  command: string,
  run: (...args: Args) => Promise<unknown>,
) => Disposable;

type Later = () => Promise<Pick<typeof import('../presentation/showError.ts'), 'showError'>>;

/** A function that registers `botChats.` commands: what one throws is shown and logged, never lost. */
export function commandRegistrar(log: LogOutputChannel, later: Later): Register {
  return (command, run) =>
    commands.registerCommand(`botChats.${command}`, async (...args) => {
      try {
        await run(...(args as Parameters<typeof run>));
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        const { showError } = await later();
        await showError(error);
      }
    });
}
