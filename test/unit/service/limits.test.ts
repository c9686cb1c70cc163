import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Client } from '../../../src/service/client.ts';
import { answering, embedded, everything, examples, failureOf, operations, watchServers } from './answering.ts';

const all = Object.values(operations);
const FOUND = '{"code":1,"data":{"user":{"userId":"7058314","nickname":"爱丽丝 ä 𝄞"}}}';
const bytesOf = (text: string) => new TextEncoder().encode(text);
const SIZE = bytesOf(FOUND).length;

/** A body in chunks that records how many were requested and whether it was canceled. */
function chunked(chunks: Iterator<Uint8Array>) {
  const seen = { chunks: 0, cancelled: false };
  const body = new ReadableStream(
    {
      pull(controller) {
        seen.chunks++;
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        seen.cancelled = true;
      },
    },
    // Produce data only on demand.
    { highWaterMark: 0 },
  );
  return { body, seen };
}

function* forever(chunk: Uint8Array) {
  for (;;) yield chunk;
}

function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

describe('A response that is too long', () => {
  const lengths: [title: string, headers: Record<string, string>, chunks: number][] = [
    ["isn't read if its content length is too large", { 'content-length': '1001' }, 0],
    ['is read up to the limit without a content length', {}, 11],
    ['is read up to the limit if its content length is too small', { 'content-length': '50' }, 11],
  ];
  for (const [title, headers, chunks] of lengths) {
    it(title, async () => {
      for (const call of all) {
        const { body, seen } = chunked(forever(bytesOf('x'.repeat(100))));
        const client = embedded(() => new Response(body, { headers }), { maxBytes: 1000 });
        assert.deepEqual(await failureOf(call(client)), { kind: 'tooLarge', bound: 1000 });
        assert.deepEqual(seen, { chunks, cancelled: true });
      }
    });
  }

  it('is too long with any status', async () => {
    for (const status of [200, 404, 429, 500]) {
      const client = embedded(() => new Response('x'.repeat(1001), { status }), { maxBytes: 1000 });
      assert.deepEqual(await failureOf(operations.group(client)), { kind: 'tooLarge', bound: 1000 });
    }
  });

  it('exceeds the limit in bytes, not characters', async () => {
    const characters = Array.from(FOUND).length;
    assert.ok(characters < SIZE - 8);
    const client = embedded(() => new Response(FOUND), { maxBytes: SIZE - 1 });
    assert.deepEqual(await failureOf(operations.user(client)), { kind: 'tooLarge', bound: SIZE - 1 });
  });

  it('exceeds the limit for its operation', async () => {
    const announced = (length: number) => () =>
      new Response(everything, { headers: { 'content-length': String(length) } });
    const around = (client: Client) =>
      client.messages('t', { kind: 'group', id: 'g' }, { anchor: 'm', before: 3, after: 6 });
    const calls: [bound: number, call: (client: Client) => Promise<unknown>][] = [[3_538_944, around]];
    for (const { call, bytes } of Object.values(examples)) {
      for (const [count, most] of Object.entries(bytes)) {
        calls.push([most, (client) => call(client, undefined, 't', Number(count))]);
      }
    }
    for (const [bound, call] of calls) {
      assert.deepEqual(await failureOf(call(embedded(announced(bound + 1)))), { kind: 'tooLarge', bound });
      await call(embedded(announced(bound)));
    }
  });

  it('rejects even when canceling the body fails', async () => {
    const cancel = () => Promise.reject(new Error('no such luck'));
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(bytesOf('x'.repeat(100)));
    const client = embedded(() => new Response(new ReadableStream({ pull, cancel })), { maxBytes: 1000 });
    assert.deepEqual(await failureOf(operations.user(client)), { kind: 'tooLarge', bound: 1000 });
  });

  it('is cut off over HTTP, with or without a content length', async () => {
    using servers = watchServers();
    const long = bytesOf('x'.repeat(20_000_000));
    for (const [headers, chunks] of [
      [{ 'content-length': String(long.length) }, inPieces(long, 1_000_000)],
      [{}, forever(bytesOf('x'.repeat(10_000)))],
    ] as const) {
      const { body } = chunked(chunks);
      await using service = await answering(() => new Response(body, { headers }), { maxBytes: 50_000 });
      assert.deepEqual(await failureOf(operations.batchSend(service.client)), { kind: 'tooLarge', bound: 50_000 });
      await servers.quiet();
    }
  });

  it("is cut off over HTTP if it's long only once decompressed", async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000, 'x'));
    assert.ok(packed.length < 10_000);
    const headers = { 'content-encoding': 'gzip', 'content-length': String(packed.length) };
    await using service = await answering(() => new Response(packed, { headers }), { maxBytes: 10_000 });
    assert.deepEqual(await failureOf(operations.user(service.client)), { kind: 'tooLarge', bound: 10_000 });
  });
});

describe('A response within the limit', () => {
  it('may have exactly as many bytes, with or without a content length', async () => {
    for (const headers of [{}, { 'content-length': String(SIZE) }]) {
      const client = embedded(() => new Response(FOUND, { headers }), { maxBytes: SIZE });
      assert.equal((await client.user('7058314')).resource.nickname, '爱丽丝 ä 𝄞');
      await using service = await answering(() => new Response(FOUND, { headers }), { maxBytes: SIZE });
      assert.equal((await service.client.user('7058314')).resource.nickname, '爱丽丝 ä 𝄞');
    }
  });

  it("is read the same however it's split into chunks", async () => {
    for (const size of [1, 2, 3, 4, 5, 7, SIZE]) {
      const { body, seen } = chunked(inPieces(bytesOf(FOUND), size));
      const client = embedded(() => new Response(body), { maxBytes: SIZE });
      assert.equal((await client.user('7058314')).resource.nickname, '爱丽丝 ä 𝄞');
      assert.deepEqual(seen, { chunks: Math.ceil(SIZE / size) + 1, cancelled: false });
    }
  });

  it('marks an incomplete character at its end', async () => {
    const client = embedded(() => new Response(bytesOf('<p>爱').slice(0, 5)));
    const failure = { kind: 'notEnvelope', status: 200, excerpt: '<p>\ufffd' };
    assert.deepEqual(await failureOf(operations.user(client)), failure);
  });

  it('may be empty or missing', async () => {
    for (const body of [null, '']) {
      const client = embedded(() => new Response(body), { maxBytes: 0 });
      assert.deepEqual(await failureOf(operations.bot(client)), { kind: 'notEnvelope', status: 200, excerpt: '' });
    }
    const client = embedded(() => new Response(null, { status: 204 }));
    assert.deepEqual(await failureOf(operations.bot(client)), { kind: 'notEnvelope', status: 204, excerpt: '' });
  });
});
