import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  ConnectionReset,
  createFaultySandbox,
  type FaultPlan,
  type FaultyOptions,
} from '../../../src/sandbox/faulty.ts';
import { serve } from '../../host/serve.ts';
import { deferred } from '../deferred.ts';

type Rule = FaultPlan['faults'][number];

const forever = 600_000;

/** Counts pending timers that were set while in scope. */
function watchTimers() {
  const { setTimeout, clearTimeout } = globalThis;
  const running = new Set<unknown>();
  const set = (run: () => void, milliseconds: number) => {
    const end = () => {
      running.delete(timer);
      run();
    };
    const timer = setTimeout(end, milliseconds);
    running.add(timer);
    return timer;
  };
  const clear = (timer: NodeJS.Timeout) => {
    running.delete(timer);
    clearTimeout(timer);
  };
  const restore = () => Object.assign(globalThis, { setTimeout, clearTimeout });
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return { running: () => running.size, [Symbol.dispose]: restore };
}

/** A sandbox in process with one rule, and helpers for requests. */
function struckBy(rule: Rule, options: FaultyOptions = {}) {
  const sandbox = createFaultySandbox({ messages: 2, ...options, faults: { faults: [rule] } });
  const query = { token: sandbox.token('30481126') ?? '', 'chat-id': '518204736', 'chat-type': 'group', before: '9' };
  const messages = `${sandbox.openApiUrl}/open-apis/v1/bot/messages?${new URLSearchParams(query)}`;
  const body = { recvIds: ['518204736'], recvType: 'group', contentType: 'text', content: { text: 'Hello' } };
  const send = `${sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=${query.token}`;
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return {
    sandbox,
    read: (signal?: AbortSignal) => sandbox.fetch(new Request(messages, { signal: signal ?? null })),
    sending: (origin = 'http://sandbox.localhost', signal?: AbortSignal) =>
      new Request(send.replace('http://sandbox.localhost', origin), { ...init, signal: signal ?? null }),
    /** The number of messages in the chat. */
    async length() {
      sandbox.setFaults(undefined);
      const { data } = (await (await sandbox.fetch(new Request(messages))).json()) as { data: { total: number } };
      return data.total;
    },
  };
}

/** Asserts that a promise settles after exactly so many milliseconds. Returns its result. */
async function heldFor<T>(milliseconds: number, begin: () => Promise<T>) {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let isOver = false;
    const answer = begin();
    const end = () => {
      isOver = true;
    };
    answer.then(end, end);
    await turn();
    mock.timers.tick(milliseconds - 1);
    await turn();
    assert.equal(isOver, false);
    mock.timers.tick(1);
    await answer.catch(() => {});
    return { answer };
  } finally {
    mock.timers.reset();
  }
}

