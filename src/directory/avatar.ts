/** Loads avatars as `data:` URIs, which a tooltip can show without a request, and never as a broken image. */
import { downloadImage } from './imageDownload.ts';

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
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/**
 * Loads the image at an `https:` or `data:` URL as a `data:` URI. Returns undefined if it has more than 72 kB or doesn't
 * load within 3 s. Never rejects.
 */
export async function loadAvatar(url: string, { fetch, signal }: AvatarOptions): Promise<string | undefined> {
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
