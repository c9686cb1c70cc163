/** The bots with a saved token, which can read and send unless the service refuses it. */
import type { Disposable } from 'vscode';
import type { Connection, Service } from '../platform/service.ts';
import type { Refusal, Tokens } from '../platform/tokens.ts';

export class SavedTokens implements Disposable {
  readonly #connection: Connection;
  readonly #tokens: Tokens;
  readonly #onChange: () => Promise<void>;
  readonly #listeners: readonly Disposable[];
  #bots: ReadonlySet<string> | undefined;
  #lost: readonly string[] = [];
  #service: Service | undefined;
  #reading = 0;

  /** `onChange` is called when the bots were read for the first time or again. */
  constructor(connection: Connection, tokens: Tokens, onChange: () => Promise<void>) {
    this.#connection = connection;
    this.#tokens = tokens;
    this.#onChange = onChange;
    this.#listeners = [
      tokens.onDidChange(() => this.#read()),
      tokens.onDidChangeKnown(() => this.#bots && this.#read()),
    ];
  }

  /** Whether this bot has a token. False before the bots were read. */
  has(botId: string): boolean {
    return this.#bots?.has(botId) ?? false;
  }

  /** How the service has refused the token of this bot, if it did last. */
  refusal(botId: string): Refusal | undefined {
    return this.#service && this.has(botId) ? this.#tokens.refusal(this.#service, botId) : undefined;
  }

  /** The bots whose saved token is gone. */
  get lost(): readonly string[] {
    return this.#lost;
  }

  /** Whether no bot has a token. Before the bots were read, whether that is sure because none was ever saved. */
  isEmpty(): boolean {
    return this.#bots ? this.#bots.size === 0 : !this.#tokens.wasSaved();
  }

  /** Reads the bots unless that was done before. Never rejects. */
  async load(): Promise<void> {
    if (!this.#bots) await this.#read();
  }

  /** Forgets the bots, because the service has changed. */
  clear(): void {
    this.#reading++;
    this.#bots = undefined;
    this.#service = undefined;
  }

  dispose(): void {
    this.clear();
    for (const listener of this.#listeners) listener.dispose();
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    try {
      const service = await this.#connection.open();
      const bots = new Set(await this.#tokens.saved(service));
      const lost = await this.#tokens.lost(service);
      if (reading !== this.#reading) return;
      this.#bots = bots;
      this.#lost = lost;
      this.#service = service;
      await this.#onChange();
    } catch {
      // The root nodes show why a service can't be opened.
    }
  }
}