describe('Sandbox delays', () => {
  it('delay the correct response', async () => {
    const { read } = struckBy({ delay: 60 });
    const { answer } = await heldFor(60, () => read());
    assert.equal((await answer).status, 200);
  });

  it('carry out a delayed operation once', async () => {
    const { sandbox, sending, length } = struckBy({ delay: 1 });
    const { data } = (await (await sandbox.fetch(sending())).json()) as { data: { successCount: number } };
    assert.equal(data.successCount, 1);
    assert.equal(await length(), 3);
  });

  it('delay a fault as well', async () => {
    const { read } = struckBy({ fault: 'reset', delay: 60 });
    const { answer } = await heldFor(60, () => read());
    await assert.rejects(answer, ConnectionReset);
  });

  it('precede undone work, which is then done', async () => {
    const order: string[] = [];
    const now = () => {
      order.push('sent');
      return 0;
    };
    const { sandbox, sending } = struckBy({ delay: 60, work: 'undone' }, { now });
    const { answer } = await heldFor(60, () => {
      setTimeout(() => order.push('waited'), 59);
      return sandbox.fetch(sending());
    });
    assert.equal(((await (await answer).json()) as { code: number }).code, 1);
    assert.deepEqual(order, ['waited', 'sent']);
  });

  it('end at once if the request is aborted, with its reason and without a timer', async () => {
    const { read } = struckBy({ delay: forever });
    using timers = watchTimers();
    const controller = new AbortController();
    const answer = read(controller.signal);
    while (timers.running() === 0) await turn();
    const reason = new Error('no longer wanted');
    controller.abort(reason);
    await assert.rejects(answer, reason);
    assert.equal(timers.running(), 0);
  });

  it('end at once if the request is aborted during the work', async () => {
    const controller = new AbortController();
    const now = () => {
      controller.abort();
      return 0;
    };
    const { sandbox, sending, length } = struckBy({ delay: forever }, { now });
    await assert.rejects(sandbox.fetch(sending(undefined, controller.signal)), { name: 'AbortError' });
    assert.equal(await length(), 3);
  });

  for (const [work, outcome, expected] of [
    ['done', 'arrives all the same', 3],
    ['undone', 'then never arrives', 2],
  ] as const) {
    it(`let an HTTP client time out on a message that ${outcome}`, async () => {
      const [asked, worked] = [deferred<void>(), deferred<void>()];
      const now = () => {
        worked.resolve();
        return 0;
      };
      const { sandbox, sending, length } = struckBy({ delay: forever, work }, { now });
      let answer: Promise<Response> | undefined;
      const { origin, close } = await serve((request) => {
        answer = sandbox.fetch(request);
        asked.resolve();
        return answer;
      });
      const controller = new AbortController();
      const answered = fetch(sending(origin, controller.signal));
      await (work === 'done' ? worked : asked).promise;
      controller.abort();
      await assert.rejects(answered, { name: 'AbortError' });
      // The sandbox has ended it as well.
      await assert.rejects(answer ?? assert.fail());
      await close();
      assert.equal(await length(), expected);
    });
  }

  it("don't keep a server from closing", async () => {
    const { sandbox, sending } = struckBy({ delay: forever });
    const asked = deferred<void>();
    const { origin, close } = await serve((request) => {
      asked.resolve();
      return sandbox.fetch(request);
    });
    const lost = assert.rejects(fetch(sending(origin)), TypeError);
    await asked.promise;
    await close();
    await lost;
  });
});

describe('Sandbox faults in process', () => {
  it('reject like a fetch whose connection was reset', async () => {
    const error: unknown = await struckBy({ fault: 'reset' })
      .read()
      .catch((error: unknown) => error);
    assert.ok(error instanceof ConnectionReset && error instanceof TypeError);
    assert.equal(error.message, 'fetch failed');
    assert.equal((error.cause as { code?: string }).code, 'ECONNRESET');
  });

  it('break off a body like a fetch whose connection was lost', async () => {
    const response = await struckBy({ fault: 'half-body' }).read();
    await assert.rejects(response.text(), { name: 'TypeError', message: 'terminated' });
  });

  it('end an endless body if the request is aborted', async () => {
    const controller = new AbortController();
    using timers = watchTimers();
    const response = await struckBy({ fault: 'endless' }).read(controller.signal);
    const text = response.text();
    while (timers.running() === 0) await turn();
    const reason = new Error('no longer wanted');
    controller.abort(reason);
    await assert.rejects(text, reason);
    assert.equal(timers.running(), 0);
  });

  it("produce an endless body on demand and stop when it's canceled", async () => {
    using timers = watchTimers();
    const response = await struckBy({ fault: 'endless' }).read();
    const reader = response.body?.getReader() ?? assert.fail();
    await reader.read();
    await reader.read();
    // A body that didn't wait for its reader would always have a timer.
    do await turn();
    while (timers.running() > 0);
    await reader.read();
    while (timers.running() === 0) await turn();
    await reader.cancel();
    assert.equal(timers.running(), 0);
  });

  it('stop an endless body when an HTTP client disconnects', async () => {
    const { sandbox, sending } = struckBy({ fault: 'endless' });
    const gone = deferred<void>();
    const { origin, close } = await serve(async (request) => {
      const reader = (await sandbox.fetch(request)).body?.getReader() ?? assert.fail();
      const body = new ReadableStream({
        pull: async (watched) => watched.enqueue((await reader.read()).value),
        async cancel(reason) {
          await reader.cancel(reason);
          gone.resolve();
        },
      });
      return new Response(body);
    });
    const controller = new AbortController();
    const response = await fetch(sending(origin, controller.signal));
    controller.abort();
    await assert.rejects(response.text(), { name: 'AbortError' });
    await gone.promise;
    await close();
  });
});
