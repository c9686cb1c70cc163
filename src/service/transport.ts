/** One HTTP exchange with the service: a request goes out, the data of its envelope comes back, or a ServiceError. */
import { createFetch } from 'ofetch';
import * as v from 'valibot';
import { ServiceError } from './errors.ts';
import { requiredNumber, text } from './fields.ts';

/** One call of the service. `query` is sent in the address, `body` as JSON; `token` is added to the query. */
export interface Call {
  method: 'GET' | 'POST';
  url: string;
  query?: Record<string, string | number>;
  body?: Record<string, unknown>;
  token?: string;
  signal?: AbortSignal | undefined;
}

/** Sends a call and resolves to the `data` of a successful envelope, decoded; rejects with a {@link ServiceError}. */
export type Transport = <const S extends v.GenericSchema>(call: Call, schema: S) => Promise<v.InferOutput<S>>;

/** Contract section 1. */
const Envelope = v.looseObject({ code: requiredNumber, msg: text, data: v.optional(v.unknown()) });

const EXCERPT = 200;

/** A transport over `fetch` whose calls end within `timeout` milliseconds, body included. */
export function createTransport(fetch: typeof globalThis.fetch, timeout: number): Transport {
  const send = createFetch({ fetch, Headers, AbortController });

  return async ({ method, url, query, body, token, signal }, schema) => {
    const deadline = AbortSignal.timeout(timeout);
    const hideToken = (said: string) => (token ? redact(said, token) : said);
    let status: number;
    let received: string;
    try {
      const response = await send.raw(url, {
        method,
        query: token === undefined ? (query ?? {}) : { token, ...query },
        ...(body && { body }),
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        // A redirect could carry the token to another origin.
        redirect: 'manual',
        // Envelopes are decoded whatever the status; a repeated batch_send would be a second message.
        ignoreResponseError: true,
        retry: 0,
        responseType: 'text',
      });
      status = response.status;
      received = response._data ?? '';
    } catch (error) {
      if (signal?.aborted) throw new ServiceError({ kind: 'cancelled' });
      if (deadline.aborted) throw new ServiceError({ kind: 'timedOut', after: timeout });
      // The library's own error text quotes the address, token included: only the host's short code is passed on.
      throw new ServiceError({ kind: 'unreachable', reason: hideToken(rootCause(error)) });
    }

    const envelope = v.safeParse(Envelope, parseJson(received));
    if (!envelope.success) {
      const excerpt = hideToken(received.replace(/\s+/g, ' ').trim()).slice(0, EXCERPT);
      throw new ServiceError({ kind: status >= 200 && status < 300 ? 'notEnvelope' : 'http', status, excerpt });
    }
    const { code, msg, data } = envelope.output;
    if (code !== 1) throw new ServiceError({ kind: 'rejected', code, text: hideToken(msg) });
    return decode(schema, data);
  };
}

/** Reads the data of an envelope, or says where in it the trouble is: by type alone, for a value may quote a token. */
function decode<const S extends v.GenericSchema>(schema: S, data: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, data);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = ['data', v.getDotPath(issue)].filter(Boolean).join('.');
  throw new ServiceError({
    kind: 'unreadable',
    path,
    problem: `expected ${issue.expected}, got ${typeName(issue.input)}`,
  });
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function parseJson(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}

/** The code (ECONNREFUSED, ENOTFOUND…) or else the text of the innermost error. */
function rootCause(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return 'unknown';
  return 'code' in innermost && typeof innermost.code === 'string' ? innermost.code : innermost.message;
}

/** Takes a token out of a text, each character of it as it is or percent-encoded in any of the usual ways. */
function redact(said: string, token: string): string {
  const utf8 = new TextEncoder();
  const forms = Array.from(token, (character) => {
    const raw = `\\u{${character.codePointAt(0)?.toString(16)}}`;
    const encoded = Array.from(utf8.encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    return `(?:${raw}|${encoded}${character === ' ' ? '|\\+' : ''})`;
  });
  return said.replace(new RegExp(forms.join(''), 'giu'), '***');
}
