import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from '../../../src/service/client.ts';
import {
  answering,
  assertAllFail,
  body,
  embedded,
  failureOf,
  NOBODY,
  operations,
  patientClock,
  success,
} from './answering.ts';

const all = Object.values(operations);
/** Requests for one call of each operation with the maximum of retries: only a batch is never repeated. */
const ALL_REPEATED = (all.length - 1) * 3 + 1;

/** A TCP server that handles each request with `receive`. */
async function raw(receive: (socket: Socket, count: number) => void) {
  let count = 0;
  const server = createServer((socket) => {
    // The client may close its connection at any time.
    socket.on('error', () => {});
    socket.on('data', () => receive(socket, ++count));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client({ webUrl: origin, openApiUrl: origin, clock: patientClock() });
  return { client, count: () => count, [Symbol.asyncDispose]: async () => void server.close() };
}

describe('A call of the service', () => {
  it('is unreachable if the connection is refused', async () => {
    for (const address of [NOBODY, NOBODY.replace('127.0.0.1', 'localhost')]) {
      const client = new Client({ webUrl: address, openApiUrl: address, clock: patientClock() });
      await assertAllFail(client, { kind: 'unreachable', reason: 'ECONNREFUSED' });
    }
  });

  it('is unreachable if the connection is reset', async () => {
    await using service = await raw((socket) => socket.resetAndDestroy());
    await assertAllFail(service.client, { kind: 'unreachable', reason: 'ECONNRESET' });
    assert.equal(service.count(), ALL_REPEATED);
  });

  it('is unreachable if the response breaks off', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"code":1';
    await using service = await raw((socket) => socket.end(half));
    await assertAllFail(service.client, { kind: 'unreachable', reason: 'UND_ERR_SOCKET' });
    assert.equal(service.count(), ALL_REPEATED);
  });

  it('is unreachable, with the cause, if fetch fails', async () => {
    const coded = Object.assign(new Error('Long text'), { code: 'CERT_HAS_EXPIRED' });
    for (const [error, reason] of [
      [new TypeError('fetch failed', { cause: new Error('wrapped', { cause: coded }) }), 'CERT_HAS_EXPIRED'],
      [new Error('no proxy'), 'no proxy'],
      [Object.assign(new Error('no proxy'), { code: 7 }), 'no proxy'],
      [undefined, 'unknown'],
    ] as const) {
      const client = embedded(() => Promise.reject(error));
      assert.deepEqual(await failureOf(operations.group(client)), { kind: 'unreachable', reason });
    }
  });

  it("quotes the beginning of a page that isn't from the service", async () => {
    await using service = await answering(() => body('<html>\n  <body>Log in\tto the  café</body>\n</html>\n'));
    const excerpt = '<html> <body>Log in to the café</body> </html>';
    await assertAllFail(service.client, { kind: 'notEnvelope', status: 200, excerpt });
  });

  it('reports the HTTP status of an error page', async () => {
    for (const status of [400, 401, 403, 404, 429, 500, 502, 503, 504]) {
      await using service = await answering(() => body('<h1>Bad</h1>', status));
      for (const call of all) {
        const failure = { kind: 'http', status, excerpt: '<h1>Bad</h1>' };
        assert.partialDeepStrictEqual(await failureOf(call(service.client)), failure);
      }
    }
  });
});

describe('A call from a browser', () => {
  it('has no header on a GET, which the browser would ask permission for, and says where it failed', async () => {
    const types: (string | null)[] = [];
    const asking = (answer: () => Response | Promise<Response>, inBrowser: boolean) =>
      embedded(
        ({ headers }) => {
          types.push(headers.get('content-type'));
          return answer();
        },
        { inBrowser },
      );
    const found = () => success({ user: { userId: 'u' }, bot: { botId: 'b' } });
    for (const inBrowser of [true, false])
      for (const call of [operations.user, operations.bot]) await call(asking(found, inBrowser));
    assert.deepEqual(types, [null, ...Array(3).fill('application/json')]);
    const failing = asking(() => Promise.reject(new TypeError('Failed to fetch')), true);
    const failure = { kind: 'unreachable', reason: 'Failed to fetch', inBrowser: true };
    assert.deepEqual(await failureOf(operations.bot(failing)), failure);
  });

  it("isn't redirected: a browser keeps back where to", async () => {
    const redirected = () => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    assert.deepEqual(await failureOf(operations.bot(embedded(redirected))), { kind: 'redirected' });
  });
});

describe('A redirect', () => {
  it("isn't followed, so that no token leaks to another server", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using target = await answering(() => success({}));
      const headers = { location: `${target.origin}/elsewhere` };
      await using service = await answering(() => new Response('Moved', { status, headers }));
      await assertAllFail(service.client, { kind: 'http', status, excerpt: 'Moved' });
      assert.deepEqual(target.got, []);
      assert.equal(service.got.length, all.length);
    }
  });
});

describe('A failed batch', () => {
  it('is sent once over a keep-alive connection that is reset', async () => {
    const answer = '{"code":1,"data":{"successList":[]}}';
    await using service = await raw((socket, count) => {
      if (count > 1) socket.resetAndDestroy();
      else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
    await operations.batchSend(service.client);
    assert.partialDeepStrictEqual(await failureOf(operations.batchSend(service.client)), { kind: 'unreachable' });
    assert.equal(service.count(), 2);
  });
});
