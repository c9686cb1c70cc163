import { systemClock } from '../service/clock.ts';
import { isFailure, ServiceError } from '../service/errors.ts';
import { type Found, type Kind, type Reference, resourceKey } from '../service/model.ts';
import { TaskQueue } from '../service/taskQueue.ts';
import { type CacheEntry, TtlCache } from './ttlCache.ts';

/** The lookup operations by kind. A client implements them. */
export type Lookups = { [K in Kind]: (id: string, signal: AbortSignal) => Promise<Found<K>> };

export interface LookupOptions {
  /** Cancels waiting, and the lookup itself if no one else waits for it. */
  signal?: AbortSignal | undefined;
  /**
   * `remembered` (default): a cached resource of any age; a stale one is refreshed in the background. `fresh`: a cached
   * resource only while it's fresh. `new`: always a new lookup.
   */
  accept?: 'remembered' | 'fresh' | 'new';
}

export interface DirectoryOptions {
  /** Unix milliseconds. */
  now?: () => number;
  /** Initial entries, from {@link Directory.entries}. */
  cached?: readonly CacheEntry[];
  /** Calls back after the current synchronous work. */
  defer?: (run: () => void) => unknown;
}

/** The user's own name for a group, bot or user. */
export interface Label extends Reference {
  readonly label: string;
}

interface PendingLookup {
  readonly found: Promise<Found>;
  readonly abort: AbortController;
  /** The number of callers that wait for it. */
  waiters: number;
}

const MAX_IN_FLIGHT = 8;

/** In the order to try them: the user lookup is cheapest, because it's a success even if there is no such user. */
const KINDS = ['user', 'bot', 'group'] as const;

/**
 * Looks up groups, bots and users by ID and caches them. Concurrent callers share a request, and at most eight requests
 * run at a time. Waiting lookups run last requested first, because that's what the user is looking at; lookups requested
 * together keep their order.
 */
export class Directory {
  readonly #lookUps: Lookups;
  readonly #cache: TtlCache;
  readonly #queue: TaskQueue;
  readonly #pending = new Map<string, PendingLookup>();
  readonly #listeners = new Set<(kind: Kind, id: string) => void>();
  #labels: ReadonlyMap<string, Label> = new Map();

  constructor(
    lookUps: Lookups,
    { now = systemClock.wall, cached = [], defer = (run) => systemClock.after(0, run) }: DirectoryOptions = {},
  ) {
    this.#lookUps = lookUps;
    this.#queue = new TaskQueue(MAX_IN_FLIGHT, defer);
    this.#cache = new TtlCache(now, cached);
  }

  /** The cached resource, fresh or stale. Makes no request. */
  peek(kind: Kind, id: string): Found | undefined {
    return this.#cache.get(kind, id)?.found;
  }

  /** The user's own name for an ID, looked up or not. */
  labelOf(kind: Kind, id: string): string | undefined {
    return this.#labels.get(resourceKey(kind, id))?.label;
  }

