import { LRUCache } from 'lru-cache';
import type { ServiceError } from '../service/errors.ts';
import { type Found, type Kind, resourceKey } from '../service/model.ts';

/** A resource, the ID that it was looked up by, and the time of the lookup in Unix milliseconds. */
export interface CacheEntry {
  id: string;
  found: Found;
  at: number;
}

interface Missing {
  missing: ServiceError;
  at: number;
}

/** The cached result for an ID: a resource, or the error for "not found". */
type CacheHit = { fresh: boolean } & (
  | { found: Found; missing?: undefined }
  | { found?: undefined; missing: ServiceError }
);

/** Milliseconds. */
const TTL = 10 * 60_000;
const MISSING_TTL = 60_000;
const MAX_ENTRIES = 5_000;
const MAX_MISSING = 1_000;

/** A bounded cache of lookups. Resources stay fresh for ten minutes, "not found" for one. */
export class TtlCache {
  readonly #now: () => number;
  // Read with `peek`, so that the oldest entry is evicted. The caches' own TTL isn't used, because stale entries are
  // still shown until they are refreshed.
  readonly #found = new LRUCache<string, CacheEntry>({ max: MAX_ENTRIES });
  readonly #missing = new LRUCache<string, Missing>({ max: MAX_MISSING });

  constructor(now: () => number, entries: readonly CacheEntry[]) {
    this.#now = now;
    this.#replaceAll(entries);
  }

  get(kind: Kind, id: string): CacheHit | undefined {
    const key = resourceKey(kind, id);
    const entry = this.#found.peek(key);
    if (entry) return { found: entry.found, fresh: this.#isFresh(TTL, entry.at) };
    const missing = this.#missing.peek(key);
    return missing && { missing: missing.missing, fresh: this.#isFresh(MISSING_TTL, missing.at) };
  }

  setFound(id: string, found: Found): void {
    const key = resourceKey(found.kind, id);
    this.#missing.delete(key);
    this.#found.set(key, { id, found, at: this.#now() });
  }

  setMissing(kind: Kind, id: string, missing: ServiceError): void {
    const key = resourceKey(kind, id);
    this.#found.delete(key);
    this.#missing.set(key, { missing, at: this.#now() });
  }

  /** Adds entries for IDs that aren't cached. */
  merge(entries: readonly CacheEntry[]): void {
    const now = this.#now();
    const added = entries.filter(({ id, found, at }) => at <= now && !this.get(found.kind, id));
    if (added.length > 0) this.#replaceAll([...this.entries(), ...added]);
  }

  /** All resources, oldest first. */
  entries(): CacheEntry[] {
    return [...this.#found.rvalues()].filter((entry) => entry !== undefined);
  }

  #replaceAll(entries: readonly CacheEntry[]): void {
    this.#found.clear();
    for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
      this.#found.set(resourceKey(entry.found.kind, entry.id), entry);
    }
  }

  /** False for times in the future, in case the clock was set back. */
  #isFresh(ttl: number, at: number): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < ttl;
  }
}
