import delay from 'delay';
import { LRUCache } from 'lru-cache';
import { loadAvatar, unlessStopped } from './avatar.ts';

/** One address that is being loaded, and how many callers wait for it. */
interface Load {
  picture: Promise<string | undefined>;
  abort: AbortController;
  waiting: number;
}

interface Remembered {
  /** Undefined where none loaded. */
  picture: string | undefined;
  at: number;
}

export interface AvatarCacheOptions {
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds. */
  now?: () => number;
}

export interface Soon {
  late?(): void;
  signal?: AbortSignal;
}

const KEPT = 100;
/** How long a card waits for an avatar (milliseconds); one that takes longer is in the next card. */
const PATIENCE = 400;
/** How long a picture that did not load is not asked for again (milliseconds). */
const FAILED = 60_000;

/** Remembers the pictures of the addresses that were used last, and loads each once however many ask for it. */
export class AvatarCache {
  readonly #fetch: typeof globalThis.fetch;
  readonly #now: () => number;
  readonly #kept = new LRUCache<string, Remembered>({ max: KEPT });
  readonly #loading = new Map<string, Load>();

  constructor({ fetch = globalThis.fetch, now = Date.now }: AvatarCacheOptions = {}) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /**
   * The picture at an address as `loadPicture` has it; undefined, too, as soon as `signal` is aborted. Never rejects.
   * What several callers wait for is given up when all of them have.
   */
  async get(address: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return undefined;
    const kept = this.#kept.get(address);
    if (kept && (kept.picture !== undefined || this.#isRecent(kept.at))) return kept.picture;
    const load = this.#loading.get(address) ?? this.#begin(address);
    load.waiting++;
    try {
      return await (signal ? unlessStopped(load.picture, signal) : load.picture);
    } catch {
      return undefined;
    } finally {
      load.waiting--;
      if (load.waiting === 0) this.#giveUp(address, load);
    }
  }

  /** The picture, if it is there in a moment; `late` is called when it comes after that. Never rejects. */
  async soon(address: string, { late, signal }: Soon = {}): Promise<string | undefined> {
    if (!address) return undefined;
    const loading = this.get(address, signal);
    const picture = await Promise.race([loading, delay(PATIENCE, { value: 'late' as const })]);
    if (picture !== 'late') return picture;
    void loading.then((arrived) => arrived && late?.());
    return undefined;
  }

  #begin(address: string): Load {
    const abort = new AbortController();
    const picture = loadAvatar(address, { fetch: this.#fetch, signal: abort.signal }).then((picture) => {
      if (!abort.signal.aborted) {
        this.#loading.delete(address);
        // Of what is no address to fetch from there is nothing to save, and such a text may be long.
        if (/^https:/i.test(address)) this.#kept.set(address, { picture, at: this.#now() });
      }
      return picture;
    });
    const load = { picture, abort, waiting: 0 };
    this.#loading.set(address, load);
    return load;
  }

  /** Nothing where it has ended; otherwise it says nothing about the picture, and who asks next loads it anew. */
  #giveUp(address: string, load: Load): void {
    if (this.#loading.get(address) !== load) return;
    this.#loading.delete(address);
    load.abort.abort();
  }

  /** A clock that was set back must not keep a failure for ever. */
  #isRecent(at: number): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < FAILED;
  }
}
