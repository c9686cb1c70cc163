import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client, type ClientOptions } from '../../../src/service/client.ts';
import { answering, body, failureOf, NOBODY, operations, silence, success, unfinished } from './answering.ts';

const all = Object.values(operations);

/** A server below HTTP, that does with each request what `receive` says. */
async function raw(receive: (socket: Socket, count: number) => void) {
  let count = 0;
  const server = createServer((socket) => {
    // A client may cut its connection in any way it likes.
    socket.on('error', () => {});
    socket.on('data', () => receive(socket, ++count));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client({ webUrl: origin, openApiUrl: origin });
  return { client, count: () => count, [Symbol.asyncDispose]: async () => void server.close() };
}

describe('A call of the service', () => {
  it('is unreachable where the connection is refused', async () => {
    for (const address of [NOBODY, NOBODY.replace('127.0.0.1', 'localhost')]) {
      const client = new Client({ webUrl: address, openApiUrl: address });
      for (const call of all) {
        assert.deepEqual(await failureOf(call(client)), { kind: 'unreachable', reason: 'ECONNREFUSED' });
      }
    }
  });

  it('is unreachable where the connection is reset', async () => {
    await using service = await raw((socket) => socket.resetAndDestroy());
    for (const call of all) {
      assert.deepEqual(await failureOf(call(service.client)), { kind: 'unreachable', reason: 'ECONNRESET' });
    }
    assert.equal(service.count(), all.length);
  });

  it('is unreachable where the answer breaks off', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"code":1';
    await using service = await raw((socket) => socket.end(half));
    for (const call of all) {
      assert.partialDeepStrictEqual(await failureOf(call(service.client)), { kind: 'unreachable' });
    }
    assert.equal(service.count(), all.length);
  });

  it('is unreachable, with what is known of the cause, where fetch fails in a way of its own', async () => {
    const failing = (error: unknown) => {
      const options = { webUrl: 'https://a.example', openApiUrl: 'https://a.example' };
      return operations.group(new Client({ ...options, fetch: () => Promise.reject(error) }));
    };
    const coded = Object.assign(new Error('Long text'), { code: 'CERT_HAS_EXPIRED' });
    const nested = new TypeError('fetch failed', { cause: new Error('wrapped', { cause: coded }) });
    assert.deepEqual(await failureOf(failing(nested)), { kind: 'unreachable', reason: 'CERT_HAS_EXPIRED' });
    assert.deepEqual(await failureOf(failing(new Error('no proxy'))), { kind: 'unreachable', reason: 'no proxy' });
    assert.partialDeepStrictEqual(await failureOf(failing(undefined)), { kind: 'unreachable' });
  });

  it('shows the beginning of a page that is no answer of the service', async () => {
    await using service = await answering(() => body('<html>\n  <body>Log in\tto the  café</body>\n</html>\n'));
    const excerpt = '<html> <body>Log in to the café</body> </html>';
    for (const call of all) {
      assert.deepEqual(await failureOf(call(service.client)), { kind: 'notEnvelope', status: 200, excerpt });
    }
  });

  it('shows the HTTP status of an error page', async () => {
    for (const status of [400, 401, 403, 404, 429, 500, 502, 503, 504]) {
      await using service = await answering(() => body('<h1>Bad</h1>', status));
      for (const call of all) {
        assert.deepEqual(await failureOf(call(service.client)), { kind: 'http', status, excerpt: '<h1>Bad</h1>' });
      }
    }
  });

  it('shows no more than 200 characters of what it got', async () => {
    await using service = await answering(() => body(`<p>${'x'.repeat(50_000)}`));
    const excerpt = `<p>${'x'.repeat(197)}`;
    assert.deepEqual(await failureOf(operations.bot(service.client)), { kind: 'notEnvelope', status: 200, excerpt });
  });

  it('takes nothing but an envelope for an answer', async () => {
    const texts = ['', 'null', '[]', '"code"', '1', '{}', '{"msg":"success","data":{}}', '{"code":1', '{"code":null}'];
    for (const text of [
      ...texts,
      '{"code":true,"msg":"success"}',
      '{"code":"one"}',
      '{"code":[1]}',
      '{"code":"1.0"}',
    ]) {
      await using service = await answering(() => body(text));
      const failure = { kind: 'notEnvelope', status: 200, excerpt: text };
      assert.deepEqual(await failureOf(operations.user(service.client)), failure);
    }
  });

  it('reads an envelope under any content type and status', async () => {
    const envelope = '{"code":1,"msg":"success","data":{"user":{"userId":"7058314"}}}';
    for (const status of [200, 201, 302, 404, 500]) {
      await using service = await answering(() => body(envelope, status));
      assert.equal((await service.client.user('7058314')).userId, '7058314');
    }
  });

  it('is rejected by an envelope under an error status', async () => {
    await using service = await answering(() => body('{"code":1007,"msg":"调用频率超限"}', 429));
    for (const call of all) {
      assert.deepEqual(await failureOf(call(service.client)), { kind: 'rejected', code: 1007, text: '调用频率超限' });
    }
  });

  it('is rejected by any code but 1, in the words of the service', async () => {
    const text = '  错误: 会话 "big" 不存在\n(see <b>help</b>) ';
    for (const code of [0, -2, 2, 10, 200, 1002, 1003, 1004, 1005]) {
      await using service = await answering(() =>
        Response.json({ code, msg: text, data: { group: { groupId: 'g' } } }),
      );
      for (const call of all) {
        assert.deepEqual(await failureOf(call(service.client)), { kind: 'rejected', code, text });
      }
    }
  });

  it('is rejected by -1, which means "not found" in a group or bot lookup alone', async () => {
    await using service = await answering(() => Response.json({ code: -1, msg: 'no' }));
    const { group, bot, ...others } = operations;
    assert.partialDeepStrictEqual(await failureOf(group(service.client)), { kind: 'notFound', code: -1, text: 'no' });
    assert.partialDeepStrictEqual(await failureOf(bot(service.client)), { kind: 'notFound', code: -1, text: 'no' });
    for (const call of Object.values(others)) {
      assert.deepEqual(await failureOf(call(service.client)), { kind: 'rejected', code: -1, text: 'no' });
    }
  });

  it('is not a success because the text or the data say so', async () => {
    await using service = await answering(() => Response.json({ code: 0, msg: 'success', data: { list: [] } }));
    const failure = { kind: 'rejected', code: 0, text: 'success' };
    assert.deepEqual(await failureOf(operations.messages(service.client)), failure);
  });

  it('reads a code that is a numeric string, and an envelope without a text', async () => {
    await using refused = await answering(() => Response.json({ code: '1002', msg: null }));
    assert.deepEqual(await failureOf(operations.messages(refused.client)), { kind: 'rejected', code: 1002, text: '' });
    await using accepted = await answering(() => Response.json({ code: '1', data: { list: [] } }));
    assert.deepEqual(await operations.messages(accepted.client), []);
  });

  it('says where the data is not what the contract says', async () => {
    const wrong: [keyof typeof operations, unknown, string][] = [
      ['group', undefined, 'data'],
      ['bot', null, 'data'],
      ['group', {}, 'data.group'],
      ['bot', { bot: null }, 'data.bot'],
      ['user', { user: 'Alice' }, 'data.user'],
      ['group', { group: { name: 'x' } }, 'data.group.groupId'],
      ['user', { user: { userId: 7058314 } }, 'data.user.userId'],
      ['messages', [], 'data.list'],
      ['messages', { list: {} }, 'data.list'],
      ['messages', { list: 'none' }, 'data.list'],
    ];
    for (const [name, data, path] of wrong) {
      await using service = await answering(() => success(data));
      const failure = await failureOf(operations[name](service.client));
      assert.partialDeepStrictEqual(failure, { kind: 'unreadable', path }, `${name} ${JSON.stringify(data)}`);
      assert.ok(failure.kind === 'unreadable' && /expected/.test(failure.problem));
    }
  });
}).timeout(10_000);

describe('A call that takes too long', () => {
  // Long enough for a request to arrive on a busy machine.
  const timeout = 500;

  it('ends when nothing answers', async () => {
    await using service = await answering(silence, { timeout });
    const failures = await Promise.all(all.map((call) => failureOf(call(service.client))));
    for (const failure of failures) assert.deepEqual(failure, { kind: 'timedOut', after: 500 });
    assert.equal(service.got.length, all.length);
  });

  it('ends when the body of an answer does not', async () => {
    const { fetch, arrived } = watched();
    await using service = await answering(unfinished, { timeout, fetch });
    assert.deepEqual(await failureOf(operations.messages(service.client)), { kind: 'timedOut', after: 500 });
    assert.equal(await arrived, 200);
  });
}).timeout(10_000);

describe('A call that is cancelled', () => {
  it('makes no request when that was before', async () => {
    await using service = await answering(silence);
    for (const call of all) {
      assert.deepEqual(await failureOf(call(service.client, AbortSignal.abort())), { kind: 'cancelled' });
    }
    assert.deepEqual(service.got, []);
  });

  it('ends at once while it waits for an answer', async () => {
    for (const call of all) {
      const abort = new AbortController();
      await using service = await answering(() => {
        abort.abort();
        return silence();
      });
      assert.deepEqual(await failureOf(call(service.client, abort.signal)), { kind: 'cancelled' });
    }
  });

  it('ends at once while it waits for the rest of an answer', async () => {
    const abort = new AbortController();
    const { fetch, arrived } = watched();
    await using service = await answering(unfinished, { fetch });
    const failure = failureOf(operations.batchSend(service.client, abort.signal));
    await arrived;
    abort.abort(new Error('of a kind of its own'));
    assert.deepEqual(await failure, { kind: 'cancelled' });
  });

  it('is no different for a signal that is never aborted', async () => {
    await using service = await answering(() => success({ list: [] }));
    assert.deepEqual(await operations.messages(service.client, new AbortController().signal), []);
  });
}).timeout(10_000);

describe('A redirect', () => {
  it('is not followed, so that no token comes to another server', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using target = await answering(() => success({}));
      const headers = { location: `${target.origin}/elsewhere` };
      await using service = await answering(() => new Response('Moved', { status, headers }));
      for (const call of all) {
        assert.deepEqual(await failureOf(call(service.client)), { kind: 'http', status, excerpt: 'Moved' });
      }
      assert.deepEqual(target.got, []);
      assert.equal(service.got.length, all.length);
    }
  });
}).timeout(10_000);

