import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { AvatarCache, loadAvatar } from '../../../src/directory/avatarCache.ts';
import { systemClock } from '../../../src/service/clock.ts';
import { clockAt, heldClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';

type Fetch = typeof globalThis.fetch;

const ADDRESS = 'https://pictures.example/a.png';
/** The first bytes of a PNG, and their base64. */
const BYTES = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

const typed = (body: BodyInit | null, type: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': type } });
const png = () => typed(BYTES, 'image/png');
const silence: Fetch = () => new Promise(() => {});

/** A `fetch` that records its requests, and a cache that loads with it. */
function answering(answer: () => Response | Promise<Response>, clock = systemClock) {
  const asked: [string, RequestInit | undefined][] = [];
  const fetch: Fetch = async (address, init) => {
    asked.push([String(address), init]);
    return answer();
  };
  return { fetch, asked, pictures: new AvatarCache({ fetch, clock }) };
}

const load = (address: string, answer: () => Response | Promise<Response>) =>
  loadAvatar(address, { fetch: answering(answer).fetch });

/** A body of these chunks that never ends and ignores aborts. */
function unheeding(...pieces: Uint8Array[]) {
  const { promise: read, resolve } = deferred<void>();
  let cancelled = false;
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else resolve();
    },
    cancel: () => {
      cancelled = true;
      return Promise.reject(new Error('of no concern'));
    },
  });
  return { body, read, cancelled: () => cancelled };
}

describe('An avatar', () => {
  it('is loaded as a data URI without credentials, referrer or redirects', async () => {
    const { fetch, asked } = answering(png);
    assert.equal(await loadAvatar(ADDRESS, { fetch }), PICTURE);
    const [[address, init] = []] = asked;
    const { signal, ...options } = init ?? {};
    assert.equal(address, ADDRESS);
    assert.ok(signal instanceof AbortSignal);
    assert.deepEqual(options, { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
  });

  it('has one of five media types, with any parameters', async () => {
    for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']) {
      assert.equal(await load(ADDRESS, () => typed('abc', type)), `data:${type};base64,YWJj`);
    }
    for (const type of ['IMAGE/PNG', 'image/png; charset=binary', 'image/png ;q']) {
      assert.equal(await load(ADDRESS, () => typed('abc', type)), 'data:image/png;base64,YWJj');
    }
    for (const type of ['text/html', 'image/avif', 'image/pngx', 'image/svg', 'ximage/png', '', 'text/x, image/png']) {
      assert.equal(await load(ADDRESS, () => typed('abc', type)), undefined, type);
    }
    assert.equal(await load(ADDRESS, () => new Response(BYTES)), undefined);
  });

  it('is undefined if the response fails, is empty or never arrives', async () => {
    for (const status of [304, 400, 403, 404, 500]) {
      assert.equal(await load(ADDRESS, () => typed(status === 304 ? null : 'abc', 'image/png', status)), undefined);
    }
    assert.equal(await load(ADDRESS, () => typed(null, 'image/png', 204)), undefined);
    assert.equal(await load(ADDRESS, () => typed('', 'image/png')), undefined);
    assert.equal(await load(ADDRESS, () => Promise.reject(new TypeError('fetch failed'))), undefined);
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    assert.equal(await load(ADDRESS, () => typed(broken, 'image/png')), undefined);
    const thrown: Fetch = () => {
      throw new Error('not even a promise');
    };
    assert.equal(await loadAvatar(ADDRESS, { fetch: thrown }), undefined);
  });

  it('is encoded correctly at every length around the chunk size', async () => {
    for (const length of [1, 2, 3, 24_575, 24_576, 24_577, 49_153, 72_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 256);
      const expected = `data:image/gif;base64,${Buffer.from(bytes).toString('base64')}`;
      assert.equal(await load(ADDRESS, () => typed(bytes, 'image/gif')), expected, String(length));
    }
  });

  it('is undefined beyond 72 kB, after which reading stops', async () => {
    const { body, cancelled } = unheeding(new Uint8Array(150_000), new Uint8Array(50_001));
    assert.equal(await load(ADDRESS, () => typed(body, 'image/png')), undefined);
    assert.equal(cancelled(), true);
  });

  it("isn't read if its length or type is invalid", async () => {
    for (const headers of [
      { 'content-type': 'image/png', 'content-length': '72001' },
      { 'content-type': 'text/css' },
    ]) {
      assert.equal(await load(ADDRESS, () => new Response(BYTES, { headers })), undefined);
      const { body, cancelled } = unheeding();
      assert.equal(await load(ADDRESS, () => new Response(body, { headers })), undefined);
      assert.equal(cancelled(), true);
    }
  });

  it('may be a data URL of up to 72 kB', async () => {
    const { fetch, asked } = answering(png);
    const long = 'data:image/png;base64,'.padEnd(72_000, 'A');
    for (const address of [PICTURE, 'data:image/svg+xml,%3Csvg%3E', 'data:image/avif;base64,AA', long]) {
      assert.equal(await loadAvatar(address, { fetch }), address);
    }
    assert.equal(await loadAvatar(`${long}A`, { fetch }), undefined);
    assert.deepEqual(asked, []);
  });

  it("isn't requested from any other URL", async () => {
    const { fetch, asked } = answering(png);
    const others = [
      '',
      'a.png',
      '/a.png',
      '//pictures.example/a.png',
      'http://pictures.example/a.png',
      'https://',
      'https://me@pictures.example/a.png',
      'https://:pass@pictures.example/a.png',
      'file:///a.png',
      'javascript:alert(1)',
      'data:text/html,x',
      'data:image/png',
      'data:,image/png,x',
      'blob:https://pictures.example/1',
    ];
    for (const address of others) assert.equal(await loadAvatar(address, { fetch }), undefined, address);
    assert.deepEqual(asked, []);
  });
});

describe('An avatar that takes too long', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('is undefined after three seconds, even if fetch ignores the signal', async () => {
    let ended = false;
    const picture = loadAvatar(ADDRESS, { fetch: silence }).finally(() => (ended = true));
    mock.timers.tick(2999);
    await settled();
    assert.equal(ended, false);
    mock.timers.tick(1);
    assert.equal(await picture, undefined);
  });

  it('is no longer read', async () => {
    const { body, read, cancelled } = unheeding(BYTES);
    const picture = load(ADDRESS, () => typed(body, 'image/png'));
    await read;
    mock.timers.tick(3000);
    assert.equal(await picture, undefined);
    assert.equal(cancelled(), true);
  });

  it("isn't read if its response arrives later", async () => {
    const { body, cancelled } = unheeding(BYTES);
    const late = deferred<Response>();
    const picture = load(ADDRESS, () => late.promise);
    mock.timers.tick(3000);
    assert.equal(await picture, undefined);
    late.resolve(typed(body, 'image/png'));
    await settled();
    assert.equal(cancelled(), true);
  });
});

