/** Avatars as `data:` URIs, which a tooltip can show without asking anybody. */
import { Deadline } from '../service/deadline.ts';

export interface AvatarOptions {
  fetch: typeof globalThis.fetch;
  signal?: AbortSignal | undefined;
}

/** Bytes of a picture, characters of one that is a `data:` address: a card has no room for more. */
const BOUND = 72_000;
/** Milliseconds that a picture may take to load. */
const DEADLINE = 3000;
/** Bytes that are encoded at once: a multiple of 3, so that the pieces join. */
const PIECE = 3 * 8192;

const IMAGE_ADDRESS = /^data:image\/[\w.+-]+[;,]/i;
const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp|svg\+xml)(?=\s*(?:;|$))/i;

/**
 * The picture at an `https:` or `data:` address, as a `data:` URI of at most 72 kB; undefined where none loads within
 * 3 s. Never rejects. The request carries no credentials and no referrer, and follows no redirect.
 */
export async function loadAvatar(address: string, { fetch, signal }: AvatarOptions): Promise<string | undefined> {
  if (IMAGE_ADDRESS.test(address)) return address.length <= BOUND ? address : undefined;
  if (!isFetchable(address)) return undefined;
  const stop = new Deadline(signal);
  try {
    stop.within(DEADLINE);
    return await unlessStopped(download(address, fetch, stop.signal), stop.signal);
  } catch {
    return undefined;
  } finally {
    stop[Symbol.dispose]();
  }
}

/** The promise, which rejects with the signal's reason where that is aborted meanwhile. */
export function unlessStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function isFetchable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return protocol === 'https:' && !username && !password;
}

async function download(address: string, fetch: typeof globalThis.fetch, signal: AbortSignal) {
  signal.throwIfAborted();
  const { ok, headers, body } = await fetch(address, {
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  });
  const [type] = IMAGE_TYPE.exec(headers.get('content-type') ?? '') ?? [];
  const isWanted = ok && type && !signal.aborted && !(Number(headers.get('content-length')) > BOUND);
  const bytes = isWanted ? await readBytes(body, signal) : void body?.cancel().catch(() => {});
  return type && bytes?.length ? `data:${type.toLowerCase()};base64,${base64(bytes)}` : undefined;
}

/** Undefined where there are more than may be. */
async function readBytes(body: ReadableStream<Uint8Array> | null, signal: AbortSignal) {
  const reader = body?.getReader();
  if (!reader) return undefined;
  // Not awaited: what the sender does about it is no concern of ours.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    const bytes = new Uint8Array(BOUND);
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, size);
      if (size + value.byteLength > BOUND) break;
      bytes.set(value, size);
      size += value.byteLength;
    }
    cancel();
    return undefined;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return text;
}
