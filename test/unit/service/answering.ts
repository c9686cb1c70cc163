import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Client, type ClientOptions } from '../../../src/service/client.ts';
import type { Clock } from '../../../src/service/clock.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { serve } from '../../host/serve.ts';
import { heldClock, instantClock } from '../clocks.ts';

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

/** A clock that only sleeps advance. They end at once, and deadlines never pass, however slow the machine is. */
export const patientClock = (): Clock => ({ ...instantClock(), after: () => () => {} });

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
  const client = new Client({ ...addresses, clock: patientClock(), ...options });
  return { origin, client, got, [Symbol.asyncDispose]: close };
}

/** Tracks the responses that HTTP servers of this process are sending, while in scope. */
export function watchServers() {
  const busy = new Set<ServerResponse>();
  const watch = (message: unknown) => {
    const { response } = message as { response: ServerResponse };
    busy.add(response);
    response.once('close', () => busy.delete(response));
  };
  subscribe('http.server.request.start', watch);
  return {
    /** Resolves when all responses have completed or their clients have disconnected. */
    async quiet() {
      const signal = AbortSignal.timeout(30_000);
      for (const response of busy) {
        await once(response, 'close', { signal }).catch(() => assert.fail(`${response.req.url} is not at its end`));
      }
    },
    [Symbol.dispose]: () => unsubscribe('http.server.request.start', watch),
  };
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
  return new Client({ ...addresses, fetch, clock: patientClock(), ...options });
}

/** A client that records the times of its requests, on a clock that only sleeps advance. */
export function counting(
  answer: (request: number) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  const clock = patientClock();
  const at: number[] = [];
  const count = () => answer(at.push(clock.now()));
  return { client: embedded(count, { clock, random: () => 0, ...options }), at, clock };
}

/** A success, contract 1. */
export const success = (data: unknown) => Response.json({ code: 1, msg: 'success', data });

/** A client of a service that always answers with this data. */
export const succeeding = (data: unknown) => embedded(() => success(data));

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

/** What a server answers too late, and the clock for that: its deadlines of 20 seconds pass after each request. */
export function late(answer: () => Response | Promise<Response>) {
  const { clock, pass } = heldClock();
  const answerLate = () => {
    void pass(20_000);
    return answer();
  };
  return { clock, answerLate };
}

/** A URL where nothing listens: not an ephemeral port, and not one that fetch blocks. */
export const NOBODY = 'http://127.0.0.1:2';

type Call = (client: Client, signal?: AbortSignal, token?: string, count?: number) => Promise<unknown>;

/** What tests of all operations need of one, written by hand from section 4 of the contract. */
interface Example {
  /** A call. `count` is how many elements are asked for, if the answer is a list. */
  readonly call: Call;
  /** Its request. A GET has no body. */
  readonly request: { method: string; path: string; query: Record<string, string>; body?: unknown };
  /** The least data of a success: one field, which is an object or a list. */
  readonly data: Readonly<Record<string, object>>;
  /** The most bytes that an answer may have, by how many elements are asked for. */
  readonly bytes: Readonly<Record<number, number>>;
}

const HELLO = { contentType: 'text', content: { text: 'Hello' } } as const;

export const examples: Readonly<Record<Operation, Example>> = {
  group: {
    call: (client, signal) => client.group('518204736', signal),
    request: { method: 'POST', path: '/web/v1/group/group-info', query: {}, body: { groupId: '518204736' } },
    data: { group: { groupId: 'g' } },
    bytes: { 1: 1_048_576 },
  },
  bot: {
    call: (client, signal) => client.bot('30481126', signal),
    request: { method: 'POST', path: '/web/v1/bot/bot-info', query: {}, body: { botId: '30481126' } },
    data: { bot: { botId: 'b' } },
    bytes: { 1: 1_048_576 },
  },
  user: {
    call: (client, signal) => client.user('7058314', signal),
    request: { method: 'GET', path: '/web/v1/user/homepage', query: { userId: '7058314' } },
    data: { user: { userId: 'u' } },
    bytes: { 1: 1_048_576 },
  },
  messages: {
    call: (client, signal, token = 'a-token', count = 20) =>
      client.messages(token, { kind: 'group', id: 'big' }, { latest: count }, signal),
    request: {
      method: 'GET',
      path: '/open/open-apis/v1/bot/messages',
      query: { token: 'a-token', 'chat-id': 'big', 'chat-type': 'group', before: '20' },
    },
    data: { list: [] },
    bytes: { 1: 589_824, 5: 1_900_544, 1000: 4_194_304 },
  },
  batchSend: {
    call: (client, signal, token = 'a-token', count = 1) =>
      client.batchSend(token, 'group', Array<string>(count).fill('big'), HELLO, { signal }),
    request: {
      method: 'POST',
      path: '/open/open-apis/v1/bot/batch_send',
      query: { token: 'a-token' },
      body: { recvIds: ['big'], recvType: 'group', contentType: 'text', content: { text: 'Hello' } },
    },
    data: { successList: [] },
    bytes: { 1: 263_168, 1000: 1_286_144, 100000: 4_194_304 },
  },
};

export const operationNames = Object.keys(examples) as readonly Operation[];

/** The calls by name. */
export const operations = Object.fromEntries(
  Object.entries(examples).map(([name, { call }]) => [name, call]),
) as Readonly<Record<Operation, Call>>;

const callsWith = (token: boolean) =>
  Object.values(examples).flatMap(({ call, request }) => ('token' in request.query === token ? [call] : []));
export const callsWithToken = callsWith(true);
export const callsWithoutToken = callsWith(false);

const data = Object.assign({}, ...Object.values(examples).map((one) => one.data));
/** The fields of `data` that an operation needs, and a success of any. */
export const dataFields = Object.keys(data);
export const everything = JSON.stringify({ code: 1, msg: 'success', data });

/** The same fields with null values. */
export const nulls = (resource: object) => Object.fromEntries(Object.keys(resource).map((name) => [name, null]));

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

/** Asserts that all operations fail alike. */
export async function assertAllFail(client: Client, failure: Failure): Promise<void> {
  for (const [name, call] of Object.entries(operations)) assert.deepEqual(await failureOf(call(client)), failure, name);
}
