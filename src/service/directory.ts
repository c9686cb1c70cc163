/** The directory: groups, bots and users by ID, looked up once and remembered. */
import pLimit from 'p-limit';
import type { Client } from './client.ts';
import { isFailure, type ServiceError } from './errors.ts';
import type { Found, Kind } from './model.ts';

interface Remembered {
  entry: Found | { missing: ServiceError };
  /** Milliseconds on the clock that the directory was given. */
  at: number;
}

const IN_FLIGHT = 8;
const FRESH = 10 * 60_000;
const MISSING_FRESH = 60_000;
const BOUND = 5_000;

/**
 * One request in flight for each ID however many ask. Found resources stay fresh for ten minutes, "not found" for
 * one; other failures are never remembered.
 */
export class Directory {
  readonly #client: Pick<Client, Kind>;
  readonly #now: () => number;
  readonly #limit = pLimit(IN_FLIGHT);
  readonly #remembered = new Map<string, Remembered>();
  readonly #inFlight = new Map<string, Promise<Found>>();

  constructor(client: Pick<Client, Kind>, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  /** What is remembered of an ID, however old; makes no request. */
  peek(kind: Kind, id: string): Found | undefined {
    const entry = this.#remembered.get(keyOf(kind, id))?.entry;
    return entry && 'resource' in entry ? entry : undefined;
  }

  /** The resource, remembered or looked up. Rejects with a ServiceError. `refresh` looks it up in any case. */
  async get(kind: Kind, id: string, { refresh = false } = {}): Promise<Found> {
    const key = keyOf(kind, id);
    const known = this.#remembered.get(key);
    if (known && !refresh && this.#isFresh(known)) {
      if ('missing' in known.entry) throw known.entry.missing;
      return known.entry;
    }
    return this.#inFlight.get(key) ?? this.#start(kind, id, key);
  }

  /**
   * What an ID of unknown kind belongs to; undefined when it is no user, bot or group. Tried in that order: the user
   * lookup answers success for anything, so its default user is the cheapest "no".
   */
  async identify(id: string): Promise<Found | undefined> {
    for (const kind of ['user', 'bot', 'group'] as const) {
      try {
        return await this.get(kind, id);
      } catch (error) {
        if (!isFailure(error, 'notFound')) throw error;
      }
    }
    return undefined;
  }

  #start(kind: Kind, id: string, key: string): Promise<Found> {
    const pending = this.#limit(() => this.#lookUp(kind, id))
      .then(
        (found) => {
          this.#remember(key, found);
          return found;
        },
        (error) => {
          if (isFailure(error, 'notFound')) this.#remember(key, { missing: error });
          throw error;
        },
      )
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, pending);
    return pending;
  }

  async #lookUp(kind: Kind, id: string): Promise<Found> {
    switch (kind) {
      case 'group':
        return { kind, resource: await this.#client.group(id) };
      case 'bot':
        return { kind, resource: await this.#client.bot(id) };
      case 'user':
        return { kind, resource: await this.#client.user(id) };
    }
  }

  #remember(key: string, entry: Remembered['entry']): void {
    // A Map keeps insertion order: the first key is the one looked up longest ago.
    this.#remembered.delete(key);
    this.#remembered.set(key, { entry, at: this.#now() });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > BOUND && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #isFresh({ entry, at }: Remembered): boolean {
    return this.#now() - at < ('missing' in entry ? MISSING_FRESH : FRESH);
  }
}

const keyOf = (kind: Kind, id: string) => `${kind} ${id}`;
