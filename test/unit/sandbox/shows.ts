// What an HTTP client sees for each fault.
import assert from 'node:assert/strict';

/** One request to a sandbox. */
export type Ask = () => Promise<Response>;

/** The bytes of a body until it breaks off, and the error. */
export async function broken(response: Response) {
  const got: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of response.body ?? []) got.push(chunk);
  })();
  const error = await reading.then(
    () => assert.fail('The body came whole.'),
    (error: unknown) => error,
  );
  return { text: Buffer.concat(got).toString(), error };
}

export const reset = async (ask: Ask) => {
  await assert.rejects(ask(), ({ cause }: Error) => (cause as { code?: string }).code === 'ECONNRESET');
};

export const cut = async (ask: Ask) => {
  const response = await ask();
  assert.equal(response.status, 200);
  const { text, error } = await broken(response);
  assert.match(text, /^\{"code":1,"msg":"/);
  assert.equal(Buffer.byteLength(text), Math.floor(Number(response.headers.get('content-length')) / 2));
  assert.equal((error as Error).message, 'terminated');
};

export const garbage = async (ask: Ask) => {
  const response = await ask();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json');
  const bytes = await response.arrayBuffer();
  assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), TypeError);
  assert.throws(() => JSON.parse(new TextDecoder().decode(bytes)), SyntaxError);
};

export const page = (status: number) => async (ask: Ask) => {
  const response = await ask();
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal(response.headers.get('retry-after'), null);
  // The page quotes the URL with the token.
  assert.match(await response.text(), /^<!DOCTYPE html>[\s\S]*\?token=sandbox-token-62118403/);
};

export const endless = async (ask: Ask) => {
  const response = await ask();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-length'), null);
  let text = '';
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.length > 1_000_000) break;
  }
  assert.match(text, /^\{"code":1,"msg":"success","data":\{ +$/);
  assert.ok(text.length > 1_000_000);
};

export const wrongData = async (ask: Ask) => {
  const { status, headers, body } = await parsed(ask);
  assert.deepEqual([status, headers.get('content-type'), body.code], [200, 'application/json', 1]);
  const { list, total, successList, successCount } = body.data;
  assert.ok(!Array.isArray(list ?? successList));
  assert.equal(typeof (total ?? successCount), 'string');
};

export const refusal = (expected: object, httpStatus: number) => async (ask: Ask) => {
  const { status, body } = await parsed(ask);
  assert.deepEqual({ status, body }, { status: httpStatus, body: expected });
};

export const redirect = (status: number, to: () => string) => async (ask: Ask) => {
  const response = await ask();
  assert.equal(response.status, status);
  const location = response.headers.get('location') ?? '';
  assert.ok(location.startsWith(to()), location);
  assert.match(location, /[?&]token=sandbox-token-62118403/);
  assert.equal(await response.text(), '');
};

/** A response with a JSON body. */
export async function parsed(ask: Ask) {
  const response = await ask();
  const { status, headers } = response;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert its content
  return { status, headers, body: (await response.json()) as any };
}