  /** Sets the user's own names. Those that differ from the ones before are reported as changes. */
  setLabels(labels: readonly Label[]): void {
    const before = this.#labels;
    this.#labels = new Map(labels.map((one) => [resourceKey(one.kind, one.id), one]));
    for (const [key, { kind, id }] of new Map([...before, ...this.#labels]))
      if (before.get(key)?.label !== this.#labels.get(key)?.label) this.#notify(kind, id);
  }

  /** The kind of the cached resource with this ID. Makes no request. */
  kindOf(id: string): Kind | undefined {
    return KINDS.find((kind) => this.peek(kind, id));
  }

  /** Whether a resource, or "not found", is cached. */
  has(kind: Kind, id: string): boolean {
    return this.#cache.get(kind, id) !== undefined;
  }

  /** Why a resource is known not to exist; undefined if that isn't known. Makes no request. */
  missing(kind: Kind, id: string): ServiceError | undefined {
    return this.#cache.get(kind, id)?.missing;
  }

  /** The resource. Rejects with a ServiceError, of which only "not found" may be cached. */
  async get(kind: Kind, id: string, { signal, accept = 'remembered' }: LookupOptions = {}): Promise<Found> {
    if (signal?.aborted) throw new ServiceError({ kind: 'cancelled' });
    const cached = this.#cache.get(kind, id);
    if (cached && accept !== 'new') {
      if (cached.fresh) return cached.found ?? Promise.reject(cached.missing);
      if (cached.found && accept === 'remembered') {
        // The caller has a result; a failure shows when a fresh one is requested.
        this.#lookUp(kind, id, undefined).catch(() => {});
        return cached.found;
      }
    }
    return this.#lookUp(kind, id, signal);
  }

  /**
   * The user, bot or group with an ID of unknown kind, if any. If one is cached, it decides; otherwise the service does.
   * `accept` is that of {@link get}.
   */
  async identify(id: string, signal?: AbortSignal, accept?: LookupOptions['accept']): Promise<Found | undefined> {
    const cachedKind = this.kindOf(id);
    for (const kind of cachedKind ? [cachedKind] : KINDS) {
      try {
        return await this.get(kind, id, { signal, ...(accept && { accept }) });
      } catch (error) {
        if (!isFailure(error, 'notFound')) throw error;
      }
    }
    return undefined;
  }

  /** Adds a listener for changed cache entries and labels. Returns a function that removes it. */
  onDidChange(listener: (kind: Kind, id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds entries of another directory of the same service for IDs that aren't cached. */
  merge(entries: readonly CacheEntry[]): void {
    this.#cache.merge(entries);
  }

  /** All cached resources, oldest first. */
  entries(): CacheEntry[] {
    return this.#cache.entries();
  }

  /** Cancels all pending lookups. */
  dispose(): void {
    this.#listeners.clear();
    for (const { abort } of this.#pending.values()) abort.abort(new ServiceError({ kind: 'cancelled' }));
  }

  /** Waits for the pending lookup of an ID, or starts it. */
  #lookUp(kind: Kind, id: string, signal: AbortSignal | undefined): Promise<Found> {
    const key = resourceKey(kind, id);
    const lookup = this.#pending.get(key) ?? this.#start(kind, id, key);
    this.#queue.prioritize(key);
    lookup.waiters++;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        const error = new ServiceError({ kind: 'cancelled' });
        reject(error);
        lookup.waiters--;
        // It may have completed, and another one may have started.
        if (lookup.waiters > 0 || this.#pending.get(key) !== lookup) return;
        this.#pending.delete(key);
        lookup.abort.abort(error);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      lookup.found.then(resolve, reject).finally(() => signal?.removeEventListener('abort', cancel));
    });
  }

  #start(kind: Kind, id: string, key: string): PendingLookup {
    const abort = new AbortController();
    const { signal } = abort;
    const result = this.#queue.add<Found>(key, () => this.#lookUps[kind](id, signal), signal);
    const lookup = { found: this.#store(kind, id, result), abort, waiters: 0 };
    this.#pending.set(key, lookup);
    const remove = () => {
      if (this.#pending.get(key) === lookup) this.#pending.delete(key);
    };
    result.then(remove, remove);
    return lookup;
  }

  async #store(kind: Kind, id: string, result: Promise<Found>): Promise<Found> {
    try {
      const found = await result;
      checkId(found, id);
      this.#cache.setFound(id, found);
      this.#notify(kind, id);
      return found;
    } catch (error) {
      // Code -1 also has other causes (observed), so it doesn't replace a cached resource.
      const isCertain = isFailure(error, 'notFound') && (error.failure.code === undefined || !this.peek(kind, id));
      if (isCertain) {
        this.#cache.setMissing(kind, id, error);
        this.#notify(kind, id);
      }
      throw error;
    }
  }

  #notify(kind: Kind, id: string): void {
    for (const listener of this.#listeners) listener(kind, id);
  }
}

/**
 * A name that belongs to another ID would stand wherever this one is named, also where a delivery to it is confirmed.
 * @throws ServiceError
 */
function checkId(found: Found, id: string): void {
  const [path, answered] = identifierOf(found);
  if (answered !== id) throw new ServiceError({ kind: 'unreadable', path, problem: 'mismatch' });
}

/** The identifier in an answer, and where it is there. */
function identifierOf(found: Found): [path: string, id: string] {
  switch (found.kind) {
    case 'group':
      return ['data.group.groupId', found.resource.groupId];
    case 'bot':
      return ['data.bot.botId', found.resource.botId];
    case 'user':
      return ['data.user.userId', found.resource.userId];
  }
}
