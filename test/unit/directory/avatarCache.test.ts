import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { AvatarCache, loadAvatar } from '../../../src/directory/avatarCache.ts';
import { systemClock } from '../../../src/service/clock.ts';
import { clockAt, heldClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';

const ADDRESS = 'https://pictures.example/a.png';
/** The first bytes of a PNG, and their base64. */
const BYTES = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

const typed = (body: BodyInit, type: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': type } });
const png = () => typed(BYTES, 'image/png');
const refused = () => typed('no', 'text/html', 403);
const silence = () => new Promise<Response>(() => {});

/** A `fetch` that records its requests, and a cache that loads with it. */
function answering(answer: () => Response | Promise<Response>, clock = systemClock) {
  const asked: (RequestInit | undefined)[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    asked.push(init);
    return answer();
  };
  return { fetch, asked, pictures: new AvatarCache({ fetch, clock }) };
}

const load = (answer: () => Response | Promise<Response>, address = ADDRESS) =>
  loadAvatar(address, { fetch: answering(answer).fetch });

// Which images are downloaded, and how, is the subject of imageDownload.test.ts.
describe('An avatar', () => {
  it('is a data URI of one of five media types', async () => {
    for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'])
      assert.equal(await load(() => typed('abc', type)), `data:${type};base64,YWJj`);
    for (const type of ['text/html', 'image/avif']) assert.equal(await load(() => typed('abc', type)), undefined, type);
  });

  it('has all bytes, up to 72 kB', async () => {
    for (const length of [1, 2, 3, 24_575, 24_576, 24_577, 49_153, 72_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 256);
      const expected = `data:image/gif;base64,${Buffer.from(bytes).toString('base64')}`;
      assert.equal(await load(() => typed(bytes, 'image/gif')), expected, String(length));
    }
    assert.equal(await load(() => typed(new Uint8Array(72_001), 'image/gif')), undefined);
  });

  it('may come as a data URI of an image, up to 72 kB, and is the same then', async () => {
    const { fetch, asked } = answering(png);
    const long = 'data:image/png;base64,'.padEnd(72_000, 'A');
    for (const address of [PICTURE, 'DATA:image/svg+xml,%3Csvg%3E', 'data:image/avif;base64,AA', long])
      assert.equal(await loadAvatar(address, { fetch }), address);
    for (const address of [`${long}A`, 'data:text/html,x', 'data:image/png', 'data:,image/png,x', ` ${PICTURE}`])
      assert.equal(await loadAvatar(address, { fetch }), undefined, address.slice(0, 99));
    assert.deepEqual(asked, []);
  });

  it('is none if it fails to load, or takes three seconds', async () => {
    assert.equal(await load(refused), undefined);
    assert.equal(await load(() => Promise.reject(new TypeError('fetch failed'))), undefined);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { fetch, asked } = answering(silence);
      const picture = loadAvatar(ADDRESS, { fetch });
      mock.timers.tick(2999);
      assert.equal(asked[0]?.signal?.aborted, false);
      mock.timers.tick(1);
      assert.equal(await picture, undefined);
    } finally {
      mock.timers.reset();
    }
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

  it('stay cached whatever came as data URIs', async () => {
    const { asked, pictures } = answering(png);
    await pictures.get(ADDRESS);
    for (let n = 0; n < 100; n++) await pictures.get(`data:image/svg+xml,https:${n}`);
    assert.equal(await pictures.get(ADDRESS), PICTURE);
    assert.equal(asked.length, 1);
  });

  it('that fail are retried after a minute, or if the clock is set back', async () => {
    let now = 1_000_000;
    let answer = refused;
    const { asked, pictures } = answering(
      () => answer(),
      clockAt(() => now),
    );
    const seen = async () => [await pictures.get(ADDRESS), asked.length];
    for (const _ of ['first', 'at once']) assert.deepEqual(await seen(), [undefined, 1]);
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
    assert.equal(asked[0]?.signal?.aborted, false);
    answer.resolve(png());
    assert.equal(await second, PICTURE);
  });

  it('that all callers cancel are aborted, and loaded again for the next caller', async () => {
    let answer: () => Response | Promise<Response> = silence;
    const { asked, pictures } = answering(() => answer());
    const aborts = [new AbortController(), new AbortController()];
    const given = aborts.map(({ signal }) => pictures.get(ADDRESS, signal));
    for (const abort of aborts) abort.abort();
    assert.deepEqual(await Promise.all(given), [undefined, undefined]);
    assert.deepEqual([asked.length, asked[0]?.signal?.aborted], [1, true]);
    answer = png;
    assert.equal(await pictures.get(ADDRESS), PICTURE);
    assert.equal(asked.length, 2);
  });

  it('that are loaded again after all callers have canceled are loaded once, too', async () => {
    const late = deferred<Response>();
    let answer: () => Promise<Response> = silence;
    const { asked, pictures } = answering(() => answer());
    const abort = new AbortController();
    const first = pictures.get(ADDRESS, abort.signal);
    abort.abort();
    assert.equal(await first, undefined);
    answer = () => late.promise;
    const second = pictures.get(ADDRESS);
    await settled();
    const third = pictures.get(ADDRESS);
    late.resolve(png());
    assert.deepEqual(await Promise.all([second, third]), [PICTURE, PICTURE]);
    assert.equal(asked.length, 2);
  });

  it('leave no listener on the signal of a caller', async () => {
    const { pictures } = answering(png);
    const { signal } = new AbortController();
    await pictures.get(ADDRESS, signal);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
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
    assert.equal((await waiting(399, silence())).given(), 'nothing yet');
    assert.equal((await waiting(400, silence())).given(), undefined);
    const loaded = await waiting(1, Promise.resolve(png()));
    assert.deepEqual([loaded.given(), loaded.sleeping(), loaded.late()], [PICTURE, 0, 0]);
  });

  it('is announced when it arrives later, unless it has failed', async () => {
    for (const [response, times] of [
      [png(), 1],
      [refused(), 0],
    ] as const) {
      const answer = deferred<Response>();
      const { given, late, pass } = await waiting(400, answer.promise);
      answer.resolve(response);
      await pass(1);
      assert.deepEqual([given(), late()], [undefined, times]);
    }
  });

  it('arrives unannounced where nobody wants to know', async () => {
    const { clock, pass } = heldClock();
    const answer = deferred<Response>();
    const { pictures } = answering(() => answer.promise, clock);
    const given = pictures.getSoon(ADDRESS);
    await pass(400);
    assert.equal(await given, undefined);
    answer.resolve(png());
    assert.equal(await pictures.get(ADDRESS), PICTURE);
  });

  it("isn't waited for once it is canceled, or without an address", async () => {
    const canceled = await waiting(1, silence(), AbortSignal.abort());
    assert.deepEqual([canceled.given(), canceled.asked], [undefined, []]);
    const { clock, sleeping } = heldClock();
    assert.equal(await new AvatarCache({ clock }).getSoon(''), undefined);
    assert.equal(sleeping(), 0);
  });
});
