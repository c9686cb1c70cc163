import assert from 'node:assert/strict';
import { Client, type ClientOptions } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import { serve } from '../../host/serve.ts';
import { instantClock } from '../clocks.ts';

/** A received HTTP request. */
interface Got {
  method: string;
  path: string;
  /** As received, without the question mark. */
  search: string;
  query: Record<string, string>;
  contentType: string | null;
  body: string;
}

type Answer = (request: Request) => Response | Promise<Response>;

/** A server that records requests and answers them all alike, and a client whose retries don't wait. */
export async function answering(answer: Answer, options: Partial<ClientOptions> = {}) {
  const got: Got[] = [];
  const { origin, close } = await serve(async (request) => {
    const [, path = '', search = ''] = /^https?:\/\/[^/]+([^?]*)\??(.*)$/.exec(request.url) ?? [];
    const query = Object.fromEntries(new URLSearchParams(search));
    const contentType = request.headers.get('content-type');
    got.push({ method: request.method, path, search, query, contentType, body: await request.text() });
    return answer(request);
  });
  const addresses = { webUrl: `${origin}/web`, openApiUrl: `${origin}/open` };
  const client = new Client({ ...addresses, clock: instantClock(), ...options });
  return { origin, client, got, [Symbol.asyncDispose]: close };
}

/** A client of a service in this process. */
export function embedded(answer: Answer, options: Partial<ClientOptions> = {}): Client {
  const addresses = { webUrl: 'https://chat.example/web', openApiUrl: 'https://chat.example/open' };
  const fetch: typeof globalThis.fetch = async (...asked) => {
    const request = new Request(...asked);
    const aborted = new Promise<never>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
    return Promise.race([answer(request), aborted]);
  };
  return new Client({ ...addresses, fetch, clock: instantClock(), ...options });
}

/** A success, contract 1. */
export const success = (data: unknown) => Response.json({ code: 1, msg: 'success', data });

/** A response with any body and status. */
export const body = (text: string, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });

/** A response that stops after the headers and first bytes. */
export const unfinished = () => {
  const begin = (stream: ReadableStreamDefaultController) => stream.enqueue(new TextEncoder().encode('{"code":1,'));
  return new Response(new ReadableStream({ start: begin }), { headers: { 'content-type': 'application/json' } });
};

/** A server that never answers. */
export const silence = () => new Promise<Response>(() => {});

/** A URL where nothing listens: not an ephemeral port, and not one that fetch blocks. */
export const NOBODY = 'http://127.0.0.1:2';

type Operation = (client: Client, signal?: AbortSignal, token?: string) => Promise<unknown>;

/** One call of each operation of contract 4. */
export const operations: Record<'group' | 'bot' | 'user' | 'messages' | 'batchSend', Operation> = {
  group: (client, signal) => client.group('518204736', signal),
  bot: (client, signal) => client.bot('30481126', signal),
  user: (client, signal) => client.user('7058314', signal),
  messages: (client, signal, token = 'a-token') =>
    client.messages(token, { kind: 'group', id: 'big' }, { latest: 20 }, signal),
  batchSend: (client, signal, token = 'a-token') =>
    client.batchSend(token, 'group', ['big'], { contentType: 'text', content: { text: 'Hello' } }, { signal }),
};

/** The error that a call rejects with. */
export async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => assert.fail('The call succeeded.'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

/** The failure that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  return (await errorOf(call)).failure;
}
