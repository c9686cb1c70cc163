/** Loads avatars as `data:` URIs, which a tooltip can show without a request. */
import { Deadline } from '../service/deadline.ts';

export interface AvatarOptions {
  fetch: typeof globalThis.fetch;
  signal?: AbortSignal | undefined;
}

/** The most bytes of an image, or characters of a `data:` URI, that fit in a card. */
const MAX_SIZE = 72_000;
/** Milliseconds. */
const TIMEOUT = 3000;
/** Bytes to encode at a time: a multiple of 3, so that the results can be joined. */
const CHUNK = 3 * 8192;

const IMAGE_DATA_URI = /^data:image\/[\w.+-]+[;,]/i;
const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp|svg\+xml)(?=\s*(?:;|$))/i;

/**
 * Loads the image at an `https:` or `data:` URL as a `data:` URI. Returns undefined if it has more than 72 kB or doesn't
 * load within 3 s. Never rejects. The request has no credentials and no referrer, and follows no redirects.
 */
export async function loadAvatar(url: string, { fetch, signal }: AvatarOptions): Promise<string | undefined> {
  if (IMAGE_DATA_URI.test(url)) return url.length <= MAX_SIZE ? url : undefined;
  if (!isFetchable(url)) return undefined;
  const deadline = new Deadline(signal);
  try {
    deadline.start(TIMEOUT);
    return await abortable(download(url, fetch, deadline.signal), deadline.signal);
  } catch {
    return undefined;
  } finally {
    deadline[Symbol.dispose]();
  }
}

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason);
    signal.addEventListener('abort', cancel);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}

function isFetchable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && !username && !password;
}

async function download(url: string, fetch: typeof globalThis.fetch, signal: AbortSignal) {
  signal.throwIfAborted();
  const { ok, headers, body } = await fetch(url, {
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  });
  const [type] = IMAGE_TYPE.exec(headers.get('content-type') ?? '') ?? [];
  const isAccepted = ok && type && !signal.aborted && !(Number(headers.get('content-length')) > MAX_SIZE);
  const bytes = isAccepted ? await readBytes(body, signal) : void body?.cancel().catch(() => {});
  return type && bytes?.length ? `data:${type.toLowerCase()};base64,${base64(bytes)}` : undefined;
}

/** Reads a body. Returns undefined if it's too large. */
async function readBytes(body: ReadableStream<Uint8Array> | null, signal: AbortSignal) {
  const reader = body?.getReader();
  if (!reader) return undefined;
  // Not awaited: canceling may take long.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    const bytes = new Uint8Array(MAX_SIZE);
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, size);
      if (size + value.byteLength > MAX_SIZE) break;
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
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}
