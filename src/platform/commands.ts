/** The commands of the extension: how their arguments are validated, and their errors handled. */
import { commands, type Disposable } from 'vscode';
import type { ArgumentsOf, CommandName, parseArguments } from './commandArguments.ts';

interface Deferred {
  parseArguments: typeof parseArguments;
}

export class Commands {
  readonly #load: () => Promise<Deferred>;
  readonly #onError: (error: unknown) => void | Promise<void>;

  /** `load` loads what the first command needs. `onError` shows and logs the errors of commands. */
  constructor(load: () => Promise<Deferred>, onError: (error: unknown) => void | Promise<void>) {
    this.#load = load;
    this.#onError = onError;
  }

  /** Registers a command whose errors are shown and logged. */
  register<N extends CommandName>(name: N, run: (...args: ArgumentsOf<N>) => Promise<unknown>): Disposable {
    return commands.registerCommand(`botChats.${name}`, (...args) =>
      this.report(async () => {
        const { parseArguments } = await this.#load();
        await run(...parseArguments(name, args));
      }),
    );
  }

  /** Registers a command that does something with each of what it's for. One that fails doesn't keep the rest from it. */
  registerEach<N extends CommandName>(
    name: N,
    idsOf: (...args: ArgumentsOf<N>) => Iterable<string>,
    run: (id: string) => Promise<unknown>,
  ): Disposable {
    return this.register(name, async (...args) => {
      for (const id of idsOf(...args)) await this.report(() => run(id));
    });
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
