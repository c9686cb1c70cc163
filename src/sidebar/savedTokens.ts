/** Which bots can read and send: those for which the person saved a token. */
import type { Disposable } from 'vscode';
import type { Connection } from '../platform/connection.ts';
import type { Tokens } from '../platform/tokens.ts';

export class SavedTokens implements Disposable {
  readonly #connection: Connection;
  readonly #tokens: Tokens;
  readonly #changed: () => Promise<void>;
  readonly #listener: Disposable;
  #bots: ReadonlySet<string> | undefined;
  #reading = 0;

  /** `changed` is called when it has become known, or another. */
  constructor(connection: Connection, tokens: Tokens, changed: () => Promise<void>) {
    this.#connection = connection;
    this.#tokens = tokens;
    this.#changed = changed;
    this.#listener = tokens.onDidChange(() => this.#read());
  }

  /** Whether this bot has a token, as far as is known. */
  has(botId: string): boolean {
    return this.#bots?.has(botId) ?? false;
  }

  /** Whether it is known that no bot has one. */
  isNone(): boolean {
    return this.#bots?.size === 0;
  }

  /** Finds out, if that was not done yet: not before there is something to see. */
  need(): void {
    if (!this.#bots) void this.#read();
  }

  /** The service is another one. */
  forget(): void {
    this.#reading++;
    this.#bots = undefined;
  }

  dispose(): void {
    this.forget();
    this.#listener.dispose();
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    try {
      const bots = new Set(await this.#tokens.saved(await this.#connection.open()));
      if (reading !== this.#reading) return;
      this.#bots = bots;
      await this.#changed();
    } catch {
      // A service that cannot be opened is told of in place of the rows.
    }
  }
}