describe('A canceled avatar', () => {
  it("isn't requested if it's canceled before", async () => {
    const { fetch, asked } = answering(png);
    assert.equal(await loadAvatar(ADDRESS, { fetch, signal: AbortSignal.abort() }), undefined);
    assert.deepEqual(asked, []);
  });

  it('is undefined at once, and its request is aborted', async () => {
    const abort = new AbortController();
    const { fetch, asked } = answering(() => new Promise<Response>(() => {}));
    const picture = loadAvatar(ADDRESS, { fetch, signal: abort.signal });
    abort.abort();
    assert.equal(await picture, undefined);
    assert.equal(asked[0]?.[1]?.signal?.aborted, true);
  });

  it('leaves no listener on the signal, nor does a loaded one', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    await loadAvatar(ADDRESS, { fetch: async () => png(), signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    const picture = loadAvatar(ADDRESS, { fetch: silence, signal });
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    abort.abort();
    await picture;
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

describe('Avatars', () => {
  it('are loaded once for any number of callers', async () => {
    const { asked, pictures } = answering(png);
    assert.deepEqual(await Promise.all([pictures.get(ADDRESS), pictures.get(ADDRESS)]), [PICTURE, PICTURE]);
    assert.equal(await pictures.get(ADDRESS), PICTURE);
    assert.equal(asked.length, 1);
  });

  it('are cached for the last hundred used URLs', async () => {
    const { asked, pictures } = answering(png);
    const use = (n: number) => pictures.get(`https://pictures.example/${n}`);
    for (let n = 0; n < 100; n++) await use(n);
    await use(0);
    await use(100);
    assert.equal(asked.length, 101);
    await use(0);
    assert.equal(asked.length, 101);
    await use(1);
    assert.equal(asked.length, 102);
  });

  it('that fail are retried after a minute, or if the clock is set back', async () => {
    let now = 1_000_000;
    let answer = () => typed('no', 'text/html', 403);
    const { asked, pictures } = answering(
      () => answer(),
      clockAt(() => now),
    );
    const seen = async () => [await pictures.get(ADDRESS), asked.length];
    assert.deepEqual(await seen(), [undefined, 1]);
    now += 59_999;
    assert.deepEqual(await seen(), [undefined, 1]);
    now += 1;
    assert.deepEqual(await seen(), [undefined, 2]);
    now -= 1;
    answer = png;
    assert.deepEqual(await seen(), [PICTURE, 3]);
    now += 1e9;
    assert.deepEqual(await seen(), [PICTURE, 3]);
  });

  it('that one caller cancels are still loaded for the others', async () => {
    const answer = deferred<Response>();
    const { asked, pictures } = answering(() => answer.promise);
    const abort = new AbortController();
    const [first, second] = [pictures.get(ADDRESS, abort.signal), pictures.get(ADDRESS)];
    abort.abort();
    assert.equal(await first, undefined);
    assert.equal(asked[0]?.[1]?.signal?.aborted, false);
    answer.resolve(png());
    assert.equal(await second, PICTURE);
  });

  it('that all callers cancel are aborted, and loaded again for the next caller', async () => {
    let answer: () => Promise<Response> = () => new Promise(() => {});
    const { asked, pictures } = answering(() => answer());
    const aborts = [new AbortController(), new AbortController()];
    const given = aborts.map(({ signal }) => pictures.get(ADDRESS, signal));
    for (const abort of aborts) abort.abort();
    assert.deepEqual(await Promise.all(given), [undefined, undefined]);
    assert.deepEqual([asked.length, asked[0]?.[1]?.signal?.aborted], [1, true]);
    answer = async () => png();
    assert.equal(await pictures.get(ADDRESS), PICTURE);
    assert.equal(asked.length, 2);
  });

  it("aren't requested for a canceled caller", async () => {
    const { asked, pictures } = answering(png);
    assert.equal(await pictures.get(ADDRESS, AbortSignal.abort()), undefined);
    assert.deepEqual(asked, []);
  });
});

describe('An avatar that is wanted soon', () => {
  /** A card that has waited for the avatar so long. */
  async function waiting(passed: number, answer: Promise<Response>, signal?: AbortSignal) {
    const { clock, pass, sleeping } = heldClock();
    const { asked, pictures } = answering(() => answer, clock);
    let late = 0;
    let given: string | undefined | 'nothing yet' = 'nothing yet';
    const options = { late: () => void late++, ...(signal && { signal }) };
    void pictures.getSoon(ADDRESS, options).then((uri) => {
      given = uri;
    });
    await pass(passed);
    return { given: () => given, late: () => late, sleeping, pass, asked };
  }

  it('is waited for, but not longer than 400 milliseconds', async () => {
    const silent = new Promise<Response>(() => {});
    assert.equal((await waiting(399, silent)).given(), 'nothing yet');
    assert.equal((await waiting(400, silent)).given(), undefined);
    const loaded = await waiting(1, Promise.resolve(png()));
    assert.deepEqual([loaded.given(), loaded.sleeping(), loaded.late()], [PICTURE, 0, 0]);
  });

  it('is announced when it arrives later, unless it has failed', async () => {
    for (const [response, times] of [
      [png(), 1],
      [typed('no', 'text/html', 403), 0],
    ] as const) {
      const answer = deferred<Response>();
      const { given, late, pass } = await waiting(400, answer.promise);
      answer.resolve(response);
      await pass(1);
      assert.deepEqual([given(), late()], [undefined, times]);
    }
  });

  it("isn't waited for once it is canceled, or without an address", async () => {
    const canceled = await waiting(1, new Promise<Response>(() => {}), AbortSignal.abort());
    assert.deepEqual([canceled.given(), canceled.asked], [undefined, []]);
    const { clock, sleeping } = heldClock();
    assert.equal(await new AvatarCache({ clock }).getSoon(''), undefined);
    assert.equal(sleeping(), 0);
  });
});
