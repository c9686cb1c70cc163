import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { Deadline } from '../../../src/service/deadline.ts';
import { isFailure } from '../../../src/service/errors.ts';
import { deferred } from '../deferred.ts';
import { answering, embedded, failureOf, operations, silence, success, unfinished } from './answering.ts';
import { watchTimers } from './leftovers.ts';

const all = Object.values(operations);
/** A success of any of them. */
const EVERYTHING = JSON.stringify({
  code: 1,
  data: { group: { groupId: 'g' }, bot: { botId: 'b' }, user: { userId: 'u' }, list: [], successList: [] },
});

describe('What stops a call', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('is nothing at first, with or without a caller', () => {
    for (const caller of [undefined, new AbortController().signal]) {
      using stop = new Deadline(caller);
      mock.timers.tick(1e9);
      assert.equal(stop.signal.aborted, false);
    }
  });

  it('is the caller, before or after, for a reason of ours', () => {
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

  it('is the deadline, to the millisecond, counted from when it is set', () => {
    using stop = new Deadline(undefined);
    mock.timers.tick(5000);
    stop.start(300);
    mock.timers.tick(299);
    assert.equal(stop.signal.aborted, false);
    mock.timers.tick(1);
    assert.ok(isFailure(stop.signal.reason, 'timedOut'));
    assert.deepEqual(stop.signal.reason.failure, { kind: 'timedOut', after: 300 });
  });

  it('is whichever comes first', () => {
    const abort = new AbortController();
    using stop = new Deadline(abort.signal);
    stop.start(300);
    mock.timers.tick(300);
    abort.abort();
    assert.ok(isFailure(stop.signal.reason, 'timedOut'));
  });

  it('is nothing any more once the call has ended', () => {
    const abort = new AbortController();
    const stop = new Deadline(abort.signal);
    stop.start(300);
    assert.equal(getEventListeners(abort.signal, 'abort').length, 1);
    stop[Symbol.dispose]();
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
    abort.abort();
    mock.timers.tick(300);
    assert.equal(stop.signal.aborted, false);
  });
});

describe('A call that takes too long', () => {
  // Long enough for a request to arrive on a busy machine.
  const timeout = 300;

  it('ends when nothing answers', async () => {
    await using service = await answering(silence, { timeout });
    const failures = await Promise.all(all.map((call) => failureOf(call(service.client))));
    for (const failure of failures) assert.deepEqual(failure, { kind: 'timedOut', after: 300 });
    assert.equal(service.got.length, all.length);
  });

  it('ends when the body of an answer does not', async () => {
    const { fetch, arrived } = watched();
    await using service = await answering(unfinished, { timeout, fetch });
    assert.deepEqual(await failureOf(operations.messages(service.client)), { kind: 'timedOut', after: 300 });
    assert.equal(await arrived, 200);
  });

  it('has a body that is read no further, even where that knows nothing of a deadline', async () => {
    for (const call of all) {
      const { body, cancelled } = unheeding();
      const client = embedded(() => new Response(body), { timeout: 1 });
      assert.deepEqual(await failureOf(call(client)), { kind: 'timedOut', after: 1 });
      assert.equal(cancelled(), true);
    }
  });
});

describe('A call that is cancelled', () => {
  it('makes no request when that was before', async () => {
    for (const call of all) {
      let asked = 0;
      const client = embedded(() => {
        asked++;
        return silence();
      });
      assert.deepEqual(await failureOf(call(client, AbortSignal.abort())), { kind: 'cancelled', unsent: true });
      assert.equal(asked, 0);
    }
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

  it('has a body that is read no further, even where that knows nothing of a signal', async () => {
    for (const call of all) {
      const abort = new AbortController();
      const { body, cancelled, read } = unheeding();
      const failure = failureOf(
        call(
          embedded(() => new Response(body)),
          abort.signal,
        ),
      );
      await read;
      abort.abort();
      assert.deepEqual(await failure, { kind: 'cancelled' });
      assert.equal(cancelled(), true);
    }
  });

  it('ends where fetch has an answer all the same, which is read no further', async () => {
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

  it('is no different for a signal that is never aborted', async () => {
    await using service = await answering(() => success({ list: [] }));
    assert.deepEqual(await operations.messages(service.client, new AbortController().signal), []);
  });
});

describe('A call that has ended', () => {
  const endings: Record<string, () => Response | Promise<Response>> = {
    'with an answer': () => new Response(EVERYTHING),
    'with a failure': () => Response.json({ code: 1002, msg: 'no' }),
    'after repetitions': () => new Response('down', { status: 503 }),
    'without a connection': () => Promise.reject(new Error('no network')),
    'for its deadline': () => new Response(unheeding().body),
  };

  for (const [how, answer] of Object.entries(endings)) {
    it(`${how} leaves nothing behind: no timer, and no listener on a signal of many calls`, async () => {
      const { signal } = new AbortController();
      using timers = watchTimers();
      const ended = await Promise.allSettled(all.map((call) => call(embedded(answer, { timeout: 20 }), signal)));
      assert.equal(ended.length, all.length);
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
      assert.equal(timers.running(), 0);
    });
  }

  it('as cancelled leaves no timer either', async () => {
    const abort = new AbortController();
    using timers = watchTimers();
    const { body, read } = unheeding();
    const failure = failureOf(
      operations.user(
        embedded(() => new Response(body)),
        abort.signal,
      ),
    );
    await read;
    abort.abort();
    await failure;
    assert.equal(timers.running(), 0);
  });
});

/** A body that gives all of a success and then neither more nor an end, whatever happens around it. */
function unheeding() {
  let cancelled = false;
  const { promise: read, resolve } = deferred<void>();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(EVERYTHING)),
    pull: () => resolve(),
    cancel: () => {
      cancelled = true;
    },
  });
  return { body, read, cancelled: () => cancelled };
}

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
