/** The bots with a saved token, which can read and send. */
import type { Disposable } from 'vscode';
import type { Connection } from '../platform/connection.ts';
import type { Tokens } from '../platform/tokens.ts';

export class SavedTokens implements Disposable {
  readonly #connection: Connection;
  readonly #tokens: Tokens;
  readonly #onChange: () => Promise<void>;
  readonly #listener: Disposable;
  #bots: ReadonlySet<string> | undefined;
  #reading = 0;

  /** `onChange` is called when the bots were read for the first time or again. */
  constructor(connection: Connection, tokens: Tokens, onChange: () => Promise<void>) {
    this.#connection = connection;
    this.#tokens = tokens;
    this.#onChange = onChange;
    this.#listener = tokens.onDidChange(() => this.#read());
  }

  /** Whether this bot has a token. False before the bots were read. */
  has(botId: string): boolean {
    return this.#bots?.has(botId) ?? false;
  }

  /** Whether no bot has a token. False before the bots were read. */
  isEmpty(): boolean {
    return this.#bots?.size === 0;
  }

  /** Reads the bots unless that was done before. Never rejects. */
  async load(): Promise<void> {
    if (!this.#bots) await this.#read();
  }

  /** Forgets the bots, because the service has changed. */
  clear(): void {
    this.#reading++;
    this.#bots = undefined;
  }

  dispose(): void {
    this.clear();
    this.#listener.dispose();
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    try {
      const bots = new Set(await this.#tokens.saved(await this.#connection.open()));
      if (reading !== this.#reading) return;
      this.#bots = bots;
      await this.#onChange();
    } catch {
      // The root nodes show why a service can't be opened.
    }
  }
}
