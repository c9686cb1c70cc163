/** Commands whose failures reach the person. */
import { commands, type Disposable, type LogOutputChannel, window } from 'vscode';

/** Says an error in the person's language; loaded when first needed. */
async function show(error: unknown, log: LogOutputChannel): Promise<void> {
  const { explain } = await import('../words/explain.ts');
  log.error(error instanceof Error ? error : String(error));
  void window.showErrorMessage(explain(error));
}

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
