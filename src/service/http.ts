/** One HTTP exchange: a request goes out, a status and a text come back. */
import { createFetch, FetchError, type FetchOptions } from 'ofetch';
import { ServiceError } from './errors.ts';
import { redactToken } from './redaction.ts';
import { TimeSlices } from './timeSlices.ts';

/** How many bytes are read before all others have a turn: what has come already is read without one. */
const TURN = 2 ** 19;

/** `query` is sent in the address, `body` as JSON; `token` is added to the query. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  token?: string;
}

export interface HttpResponse {
  status: number;
  text: string;
  /** How many milliseconds the header `Retry-After` asks to wait, where it is there. */
  retryAfter: number | undefined;
}

/**
 * Reads no more than `bound` bytes of the answer. Rejects with a ServiceError that says `unreachable` or `tooLarge`. An
 * aborted signal ends it in any way.
 */
export type HttpAdapter = (request: HttpRequest, bound: number, signal: AbortSignal) => Promise<HttpResponse>;

/** Exchanges over `fetch`. */
export function createHttpAdapter(fetch: typeof globalThis.fetch): HttpAdapter {
  const defaults: FetchOptions = {
    // The contract shows this header for every operation (section 4).
    headers: { 'content-type': 'application/json' },
    // A redirect could carry the token to another origin.
    redirect: 'manual',
    // Envelopes are decoded whatever the status.
    ignoreResponseError: true,
    // The transport decides what may be repeated.
    retry: false,
    // Only a stream can be read up to a bound.
    responseType: 'stream',
  };
  const send = createFetch({ fetch, defaults });

  return async ({ method, url, query, body, token }, bound, signal) => {
    const search = token === undefined ? query : { token, ...query };
    try {
      const response = await send.raw(url, { method, ...(search && { query: search }), ...(body && { body }), signal });
      const retryAfter = readRetryAfter(response.headers.get('retry-after'));
      return { status: response.status, text: await readText(response, bound, signal), retryAfter };
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      // The library's own error text quotes the address, token included: only the host's short word is passed on.
      throw new ServiceError({ kind: 'unreachable', reason: redactToken(rootCause(error), token) });
    }
  };
}

async function readText({ headers, body }: Response, bound: number, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return '';
  // Not awaited: what the sender does about it is no concern of ours.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const decoder = new TextDecoder();
    const slices = new TimeSlices(signal);
    let text = '';
    let size = Number(headers.get('content-length')) > bound ? Number.POSITIVE_INFINITY : 0;
    let turn = TURN;
    while (size <= bound) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (size < turn) continue;
      await slices.turn();
      turn = size + TURN;
    }
    cancel();
    throw new ServiceError({ kind: 'tooLarge', bound });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The header is a number of seconds or a date; anything else is as good as none. */
function readRetryAfter(header: string | null): number | undefined {
  if (header && /^\d+$/.test(header)) return Number(header) * 1000;
  // `Date.parse` takes much for a date that is none: those of HTTP end so.
  const ms = header?.endsWith(' GMT') ? Date.parse(header) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The code (ECONNREFUSED, ENOTFOUND…) or else the text of the innermost error. */
function rootCause(error: unknown): string {
  // What the library says of its own quotes the address.
  let innermost = error instanceof FetchError ? error.cause : error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return 'unknown';
  return 'code' in innermost && typeof innermost.code === 'string' ? innermost.code : innermost.message;
}
