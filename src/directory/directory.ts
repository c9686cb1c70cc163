/** The directory: groups, bots and users by ID, looked up once and remembered. */
import { isFailure, ServiceError } from '../service/errors.ts';
import type { Found, Kind } from '../service/model.ts';
import { TaskQueue } from '../service/taskQueue.ts';
import { type CacheEntry, resourceKey, TtlCache } from './ttlCache.ts';

/** The lookups, by the kind of what they find; a client's, or a test's. */
export type Lookups = { [K in Kind]: (id: string, signal: AbortSignal) => Promise<Found<K>> };

export interface LookupOptions {
  /** Cancels the asking; the lookup itself when nobody else waits for it. */
  signal?: AbortSignal | undefined;
  /**
   * `remembered`: whatever is remembered, at once; what is no longer fresh is looked up again behind it. `fresh`: what
   * is remembered, while it is fresh. `new`: as the service has it now. The first unless told.
   */
  accept?: 'remembered' | 'fresh' | 'new';
}

export interface DirectoryOptions {
  /** Unix milliseconds. */
  now?: () => number;
  /** What was remembered before, as {@link Directory.entries} gave it. */
  remembered?: readonly CacheEntry[];
  /** Calls back when what is being done now is done. */
  soon?: (run: () => void) => unknown;
}

interface LookUp {
  readonly found: Promise<Found>;
  readonly abort: AbortController;
  /** How many wait for it. */
  waiting: number;
}

const IN_FLIGHT = 8;

/** In the order in which they are tried: the user lookup answers success for anything, so its "no" is the cheapest. */
const KINDS = ['user', 'bot', 'group'] as const;

/**
 * One request in flight for each ID however many ask, and eight in all. Of those that wait, the ones asked for last go
 * first, for they are what the person looks at now; those asked for in one go keep their order.
 */
export class Directory {
  readonly #lookUps: Lookups;
  readonly #shelf: TtlCache;
  readonly #lineup: TaskQueue;
  readonly #underWay = new Map<string, LookUp>();
  readonly #listeners = new Set<(kind: Kind, id: string) => void>();

  constructor(
    lookUps: Lookups,
    { now = Date.now, remembered = [], soon = (run) => setTimeout(run) }: DirectoryOptions = {},
  ) {
    this.#lookUps = lookUps;
    this.#lineup = new TaskQueue(IN_FLIGHT, soon);
    this.#shelf = new TtlCache(now, remembered);
  }

  /** What is remembered of an ID, however old; makes no request. */
  peek(kind: Kind, id: string): Found | undefined {
    return this.#shelf.get(kind, id)?.found;
  }

  /** What an ID belongs to as far as that is remembered; makes no request. */
  kindOf(id: string): Kind | undefined {
    return KINDS.find((kind) => this.peek(kind, id));
  }

  /** Whether it is remembered that an ID was found, or that it was not. */
  knows(kind: Kind, id: string): boolean {
    return this.#shelf.get(kind, id) !== undefined;
  }

  /** The resource. Rejects with a ServiceError: "not found" may be a remembered one, any other failure is new. */
  async get(kind: Kind, id: string, { signal, accept = 'remembered' }: LookupOptions = {}): Promise<Found> {
    if (signal?.aborted) throw new ServiceError({ kind: 'cancelled' });
    const known = this.#shelf.get(kind, id);
    if (known && accept !== 'new') {
      if (known.fresh) return known.found ?? Promise.reject(known.missing);
      if (known.found && accept === 'remembered') {
        // The one who asked has an answer; a failure will come to light when somebody insists on a fresh one.
        this.#lookUp(kind, id, undefined).catch(() => {});
        return known.found;
      }
    }
    return this.#lookUp(kind, id, signal);
  }

  /**
   * What an ID of unknown kind belongs to; undefined when it is no user, bot or group. What is remembered decides, and
   * else the service.
   */
  async identify(id: string, signal?: AbortSignal): Promise<Found | undefined> {
    const known = this.kindOf(id);
    for (const kind of known ? [known] : KINDS) {
      try {
        return await this.get(kind, id, { signal });
      } catch (error) {
        if (!isFailure(error, 'notFound')) throw error;
      }
    }
    return undefined;
  }

  /** Calls back after what is remembered of an ID has become another. Returns what ends this. */
  onDidChange(listener: (kind: Kind, id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes over what another directory of the same service found, where nothing is remembered here. */
  learn(entries: readonly CacheEntry[]): void {
    this.#shelf.learn(entries);
  }

  /** All that was found and is remembered, the one looked up longest ago first. */
  entries(): CacheEntry[] {
    return this.#shelf.entries();
  }

  /** Cancels all lookups that are under way. */
  dispose(): void {
    this.#listeners.clear();
    for (const { abort } of this.#underWay.values()) abort.abort(new ServiceError({ kind: 'cancelled' }));
  }

  /** Waits for the lookup of an ID together with all others who do, or starts it. */
  #lookUp(kind: Kind, id: string, signal: AbortSignal | undefined): Promise<Found> {
    const key = resourceKey(kind, id);
    const lookUp = this.#underWay.get(key) ?? this.#start(kind, id, key);
    this.#lineup.urge(key);
    lookUp.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        const cancelled = new ServiceError({ kind: 'cancelled' });
        reject(cancelled);
        lookUp.waiting--;
        // It may have been answered already, and another one have begun.
        if (lookUp.waiting > 0 || this.#underWay.get(key) !== lookUp) return;
        this.#underWay.delete(key);
        lookUp.abort.abort(cancelled);
      };
      signal?.addEventListener('abort', leave, { once: true });
      lookUp.found.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  }

  #start(kind: Kind, id: string, key: string): LookUp {
    const abort = new AbortController();
    const { signal } = abort;
    const answer = this.#lineup.add<Found>(key, () => this.#lookUps[kind](id, signal), signal);
    const lookUp = { found: this.#remember(kind, id, answer), abort, waiting: 0 };
    this.#underWay.set(key, lookUp);
    const end = () => {
      if (this.#underWay.get(key) === lookUp) this.#underWay.delete(key);
    };
    answer.then(end, end);
    return lookUp;
  }

  async #remember(kind: Kind, id: string, answer: Promise<Found>): Promise<Found> {
    try {
      const found = await answer;
      this.#shelf.found(id, found);
      this.#tell(kind, id);
      return found;
    } catch (error) {
      // Code -1 was seen for other refusals, too (observed): it takes away nothing that was found before.
      const isSure = isFailure(error, 'notFound') && (error.failure.code === undefined || !this.peek(kind, id));
      if (isSure) {
        this.#shelf.missing(kind, id, error);
        this.#tell(kind, id);
      }
      throw error;
    }
  }

  #tell(kind: Kind, id: string): void {
    for (const listener of this.#listeners) listener(kind, id);
  }
}
