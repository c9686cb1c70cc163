/** The commands of the extension: how their arguments are validated, and their errors handled. */
import { commands, type Disposable } from 'vscode';
import type { ArgumentsOf, CommandName } from './commandArguments.ts';

/** What runs commands: a method for each, by its name. */
type Runner<N extends CommandName> = { readonly [K in N]: (...args: ArgumentsOf<K>) => unknown };

export class Commands {
  readonly #onError: (error: unknown) => void | Promise<void>;

  /** `onError` shows and logs the errors of commands. */
  constructor(onError: (error: unknown) => void | Promise<void>) {
    this.#onError = onError;
  }

  /** Registers a command whose errors are shown and logged. */
  register<N extends CommandName>(name: N, run: (...args: ArgumentsOf<N>) => Promise<unknown>): Disposable {
    return commands.registerCommand(`botChats.${name}`, (...args) =>
      this.report(async () => {
        const { parseArguments } = await import('./commandArguments.ts');
        await run(...parseArguments(name, args));
      }),
    );
  }

  /** Registers commands that are methods of what `load` loads when one of them runs. */
  registerAll<const N extends CommandName>(load: () => Promise<Runner<N>>, ...names: N[]): Disposable[] {
    return names.map((name) => this.register(name, async (...args) => (await load())[name](...args)));
  }

  /** Like {@link registerAll}, for methods that take one ID, and are called for each. If one call fails, the others go on. */
  registerEach<const N extends CommandName>(
    idsOf: (...args: ArgumentsOf<N>) => Iterable<string>,
    load: () => Promise<{ readonly [K in N]: (id: string) => unknown }>,
    ...names: N[]
  ): Disposable[] {
    return names.map((name) =>
      this.register(name, async (...args) => {
        for (const id of idsOf(...args)) await this.report(async () => (await load())[name](id));
      }),
    );
  }

  /** Runs what the user asked for in another way than by a command. Its errors are shown and logged. */
  async report(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      await this.#onError(error);
    }
  }

  /** Runs a command of another feature. It shows its own errors. */
  async run<N extends CommandName>(name: N, ...args: Partial<ArgumentsOf<N>>): Promise<void> {
    await commands.executeCommand(`botChats.${name}`, ...args);
  }
}
