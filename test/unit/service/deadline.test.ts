import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Deadline } from '../../../src/service/deadline.ts';
import { isFailure } from '../../../src/service/errors.ts';
import { heldClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';
import {
  answering,
  counting,
  embedded,
  everything,
  failureOf,
  operations,
  silence,
  unfinished,
  watchServers,
} from './answering.ts';

const all = Object.values(operations);

describe('A deadline', () => {
  it("doesn't abort at first, with or without a caller's signal", async () => {
    for (const caller of [undefined, new AbortController().signal]) {
      const { clock, pass } = heldClock();
      using stop = new Deadline(caller, clock);
      await pass(1e9);
      assert.equal(stop.signal.aborted, false);
    }
  });

  it("aborts when the caller cancels, before or after it's created", () => {
    using before = new Deadline(AbortSignal.abort('theirs'));
    assert.ok(isFailure(before.signal.reason, 'cancelled'));
    assert.deepEqual(before.signal.reason.failure, { kind: 'cancelled', unsent: true });
    const abort = new AbortController();
    using after = new Deadline(abort.signal);
    after.start(1000);
    abort.abort(new Error('theirs'));
    assert.ok(isFailure(after.signal.reason, 'cancelled'));
    assert.deepEqual(after.signal.reason.failure, { kind: 'cancelled' });
  });

  it('aborts on time, to the millisecond, counted from its start', async () => {
    const { clock, pass } = heldClock();
    using stop = new Deadline(undefined, clock);
    await pass(5000);
    stop.start(300);
    await pass(299);
    assert.equal(stop.signal.aborted, false);
    await pass(1);
    assert.ok(isFailure(stop.signal.reason, 'timedOut'));
    assert.deepEqual(stop.signal.reason.failure, { kind: 'timedOut', after: 300 });
  });

  it('aborts for the reason that comes first', async () => {
    const abort = new AbortController();
    const { clock, pass } = heldClock();
    using stop = new Deadline(abort.signal, clock);
    stop.start(300);
    await pass(300);
    abort.abort();
    assert.ok(isFailure(stop.signal.reason, 'timedOut'));
  });

  it('never aborts once disposed of, and leaves no timer and no listener', () => {
    const abort = new AbortController();
    const { clock, sleeping } = heldClock();
    const stop = new Deadline(abort.signal, clock);
    stop.start(300);
    assert.deepEqual([getEventListeners(abort.signal, 'abort').length, sleeping()], [1, 1]);
    stop[Symbol.dispose]();
    assert.deepEqual([getEventListeners(abort.signal, 'abort').length, sleeping()], [0, 0]);
    abort.abort();
    assert.equal(stop.signal.aborted, false);
  });
});

describe('A call that takes too long', () => {
  it('ends if there is no response', async () => {
    const { clock, pass } = heldClock();
    const { client, at } = counting(silence, { timeout: 300, clock });
    const failures = Promise.all(all.map((call) => failureOf(call(client))));
    while (at.length < all.length) await settled();
    await pass(300);
    for (const failure of await failures) assert.deepEqual(failure, { kind: 'timedOut', after: 300 });
  });

  it('stops reading a body, even one that ignores the deadline', async () => {
    for (const call of all) {
      const { body, cancelled, read } = unheeding();
      const { clock, pass } = heldClock();
      const failure = failureOf(call(embedded(() => new Response(body), { clock })));
      await read;
      await pass(20_000);
      assert.deepEqual(await failure, { kind: 'timedOut', after: 20_000 });
      assert.equal(cancelled(), true);
    }
  });
});

describe('A canceled call', () => {
  it("makes no request if it's canceled before", async () => {
    for (const call of all) {
      const { client, at } = counting(silence);
      assert.deepEqual(await failureOf(call(client, AbortSignal.abort())), { kind: 'cancelled', unsent: true });
      assert.deepEqual(at, []);
    }
  });

  it('ends at once while it waits for a response', async () => {
    for (const call of all) {
      const abort = new AbortController();
      await using service = await answering(() => {
        abort.abort();
        return silence();
      });
      assert.deepEqual(await failureOf(call(service.client, abort.signal)), { kind: 'cancelled' });
    }
  });

  it('ends at once while it waits for the rest of a response', async () => {
    const abort = new AbortController();
    const { promise: arrived, resolve: arrive } = deferred<void>();
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await globalThis.fetch(...request);
      arrive();
      return response;
    };
    using servers = watchServers();
    await using service = await answering(unfinished, { fetch });
    const failure = failureOf(operations.batchSend(service.client, abort.signal));
    await arrived;
    abort.abort(new Error('of a kind of its own'));
    assert.deepEqual(await failure, { kind: 'cancelled' });
    await servers.quiet();
  });

  it('stops reading a body, even one that ignores the signal', async () => {
    for (const call of all) {
      const abort = new AbortController();
      const { body, cancelled, read } = unheeding();
      const client = embedded(() => new Response(body));
      const failure = failureOf(call(client, abort.signal));
      await read;
      abort.abort();
      assert.deepEqual(await failure, { kind: 'cancelled' });
      assert.equal(cancelled(), true);
    }
  });

  it('ends without reading the response if fetch ignores the signal', async () => {
    for (const call of all) {
      const abort = new AbortController();
      const { body, cancelled } = unheeding();
      const fetch: typeof globalThis.fetch = async () => {
        abort.abort();
        return new Response(body);
      };
      assert.deepEqual(await failureOf(call(embedded(silence, { fetch }), abort.signal)), { kind: 'cancelled' });
      assert.equal(cancelled(), true);
    }
  });
});

describe('A call that has ended', () => {
  const endings: Record<string, () => Response | Promise<Response>> = {
    'with an answer': () => new Response(everything),
    'with a failure': () => Response.json({ code: 1002, msg: 'no' }),
    'after repetitions': () => new Response('down', { status: 503 }),
    'without a connection': () => Promise.reject(new Error('no network')),
    'for its deadline': () => new Response(unheeding().body),
  };

  for (const [how, answer] of Object.entries(endings)) {
    it(`leaves no timer and no listener on a shared signal: ${how}`, async () => {
      const { signal } = new AbortController();
      const { clock, pass, sleeping } = heldClock();
      let isRunning = true;
      void Promise.allSettled(all.map((call) => call(embedded(answer, { clock }), signal))).then(() => {
        isRunning = false;
      });
      while (isRunning) await pass(60_000);
      assert.deepEqual([getEventListeners(signal, 'abort').length, sleeping()], [0, 0]);
    });
  }

  it("leaves no timer if it's canceled", async () => {
    const abort = new AbortController();
    const { clock, sleeping } = heldClock();
    const { body, read } = unheeding();
    const client = embedded(() => new Response(body), { clock });
    const failure = failureOf(operations.user(client, abort.signal));
    await read;
    assert.equal(sleeping(), 1);
    abort.abort();
    await failure;
    assert.equal(sleeping(), 0);
  });
});

/** A body with a whole success that never ends and ignores aborts. */
function unheeding() {
  let cancelled = false;
  const { promise: read, resolve } = deferred<void>();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(everything)),
    pull: () => resolve(),
    cancel: () => {
      cancelled = true;
    },
  });
  return { body, read, cancelled: () => cancelled };
}
