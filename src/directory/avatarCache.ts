/** Avatars as `data:` URIs, which a tooltip can show without a request, and never as a broken image. */
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../service/clock.ts';
import { abortable, downloadImage, type ImageRequest } from './imageDownload.ts';

/** A pending load and the number of callers that wait for it. */
interface PendingAvatar {
  uri: Promise<string | undefined>;
  abort: AbortController;
  waiters: number;
}

interface CachedAvatar {
  /** The image; undefined if it didn't load. */
  uri: string | undefined;
  at: number;
}

interface AvatarCacheOptions {
  fetch?: typeof globalThis.fetch;
  clock?: Pick<Clock, 'after' | 'wall'>;
}

interface GetSoonOptions {
  /** Called when the avatar arrives after the call has returned. */
  late?(): void;
  signal?: AbortSignal;
}

/** The most bytes of an image, or characters of a `data:` URI, that fit in a card. */
const MAX_SIZE = 72_000;
/** How long loading an avatar may take, in milliseconds. */
const TIMEOUT = 3000;
/** Bytes to encode at a time: a multiple of 3, so that the results can be joined. */
const CHUNK = 3 * 8192;

const IMAGE_DATA_URI = /^data:image\/[\w.+-]+[;,]/i;
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

const MAX_AVATARS = 100;
/** How long a card waits for an avatar, in milliseconds. */
const PATIENCE = 400;
/** How long a failed load isn't retried, in milliseconds. */
const FAILURE_TTL = 60_000;

/** Caches the most recently used avatars by URL. Concurrent callers share a load. */
export class AvatarCache {
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Pick<Clock, 'after' | 'wall'>;
  readonly #cache = new LRUCache<string, CachedAvatar>({ max: MAX_AVATARS });
  readonly #pending = new Map<string, PendingAvatar>();

  constructor({ fetch = globalThis.fetch, clock = systemClock }: AvatarCacheOptions = {}) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * The image at a URL, as {@link loadAvatar} returns it, or undefined as soon as `signal` aborts. Never rejects. A load
   * is canceled when all of its callers have canceled.
   */
  async get(url: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return undefined;
    const cached = this.#cache.get(url);
    if (cached && (cached.uri !== undefined || this.#isRecent(cached.at))) return cached.uri;
    const pending = this.#pending.get(url) ?? this.#start(url);
    pending.waiters++;
    try {
      return await (signal ? abortable(pending.uri, signal) : pending.uri);
    } catch {
      return undefined;
    } finally {
      pending.waiters--;
      if (pending.waiters === 0) this.#cancel(url, pending);
    }
  }

  /** Like {@link get}, but returns undefined if loading takes too long. `late` is called if it then succeeds. */
  async getSoon(url: string, { late, signal }: GetSoonOptions = {}): Promise<string | undefined> {
    if (!url) return undefined;
    const loading = this.get(url, signal);
    let stopWaiting = () => {};
    const patience = new Promise<'late'>((resolve) => {
      stopWaiting = this.#clock.after(PATIENCE, () => resolve('late'));
    });
    const uri = await Promise.race([loading, patience]);
    stopWaiting();
    if (uri !== 'late') return uri;
    void loading.then((arrived) => arrived && late?.());
    return undefined;
  }

  #start(url: string): PendingAvatar {
    const abort = new AbortController();
    const uri = loadAvatar(url, { fetch: this.#fetch, signal: abort.signal }).then((loaded) => {
      if (!abort.signal.aborted) {
        this.#pending.delete(url);
        // Other URLs cost no request, and `data:` URIs may be long.
        if (/^https:/i.test(url)) this.#cache.set(url, { uri: loaded, at: this.#clock.wall() });
      }
      return loaded;
    });
    const pending = { uri, abort, waiters: 0 };
    this.#pending.set(url, pending);
    return pending;
  }

  /** Cancels a load unless it has completed. The next caller starts it again. */
  #cancel(url: string, pending: PendingAvatar): void {
    if (this.#pending.get(url) !== pending) return;
    this.#pending.delete(url);
    pending.abort.abort();
  }

  /** False for times in the future, in case the clock was set back. */
  #isRecent(at: number): boolean {
    const age = this.#clock.wall() - at;
    return age >= 0 && age < FAILURE_TTL;
  }
}

/**
 * Loads the image at an `https:` or `data:` URL as a `data:` URI. Returns undefined if it has more than 72 kB or doesn't
 * load within 3 s. Never rejects.
 */
export async function loadAvatar(
  url: string,
  { fetch, signal }: Pick<ImageRequest, 'fetch' | 'signal'>,
): Promise<string | undefined> {
  if (IMAGE_DATA_URI.test(url)) return url.length <= MAX_SIZE ? url : undefined;
  try {
    const request = { fetch, signal, maxBytes: MAX_SIZE, timeout: TIMEOUT, types: TYPES };
    const { type, bytes } = await downloadImage(url, request);
    return `data:${type};base64,${base64(bytes)}`;
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}
