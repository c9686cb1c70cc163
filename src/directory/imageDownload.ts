/** Downloads images over https, within limits. */
import { parseUrl } from '../service/address.ts';
import { Deadline } from '../service/deadline.ts';

export type ImageProblem =
  /** The address isn't https, or contains a user name. */
  | { kind: 'address' }
  | { kind: 'status'; status: number }
  | { kind: 'type'; type: string }
  | { kind: 'tooLarge' }
  | { kind: 'empty' };

export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export interface ImageRequest {
  fetch: typeof globalThis.fetch;
  signal?: AbortSignal | undefined;
  maxBytes: number;
  /** Milliseconds. */
  timeout: number;
  /** The accepted media types. */
  types: readonly string[];
}

export interface Image {
  type: string;
  bytes: Uint8Array;
}

/**
 * The image at an `https:` URL. The request has no credentials and no referrer, and follows no redirects.
 * @throws ImageError, ServiceError `timedOut` or `cancelled`, or any error of `fetch`
 */
export async function downloadImage(url: string, { signal, timeout, ...request }: ImageRequest): Promise<Image> {
  if (!isFetchable(url)) throw new ImageError({ kind: 'address' });
  const deadline = new Deadline(signal);
  try {
    deadline.start(timeout);
    return await abortable(download(url, request, deadline.signal), deadline.signal);
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
  const parsed = parseUrl(url);
  return parsed?.protocol === 'https:' && !parsed.username && !parsed.password;
}

type Limits = Pick<ImageRequest, 'fetch' | 'maxBytes' | 'types'>;

async function download(url: string, { fetch, maxBytes, types }: Limits, signal: AbortSignal): Promise<Image> {
  signal.throwIfAborted();
  const response = await fetch(url, {
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  });
  const named = (response.headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  // This isn't a registered name, but browsers and many hosts know it.
  const type = named === 'image/jpg' ? 'image/jpeg' : named;
  const problem = problemOf(response, type, { maxBytes, types });
  if (problem || signal.aborted) {
    void response.body?.cancel().catch(() => {});
    throw problem ? new ImageError(problem) : signal.reason;
  }
  const bytes = await readBytes(response.body, maxBytes, signal);
  if (bytes.length === 0) throw new ImageError({ kind: 'empty' });
  return { type, bytes };
}

function problemOf(
  { ok, status, headers }: Response,
  type: string,
  { maxBytes, types }: Omit<Limits, 'fetch'>,
): ImageProblem | undefined {
  if (!ok) return { kind: 'status', status };
  if (!types.includes(type)) return { kind: 'type', type };
  return Number(headers.get('content-length')) > maxBytes ? { kind: 'tooLarge' } : undefined;
}

/** @throws ImageError if the body is too large */
async function readBytes(body: ReadableStream<Uint8Array> | null, maxBytes: number, signal: AbortSignal) {
  const reader = body?.getReader();
  if (!reader) return new Uint8Array();
  // Not awaited: canceling may take long.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joined(chunks, size);
      size += value.byteLength;
      if (size > maxBytes) break;
      chunks.push(value);
    }
    cancel();
    throw new ImageError({ kind: 'tooLarge' });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
