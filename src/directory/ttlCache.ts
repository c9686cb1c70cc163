import { LRUCache } from 'lru-cache';
import type { ServiceError } from '../service/errors.ts';
import type { Found, Kind } from '../service/model.ts';

/** Something found, for the ID it was asked for, at a time in Unix milliseconds. */
export interface CacheEntry {
  id: string;
  found: Found;
  at: number;
}

interface Missing {
  missing: ServiceError;
  at: number;
}

/** What is known of an ID: what was found, or the error that says that there is nothing. */
export type CacheHit = { fresh: boolean } & (
  | { found: Found; missing?: undefined }
  | { found?: undefined; missing: ServiceError }
);

const FRESH = 10 * 60_000;
const MISSING_FRESH = 60_000;
const BOUND = 5_000;
const MISSING_BOUND = 1_000;

/** What the directory remembers: found things stay fresh for ten minutes, "not found" for one. Bounded in size. */
export class TtlCache {
  readonly #now: () => number;
  // Read with `peek`, so that the answer that came longest ago is the one evicted. The caches' own expiry would remove
  // what is no longer fresh, which is still shown until a new answer comes.
  readonly #found = new LRUCache<string, CacheEntry>({ max: BOUND });
  readonly #missing = new LRUCache<string, Missing>({ max: MISSING_BOUND });

  constructor(now: () => number, entries: readonly CacheEntry[]) {
    this.#now = now;
    this.#arrange(entries);
  }

  get(kind: Kind, id: string): CacheHit | undefined {
    const key = resourceKey(kind, id);
    const entry = this.#found.peek(key);
    if (entry) return { found: entry.found, fresh: this.#isWithin(FRESH, entry.at) };
    const missing = this.#missing.peek(key);
    return missing && { missing: missing.missing, fresh: this.#isWithin(MISSING_FRESH, missing.at) };
  }

  found(id: string, found: Found): void {
    const key = resourceKey(found.kind, id);
    this.#missing.delete(key);
    this.#found.set(key, { id, found, at: this.#now() });
  }

  missing(kind: Kind, id: string, missing: ServiceError): void {
    const key = resourceKey(kind, id);
    this.#found.delete(key);
    this.#missing.set(key, { missing, at: this.#now() });
  }

  /** Takes over what was found elsewhere, of IDs of which nothing is known here. */
  learn(entries: readonly CacheEntry[]): void {
    const now = this.#now();
    const news = entries.filter(({ id, found, at }) => at <= now && !this.get(found.kind, id));
    if (news.length > 0) this.#arrange([...this.entries(), ...news]);
  }

  /** All that was found, the oldest first. */
  entries(): CacheEntry[] {
    return [...this.#found.rvalues()].filter((entry) => entry !== undefined);
  }

  #arrange(entries: readonly CacheEntry[]): void {
    this.#found.clear();
    for (const entry of entries.toSorted((one, other) => one.at - other.at)) {
      this.#found.set(resourceKey(entry.found.kind, entry.id), entry);
    }
  }

  /** A clock that was set back must not keep anything fresh for ever. */
  #isWithin(limit: number, at: number): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < limit;
  }
}

/** A kind and an ID in one: what tells one resource from all others. */
export const resourceKey = (kind: Kind, id: string) => `${kind} ${id}`;
