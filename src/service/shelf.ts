import type { ServiceError } from './errors.ts';
import type { Found, Kind } from './model.ts';

/** Something found, for the ID it was asked for, at a time in Unix milliseconds. */
export interface Entry {
  id: string;
  found: Found;
  at: number;
}

interface Missing {
  missing: ServiceError;
  at: number;
}

/** What is known of an ID: what was found, or the error that says that there is nothing. */
export type Known = { fresh: boolean } & (
  | { found: Found; missing?: undefined }
  | { found?: undefined; missing: ServiceError }
);

const FRESH = 10 * 60_000;
const MISSING_FRESH = 60_000;
const BOUND = 5_000;
const MISSING_BOUND = 1_000;

/** What the directory remembers: found things stay fresh for ten minutes, "not found" for one. Bounded in size. */
export class Shelf {
  readonly #now: () => number;
  // Both in the order of their times: a Map keeps the order in which its keys came.
  #found = new Map<string, Entry>();
  readonly #missing = new Map<string, Missing>();

  constructor(now: () => number, entries: readonly Entry[]) {
    this.#now = now;
    this.#arrange(entries);
  }

  get(kind: Kind, id: string): Known | undefined {
    const key = keyOf(kind, id);
    const entry = this.#found.get(key);
    if (entry) return { found: entry.found, fresh: this.#isWithin(FRESH, entry.at) };
    const missing = this.#missing.get(key);
    return missing && { missing: missing.missing, fresh: this.#isWithin(MISSING_FRESH, missing.at) };
  }

  found(id: string, found: Found): void {
    const key = keyOf(found.kind, id);
    this.#missing.delete(key);
    put(this.#found, key, { id, found, at: this.#now() }, BOUND);
  }

  missing(kind: Kind, id: string, missing: ServiceError): void {
    const key = keyOf(kind, id);
    this.#found.delete(key);
    put(this.#missing, key, { missing, at: this.#now() }, MISSING_BOUND);
  }

  /** Takes over what was found elsewhere, of IDs of which nothing is known here. */
  learn(entries: readonly Entry[]): void {
    const now = this.#now();
    const news = entries.filter(({ id, found, at }) => at <= now && !this.get(found.kind, id));
    if (news.length > 0) this.#arrange([...this.#found.values(), ...news]);
  }

  /** All that was found, the oldest first. */
  entries(): Entry[] {
    return [...this.#found.values()];
  }

  #arrange(entries: readonly Entry[]): void {
    this.#found = new Map();
    for (const entry of entries.toSorted((one, other) => one.at - other.at)) {
      put(this.#found, keyOf(entry.found.kind, entry.id), entry, BOUND);
    }
  }

  /** A clock that was set back must not keep anything fresh for ever. */
  #isWithin(limit: number, at: number): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < limit;
  }
}

/** A kind and an ID in one: what tells one resource from all others. */
export const keyOf = (kind: Kind, id: string) => `${kind} ${id}`;

/** As the newest of a bounded map. */
function put<T>(map: Map<string, T>, key: string, value: T, bound: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > bound && oldest !== undefined) map.delete(oldest);
}
