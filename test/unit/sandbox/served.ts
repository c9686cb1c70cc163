import assert from 'node:assert/strict';
import type { FaultyOptions } from '../../../src/sandbox/faulty.ts';
import { serveSandbox } from '../../host/serve.ts';

/** An HTTP response without assumptions about its content. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert its content
  readonly body: any;
}

/** The query of a message list. */
export type Query = Record<string, string>;

/** A sandbox behind an HTTP server, and helpers for requests. */
export async function served(options: Omit<FaultyOptions, 'origin'> = {}) {
  const { sandbox, origin, close } = await serveSandbox(options);
  const { webUrl, openApiUrl } = sandbox;
  const token = sandbox.token('30481126') ?? '';

  const ask = async (url: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(url, init);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    return { status: response.status, body: await response.json() };
  };
  const post = (url: string, body: unknown) =>
    ask(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  return {
    sandbox,
    origin,
    token,
    close,
    ask,
    post,
    group: (body: unknown) => post(`${webUrl}/v1/group/group-info`, body),
    bot: (body: unknown) => post(`${webUrl}/v1/bot/bot-info`, body),
    user: (query: string) => ask(`${webUrl}/v1/user/homepage${query}`),
    /** By default, the first group's messages for the first bot. */
    messages: (query: Query) => {
      const all = { token, 'chat-id': '518204736', 'chat-type': 'group', ...query };
      return ask(`${openApiUrl}/open-apis/v1/bot/messages?${new URLSearchParams(all)}`);
    },
    /** By default, a text to the first group. */
    send: (body: object, as = token) => {
      const all = {
        recvIds: ['518204736'],
        recvType: 'group',
        contentType: 'text',
        content: { text: 'Hello' },
        ...body,
      };
      return post(`${openApiUrl}/open-apis/v1/bot/batch_send?token=${as}`, all);
    },
  };
}

export type Served = Awaited<ReturnType<typeof served>>;

/** Asserts that an object has exactly these fields with these types. */
export function assertFields(object: object, types: Record<string, string>): void {
  const found = Object.entries(object).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]);
  assert.deepEqual(Object.fromEntries(found), types);
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'number') assert.ok(Number.isInteger(value), `${name} is an int`);
  }
}

/** Asserts a refusal: HTTP 200, this code, a text that matches, and no data. */
export function assertRefused({ status, body }: Answer, code: number, text: RegExp): void {
  assert.deepEqual(
    { status, fields: Object.keys(body), code: body.code },
    { status: 200, fields: ['code', 'msg'], code },
  );
  assert.match(body.msg, text);
}

/** The data of a success: HTTP 200 and only the envelope of contract 1. */
export function dataOf({ status, body }: Answer) {
  const { data, ...rest } = body;
  assert.deepEqual({ status, ...rest }, { status: 200, code: 1, msg: 'success' });
  assert.ok(typeof data === 'object' && data !== null && !Array.isArray(data));
  return data;
}
