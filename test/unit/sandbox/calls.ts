/** Calls of a sandbox in process, and what must be true of its answers. */
import assert from 'node:assert/strict';
import { createFaultySandbox, type FaultyOptions } from '../../faults/faultySandbox.ts';

/** A response without assumptions about its content. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert its content
  readonly body: any;
}

export type Query = Record<string, string>;

/** The sandbox's first group and first bot. */
export const GROUP = '518204736';
export const BOT = '30481126';

/** A sandbox of its own for a test, with a function for each operation. */
export function createCalls(options: FaultyOptions = {}) {
  const sandbox = createFaultySandbox(options);
  const { webUrl, openApiUrl } = sandbox;
  const token = sandbox.token(BOT) ?? '';

  const ask = async (url: string, init?: RequestInit): Promise<Answer> => {
    const response = await sandbox.fetch(new Request(url, init));
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    return { status: response.status, body: await response.json() };
  };
  const post = (url: string, body: unknown) => ask(url, posting(body));
  /** The address of a page of messages: by default of the first group, for the first bot. */
  const messagesUrl = (query: Query) => {
    const all = { token, 'chat-id': GROUP, 'chat-type': 'group', ...query };
    return `${openApiUrl}/open-apis/v1/bot/messages?${new URLSearchParams(all)}`;
  };
  const sendUrl = (as = token) => `${openApiUrl}/open-apis/v1/bot/batch_send?token=${as}`;

  return {
    sandbox,
    token,
    ask,
    post,
    messagesUrl,
    sendUrl,
    group: (body: unknown) => post(`${webUrl}/v1/group/group-info`, body),
    bot: (body: unknown) => post(`${webUrl}/v1/bot/bot-info`, body),
    user: (query: string) => ask(`${webUrl}/v1/user/homepage${query}`),
    messages: (query: Query) => ask(messagesUrl(query)),
    /** Sends what is given, or else a text to the first group. */
    send: (body: object, as?: string) => post(sendUrl(as), { ...textTo(GROUP), ...body }),
  };
}

export type Calls = ReturnType<typeof createCalls>;

/** The body of a batch send: a text to these groups. */
export const textTo = (...recvIds: string[]) => ({
  recvIds,
  recvType: 'group',
  contentType: 'text',
  content: { text: 'Hello' },
});

/** A POST of a value as JSON, or of a text as it is. */
export const posting = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The names of fields by their type, such as `{ string: 'id name', number: 'time' }`. */
export type Fields = Readonly<Record<string, string>>;

/** Asserts that an object has exactly these fields with these types. */
export function assertFields(object: object, types: Fields): void {
  const expected = Object.entries(types).flatMap(([type, names]) => names.split(' ').map((name) => [name, type]));
  const found = Object.entries(object).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'number') assert.ok(Number.isInteger(value), `${name} is an int`);
  }
}

/** Asserts a refusal: HTTP 200, this code, this text, and no data. */
export function assertRefused({ status, body }: Answer, code: number, msg: string): void {
  assert.deepEqual({ status, body }, { status: 200, body: { code, msg } });
}

/** The data of a success: HTTP 200 and only the envelope of contract 1. */
export function dataOf({ status, body }: Answer) {
  const { data, ...rest } = body;
  assert.deepEqual({ status, ...rest }, { status: 200, code: 1, msg: 'success' });
  assert.ok(typeof data === 'object' && data !== null && !Array.isArray(data));
  return data;
}
