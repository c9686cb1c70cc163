/**
 * Bot tokens, one for each bot and service address. Stored only in SecretStorage. The memento has what is known about them:
 * VS Code may keep secrets in memory only, in a browser or on a desktop without a keyring. No API says so: a token that is
 * known but missing was lost.
 */
import * as v from 'valibot';
import { type Disposable, type Event, EventEmitter, type Memento, type SecretStorage } from 'vscode';
import type { Service } from './service.ts';

type Account = Pick<Service, 'address' | 'sandbox'>;

/** How the service refused a token: HTTP status, code if any, and text, verbatim. */
const Refusal = v.object({ status: v.number(), code: v.optional(v.number()), text: v.string() });
export type Refusal = Readonly<v.InferOutput<typeof Refusal>>;

/** That a bot's token was saved for a service, and the refusal if the service doesn't accept it. */
const Known = v.object({ service: v.string(), botId: v.string(), refusal: v.optional(Refusal) });
type Known = v.InferOutput<typeof Known>;

export class Tokens implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #memento: Memento;
  readonly #knownChanged = new EventEmitter<void>();

  constructor(secrets: SecretStorage, memento: Memento) {
    this.#secrets = secrets;
    this.#memento = memento;
  }

  /** Fires when what is known of a token has changed in this window: it was refused, accepted again or removed. */
  readonly onDidChangeKnown = this.#knownChanged.event;

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

  /** The IDs of bots with a saved token. */
  async saved(service: Account): Promise<string[]> {
    const start = keyOf(service, '');
    const keys = await this.#secrets.keys().then(undefined, () => this.#knownKeys());
    return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  }

  /** Saves a token, trimmed, which the service may have refused. */
  async set(service: Account, botId: string, token: string, refusal?: Refusal): Promise<void> {
    // The refusal is stored first, because other windows look at it when the secret changes.
    if (this.refusal(service, botId)) await this.#know(service, botId, { refusal });
    await this.#secrets.store(keyOf(service, botId), token.trim());
    await this.#know(service, botId, { refusal });
  }

  async remove(service: Account, botId: string): Promise<void> {
    // What is known is removed first: a token that is known but missing would be taken for a lost one.
    await this.#know(service, botId, undefined);
    await this.#secrets.delete(keyOf(service, botId));
    // It's removed again, because the service may have refused the token meanwhile.
    await this.#know(service, botId, undefined);
  }

  /** Whether a token was saved before, for any service. */
  wasSaved(): boolean {
    return this.#known().length > 0;
  }

  /** The IDs of bots whose token was saved, but is gone, although nobody has removed it. */
  async lost(service: Account): Promise<string[]> {
    const saved = new Set(await this.saved(service));
    const known = this.#known().filter(({ service: address }) => address === service.address);
    return known.map(({ botId }) => botId).filter((botId) => !saved.has(botId));
  }

  /** How the service refused the saved token of a bot, unless it has accepted it since. */
  refusal(service: Account, botId: string): Refusal | undefined {
    return this.#known().find(isOf(service, botId))?.refusal;
  }

  /** Remembers how the service answered a call with a bot's token: with this refusal of it, or none. */
  async answered(service: Account, botId: string, token: string, refusal: Refusal | undefined): Promise<void> {
    const before = this.refusal(service, botId);
    if (before?.code === refusal?.code && before?.status === refusal?.status && before?.text === refusal?.text) return;
    // Another token may have been saved meanwhile, and tokens of the sandbox aren't saved.
    if ((await this.#secrets.get(keyOf(service, botId))) === token) await this.#know(service, botId, { refusal });
  }

  dispose(): void {
    this.#knownChanged.dispose();
  }

  /** The keys of the tokens that are known and not lost: the secrets of some browsers can't be listed. */
  async #knownKeys(): Promise<string[]> {
    const keys = this.#known().map(({ service, botId }) => keyOf({ address: service }, botId));
    const tokens = await Promise.all(keys.map((key) => this.#secrets.get(key)));
    return keys.filter((_, at) => tokens[at] !== undefined);
  }

  #known(): Known[] {
    const list = this.#memento.get<unknown>(KNOWN_KEY);
    return Array.isArray(list) ? list.filter((entry): entry is Known => v.is(Known, entry)) : [];
  }

  async #know(service: Account, botId: string, known: Pick<Known, 'refusal'> | undefined): Promise<void> {
    const before = this.#known();
    const others = before.filter((entry) => !isOf(service, botId)(entry));
    if (!known && others.length === before.length) return;
    const own = known ? [{ service: service.address, botId, ...known }] : [];
    await this.#memento.update(KNOWN_KEY, [...own, ...others]);
    if (!known || known.refusal !== before.find(isOf(service, botId))?.refusal) this.#knownChanged.fire();
  }
}

const keyOf = ({ address }: Account, botId: string) => `token ${address} ${botId}`;
const KNOWN_KEY = 'tokens';
const isOf =
  ({ address }: Account, botId: string) =>
  (known: Known) =>
    known.service === address && known.botId === botId;