describe('A batch that failed', () => {
  /** How often the service was asked for one batch. */
  async function askedBy(answer: () => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
    await using service = await answering(answer, options);
    await failureOf(operations.batchSend(service.client));
    return service.got.length;
  }

  it('is sent once, whatever the status', async () => {
    for (const status of [307, 400, 408, 409, 425, 429, 500, 502, 503, 504]) {
      const headers = { 'retry-after': '0', location: '/again' };
      assert.equal(await askedBy(() => new Response('later', { status, headers })), 1, String(status));
    }
  });

  it('is sent once, whatever the envelope', async () => {
    for (const code of [-1, 0, 1002, 1003, 1007]) {
      assert.equal(await askedBy(() => Response.json({ code, msg: 'no' }, { status: 503 })), 1);
    }
    assert.equal(await askedBy(() => success({ successList: 'unreadable' })), 1);
  });

  it('is sent once when no answer comes in time', async () => {
    for (const answer of [silence, unfinished]) assert.equal(await askedBy(answer, { timeout: 500 }), 1);
  });

  it('is sent once over a kept connection that is reset in the middle of it', async () => {
    const answer = '{"code":1,"data":{"successList":[]}}';
    await using service = await raw((socket, count) => {
      if (count > 1) socket.resetAndDestroy();
      else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
    await operations.batchSend(service.client);
    assert.partialDeepStrictEqual(await failureOf(operations.batchSend(service.client)), { kind: 'unreachable' });
    assert.equal(service.count(), 2);
  });
}).timeout(10_000);

/** A `fetch` that tells when the headers of an answer are there. */
function watched() {
  let arrive = (_: number) => {};
  const arrived = new Promise<number>((resolve) => {
    arrive = resolve;
  });
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await globalThis.fetch(...request);
    arrive(response.status);
    return response;
  };
  return { fetch, arrived };
}
