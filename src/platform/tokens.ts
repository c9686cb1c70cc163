/** Bot tokens, one for each bot and service address. Stored only in SecretStorage. */
import * as v from 'valibot';
import type { Event, SecretStorage } from 'vscode';
import type { Service } from './service.ts';

type Account = Pick<Service, 'address' | 'sandbox'>;

export class Tokens {
  /** The ID of this window, until it's closed or reloaded. VS Code's own is always the same without telemetry. */
  readonly windowId = crypto.randomUUID();
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  /** Fires when a token was saved or removed, in this window or another. */
  get onDidChange(): Event<unknown> {
    return this.#secrets.onDidChange;
  }

  /** The saved token of a bot, or the one that the sandbox comes with. */
  async get(service: Account, botId: string): Promise<string | undefined> {
    return (await this.#secrets.get(keyOf(service, botId))) ?? service.sandbox?.token(botId);
  }

  /** The IDs of bots with a token, those of the sandbox last. */
  async bots(service: Account): Promise<string[]> {
    return [...new Set([...(await this.saved(service)), ...(service.sandbox?.bot ?? [])])];
  }

  /** The IDs of bots with a saved token. SecretStorage can't list its keys, so we store a list. */
  async saved({ address }: Account): Promise<string[]> {
    return readBotIds(await this.#secrets.get(listKey(address)));
  }

  /** Saves a token, trimmed. */
  async set(service: Account, botId: string, token: string): Promise<void> {
    await this.#secrets.store(keyOf(service, botId), token.trim());
    await this.#saveList(service, [...new Set([...(await this.saved(service)), botId])]);
  }

  async remove(service: Account, botId: string): Promise<void> {
    await this.#secrets.delete(keyOf(service, botId));
    const others = (await this.saved(service)).filter((saved) => saved !== botId);
    await this.#saveList(service, others);
  }

  /** Keeps the ID of this window for as long as tokens are kept. Resolves to the one kept before, if any. */
  async keepWindowId(): Promise<string | undefined> {
    const before = await this.#secrets.get(WINDOW_KEY);
    await this.#secrets.store(WINDOW_KEY, this.windowId);
    return before;
  }

  async #saveList({ address }: Account, botIds: string[]): Promise<void> {
    await this.#secrets.store(listKey(address), JSON.stringify(botIds));
  }
}

const keyOf = ({ address }: Account, botId: string) => `token ${address} ${botId}`;
const WINDOW_KEY = 'window';
const listKey = (address: string) => `bots ${address}`;

const BotIds = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** The stored list of bot IDs; empty if it is missing or invalid. */
function readBotIds(stored: string | undefined): string[] {
  const read = v.safeParse(BotIds, stored);
  return read.success ? read.output : [];
}
