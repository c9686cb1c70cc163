import type { ServiceError } from './errors.ts';
import type { Found, Kind } from './model.ts';

/** Something found, for the ID it was asked for, at a time in Unix milliseconds. */
export interface Entry {
  id: string;
  found: Found;
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

type Item = { id: string; at: number } & ({ found: Found } | { missing: ServiceError });

/** The newest entry of each ID, and of all those no more than are remembered; the oldest first. */
export function newestOf(entries: readonly Entry[]): Entry[] {
  return new Shelf(() => 0, entries).entries();
}

/** What the directory remembers: found things stay fresh for ten minutes, "not found" for one. Bounded in size. */
export class Shelf {
  readonly #now: () => number;
  /** In the order of their times: a Map keeps the order in which its keys came. */
  readonly #items = new Map<string, Item>();

  constructor(now: () => number, entries: readonly Entry[]) {
    this.#now = now;
    for (const entry of entries.toSorted((one, other) => one.at - other.at)) this.#put(entry.found.kind, entry);
  }

  get(kind: Kind, id: string): Known | undefined {
    const item = this.#items.get(keyOf(kind, id));
    if (!item) return undefined;
    const age = this.#now() - item.at;
    if ('found' in item) return { found: item.found, fresh: isWithin(age, FRESH) };
    return { missing: item.missing, fresh: isWithin(age, MISSING_FRESH) };
  }

  found(id: string, found: Found): void {
    this.#put(found.kind, { id, found, at: this.#now() });
  }

  missing(kind: Kind, id: string, missing: ServiceError): void {
    this.#put(kind, { id, missing, at: this.#now() });
  }

  /** All that was found, the oldest first. */
  entries(): Entry[] {
    return [...this.#items.values()].filter((item) => 'found' in item);
  }

  #put(kind: Kind, item: Item): void {
    const key = keyOf(kind, item.id);
    this.#items.delete(key);
    this.#items.set(key, item);
    const [oldest] = this.#items.keys();
    if (this.#items.size > BOUND && oldest !== undefined) this.#items.delete(oldest);
  }
}

/** A clock that was set back must not keep anything fresh for ever. */
const isWithin = (age: number, limit: number) => age >= 0 && age < limit;
const keyOf = (kind: Kind, id: string) => `${kind} ${id}`;
