/** Sends an HTTP request and reads the response as text. */
import { createFetch, FetchError, type FetchOptions } from 'ofetch';
import { systemClock } from './clock.ts';
import { ServiceError } from './errors.ts';
import { redactToken } from './redaction.ts';
import { TimeSlices } from './timeSlices.ts';

/** Bytes to read before yielding to the event loop: buffered data is read without yielding. */
const BLOCK = 2 ** 19;

/** `body` is sent as JSON. `token` is added to the query. */
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
  /** The `Retry-After` header in milliseconds, if present. */
  retryAfter: number | undefined;
}

/**
 * Reads at most `maxBytes` bytes. Rejects with a ServiceError `unreachable` or `tooLarge`, or with any error if the
 * signal aborts.
 */
export type HttpAdapter = (request: HttpRequest, maxBytes: number, signal: AbortSignal) => Promise<HttpResponse>;

/** Required for every operation (contract section 4). */
const HEADERS = { 'content-type': 'application/json' };

/**
 * An adapter over `fetch`. In a browser, a header on a GET would make the browser ask for permission first, which few
 * services answer.
 */
export function createHttpAdapter(fetch: typeof globalThis.fetch, inBrowser = false): HttpAdapter {
  const defaults: FetchOptions = {
    // A redirect could leak the token to another origin.
    redirect: 'manual',
    // An envelope may come with any status.
    ignoreResponseError: true,
    // The transport retries.
    retry: false,
    // Only a stream can be limited in size.
    responseType: 'stream',
  };
  const send = createFetch({ fetch, defaults });

  return async ({ method, url, query, body, token }, maxBytes, signal) => {
    const search = token === undefined ? query : { token, ...query };
    try {
      const headers = inBrowser && method === 'GET' ? {} : HEADERS;
      const query = search && { query: search };
      const response = await send.raw(url, { method, headers, ...query, ...(body && { body }), signal });
      if (response.type === 'opaqueredirect') throw new ServiceError({ kind: 'redirected' });
      const retryAfter = readRetryAfter(response.headers.get('retry-after'));
      return { status: response.status, text: await readText(response, maxBytes, signal), retryAfter };
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      // The library's own message quotes the URL with the token, so only the root cause is kept.
      const reason = redactToken(rootCause(error), token);
      throw new ServiceError({ kind: 'unreachable', reason, ...(inBrowser && { inBrowser }) });
    }
  };
}

async function readText({ headers, body }: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return '';
  // Not awaited: canceling may take long.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const decoder = new TextDecoder();
    const slices = new TimeSlices(signal);
    let text = '';
    let size = Number(headers.get('content-length')) > maxBytes ? Number.POSITIVE_INFINITY : 0;
    let nextPause = BLOCK;
    while (size <= maxBytes) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (size < nextPause) continue;
      await slices.pause();
      nextPause = size + BLOCK;
    }
    cancel();
    throw new ServiceError({ kind: 'tooLarge', bound: maxBytes });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** An HTTP date in one of its three formats (RFC 9110, 5.6.7). The last one has no time zone: it's GMT, too. */
const HTTP_DATE =
  /^[a-z]{3,9}(?:, \d\d[- ][a-z]{3}[- ]\d\d(?:\d\d)? [\d:]{8} GMT|( [a-z]{3} [ \d]\d [\d:]{8} \d{4}))$/i;

/** Parses seconds or an HTTP date into milliseconds from now. Of several, the longest counts. Others are ignored. */
function readRetryAfter(header: string | null): number | undefined {
  // A date has a comma of its own.
  const values = header?.split(/,(?! ?\d\d[- ][a-z])/i) ?? [];
  const waits = values.map((value) => waitOf(value.trim().replace(/^"(.*)"$/, '$1'))).filter((ms) => !Number.isNaN(ms));
  return waits.length > 0 ? Math.min(Math.max(0, ...waits), Number.MAX_SAFE_INTEGER) : undefined;
}

function waitOf(value: string): number {
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value)) * 1000;
  // `Date.parse` also accepts text that is no HTTP date.
  const [date, withoutZone] = HTTP_DATE.exec(value) ?? [];
  return date === undefined ? Number.NaN : Date.parse(withoutZone ? `${date} GMT` : date) - systemClock.wall();
}

/** The code (ECONNREFUSED, ENOTFOUND…) or message of the innermost error. */
function rootCause(error: unknown): string {
  // The library's own message quotes the URL.
  let innermost = error instanceof FetchError ? error.cause : error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return 'unknown';
  return 'code' in innermost && typeof innermost.code === 'string' ? innermost.code : innermost.message;
}
