import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { downloadImage, ImageError } from '../../../src/directory/imageDownload.ts';
import { isFailure } from '../../../src/service/errors.ts';
import { deferred, settled } from '../deferred.ts';

const ADDRESS = 'https://pictures.example/a.png';
const PNG = { 'content-type': 'image/png' };
const answered = (body: BodyInit | null, headers: Record<string, string> = PNG, status = 200) =>
  new Response(body, { status, headers });

/** A download that gets this answer: its requests, and the image, what is wrong with it, or why that isn't known. */
function downloading(
  answer: () => Response | Promise<Response>,
  { url = ADDRESS, signal = new AbortController().signal } = {},
) {
  const asked: RequestInit[] = [];
  const fetch: typeof globalThis.fetch = async (_, init = {}) => {
    asked.push(init);
    return answer();
  };
  const request = { fetch, signal, maxBytes: 4, timeout: 1_000, types: ['image/png', 'image/jpeg'] };
  const outcome = downloadImage(url, request).catch((error) => (error instanceof ImageError ? error.problem : error));
  return { outcome, asked };
}

/** A body of these chunks that never ends and ignores aborts. */
function unheeding(...pieces: Uint8Array[]) {
  const { promise: read, resolve } = deferred<void>();
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else resolve();
    },
    cancel: () => {
      isCancelled = true;
      return Promise.reject(new Error('of no concern'));
    },
  });
  return { body, read, isCancelled: () => isCancelled };
}

describe('A downloaded image', () => {
  it('has a media type without parameters, and all its bytes', async () => {
    const parts = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const part of [[1, 2], [3], [4]]) controller.enqueue(Uint8Array.from(part));
          controller.close();
        },
      });
    for (const [came, type] of [
      ['image/png', 'image/png'],
      ['IMAGE/PNG; charset=binary', 'image/png'],
      ['image/png ;q', 'image/png'],
      // Not registered, but common.
      ['image/jpg', 'image/jpeg'],
    ] as const) {
      const { outcome } = downloading(() => answered(parts(), { 'content-type': came, 'content-length': '4' }));
      assert.deepEqual(await outcome, { type, bytes: Uint8Array.from([1, 2, 3, 4]) }, came);
    }
  });

  it('is requested without credentials, referrer or redirects', async () => {
    const { outcome, asked } = downloading(() => answered('abc'));
    await outcome;
    const { signal: _, ...options } = asked[0] ?? {};
    assert.deepEqual(options, { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
  });

  it('is requested only over https, without a user', async () => {
    for (const url of [
      '',
      'a.png',
      '//pictures.example/a.png',
      'http://pictures.example/a.png',
      'https://',
      'https://me@pictures.example/a.png',
      'https://:pass@pictures.example/a.png',
      'file:///a.png',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://pictures.example/1',
    ]) {
      const { outcome, asked } = downloading(() => answered('abc'), { url });
      assert.deepEqual([await outcome, asked], [{ kind: 'address' }, []], url);
    }
  });

  it('says why there is none, without reading on', async () => {
    const bytes = new Uint8Array(3);
    const cases: [problem: unknown, headers: Record<string, string>, status?: number][] = [
      [{ kind: 'status', status: 403 }, PNG, 403],
      [{ kind: 'type', type: 'text/html' }, { 'content-type': 'text/html' }],
      [{ kind: 'type', type: 'text/x, image/png' }, { 'content-type': 'text/x, image/png' }],
      [{ kind: 'type', type: '' }, {}],
      [{ kind: 'tooLarge' }, { ...PNG, 'content-length': '5' }],
      [{ kind: 'tooLarge' }, PNG],
    ];
    for (const [problem, headers, status] of cases) {
      const { body, isCancelled } = unheeding(bytes, bytes);
      assert.deepEqual(await downloading(() => answered(body, headers, status)).outcome, problem);
      assert.equal(isCancelled(), true);
    }
    const bare = downloading(() => answered(null, PNG, 403));
    assert.deepEqual(await bare.outcome, { kind: 'status', status: 403 });
    for (const nothing of ['', null])
      assert.deepEqual(await downloading(() => answered(nothing)).outcome, { kind: 'empty' });
  });

  it('fails as its request or its body does', async () => {
    const error = new Error('reset');
    assert.equal(await downloading(() => Promise.reject(error)).outcome, error);
    const broken = new ReadableStream({ start: (controller) => controller.error(error) });
    assert.equal(await downloading(() => answered(broken)).outcome, error);
  });
});

describe('A download that takes too long', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('ends on time, even if fetch ignores the signal, and reads no response that comes later', async () => {
    const late = deferred<Response>();
    const { outcome, asked } = downloading(() => late.promise);
    mock.timers.tick(999);
    await settled();
    assert.equal(asked[0]?.signal?.aborted, false);
    mock.timers.tick(1);
    assert.ok(isFailure(await outcome, 'timedOut'));
    const { body, isCancelled } = unheeding();
    late.resolve(answered(body));
    await settled();
    assert.equal(isCancelled(), true);
  });

  it('is no longer read', async () => {
    const { body, read, isCancelled } = unheeding(new Uint8Array(1));
    const { outcome } = downloading(() => answered(body));
    await read;
    mock.timers.tick(1_000);
    assert.ok(isFailure(await outcome, 'timedOut'));
    assert.equal(isCancelled(), true);
  });
});

describe('A canceled download', () => {
  it("isn't requested if it's canceled before", async () => {
    const { outcome, asked } = downloading(() => answered('abc'), { signal: AbortSignal.abort() });
    assert.ok(isFailure(await outcome, 'cancelled'));
    assert.deepEqual(asked, []);
  });

  it('ends at once, with its request, and leaves no listener on the signal, as none does', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    await downloading(() => answered('abc'), { signal }).outcome;
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    const { outcome, asked } = downloading(() => new Promise(() => {}), { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    abort.abort();
    assert.ok(isFailure(await outcome, 'cancelled'));
    assert.equal(asked[0]?.signal?.aborted, true);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});
