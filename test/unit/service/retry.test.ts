import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../src/service/client.ts';
import { systemClock } from '../../../src/service/clock.ts';
import { instantClock } from '../clocks.ts';
import { body, embedded, failureOf, operations, silence, success } from './answering.ts';

const { batchSend, ...reads } = operations;
const everything = () =>
  success({ group: { groupId: 'g' }, bot: { botId: 'b' }, user: { userId: 'u' }, list: [], successList: [] });
const refusal = (code: number, status = 200) => Response.json({ code, msg: 'no' }, { status });
const noNetwork = () => Promise.reject(Object.assign(new Error('Long text'), { code: 'ENETUNREACH' }));
const brokenOff = () => new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('terminated')) }));

type Answer = () => Response | Promise<Response>;

/** Transient errors, and the failure of a read that always gets them. */
const passing: Record<string, [Answer, object]> = {
  'no network': [noNetwork, { kind: 'unreachable', reason: 'ENETUNREACH' }],
  'an answer that breaks off': [brokenOff, { kind: 'unreachable', reason: 'terminated' }],
  'a refusal with the observed code 1007': [() => refusal(1007), { kind: 'rejected', code: 1007, status: 200 }],
  'the code 1007 under 400': [() => refusal(1007, 400), { kind: 'rejected', code: 1007, status: 400 }],
  'any code under 429': [() => refusal(1002, 429), { kind: 'rejected', code: 1002, status: 429 }],
  'any code under 500': [() => refusal(1002, 500), { kind: 'rejected', code: 1002, status: 500 }],
};
for (const status of [429, 500, 501, 502, 503, 504, 507, 599]) {
  passing[`a page under ${status}`] = [() => body('<p>', status), { kind: 'http', status, excerpt: '<p>' }];
}

/** Permanent errors. */
const lasting: Record<string, [Answer, object, Partial<ClientOptions>?]> = {
  'a page under 200': [() => body('<p>'), { kind: 'notEnvelope', status: 200, excerpt: '<p>' }],
  'an envelope without a code': [() => body('{"data":{}}'), { kind: 'notEnvelope' }],
  'data that cannot be read': [() => success('nothing'), { kind: 'unreadable', path: 'data' }],
  'no answer in time': [silence, { kind: 'timedOut', after: 20 }, { timeout: 20 }],
  'an answer that is too long': [() => body('too long'), { kind: 'tooLarge', bound: 5 }, { maxBytes: 5 }],
  'an answer under 500 that is too long': [
    () => body('too long', 500),
    { kind: 'tooLarge', bound: 5 },
    { maxBytes: 5 },
  ],
};
for (const status of [300, 301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410, 418, 425, 428, 430, 451, 499]) {
  lasting[`a page under ${status}`] = [() => body('<p>', status), { kind: 'http', status, excerpt: '<p>' }];
}
for (const code of [0, 2, 429, 500, 1002, 1003, 1004, 1005, 1006, 1008]) {
  lasting[`a refusal with the code ${code}`] = [() => refusal(code), { kind: 'rejected', code, status: 200 }];
}

/** A client that records the times of its requests, on a clock that only sleeps advance. */
function counting(answer: (request: number) => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
  const clock = instantClock();
  const at: number[] = [];
  const count = () => answer(at.push(clock.now()));
  return { client: embedded(count, { clock, random: () => 0, ...options }), at };
}

describe('A failed read', () => {
  for (const [what, [answer, failure]] of Object.entries(passing)) {
    it(`is retried twice after ${what}`, async () => {
      for (const call of Object.values(reads)) {
        const { client, at } = counting(answer);
        assert.partialDeepStrictEqual(await failureOf(call(client)), failure);
        assert.equal(at.length, 3);
      }
    });

    it(`succeeds after ${what} once or twice`, async () => {
      for (const times of [1, 2]) {
        for (const call of Object.values(reads)) {
          const { client, at } = counting((request) => (request > times ? everything() : answer()));
          await call(client);
          assert.equal(at.length, times + 1);
        }
      }
    });
  }

  for (const [what, [answer, failure, options]] of Object.entries(lasting)) {
    it(`isn't retried after ${what}`, async () => {
      const calls = Object.values(reads).map(async (call) => {
        const { client, at } = counting(answer, options);
        assert.partialDeepStrictEqual(await failureOf(call(client)), failure);
        assert.equal(at.length, 1);
      });
      await Promise.all(calls);
    });
  }

  it("isn't retried if the resource doesn't exist", async () => {
    const { bot } = operations;
    const { client, at } = counting(() => refusal(-1));
    const failure = { kind: 'notFound', what: 'bot', id: '30481126', code: -1, text: 'no' };
    assert.deepEqual(await failureOf(bot(client)), failure);
    assert.equal(at.length, 1);
  });

  it('rejects with the last error', async () => {
    const answers = [() => refusal(1007), noNetwork, () => body('<p>', 404)];
    const { client, at } = counting((request) => answers[request - 1]?.() ?? assert.fail());
    assert.deepEqual(await failureOf(reads.user(client)), { kind: 'http', status: 404, excerpt: '<p>' });
    assert.equal(at.length, 3);
  });

  it('is canceled at once while it waits for a retry', async () => {
    for (const call of Object.values(reads)) {
      const abort = new AbortController();
      const sleep: typeof systemClock.sleep = (ms, signal) => {
        const asleep = systemClock.sleep(ms, signal);
        abort.abort();
        return asleep;
      };
      const { client, at } = counting(noNetwork, { clock: { ...systemClock, now: () => 0, sleep } });
      assert.deepEqual(await failureOf(call(client, abort.signal)), { kind: 'cancelled' });
      assert.equal(at.length, 1);
    }
  });

  it("isn't retried if it's canceled as it fails", async () => {
    for (const call of Object.values(reads)) {
      const abort = new AbortController();
      const { client, at } = counting(() => {
        abort.abort();
        return noNetwork();
      });
      assert.deepEqual(await failureOf(call(client, abort.signal)), { kind: 'cancelled' });
      assert.equal(at.length, 1);
    }
  });
});

describe('A failing batch', () => {
  for (const [what, [answer, failure, options]] of Object.entries({ ...passing, ...lasting })) {
    it(`is sent once after ${what}`, async () => {
      const { client, at } = counting((request) => (request > 1 ? everything() : answer()), options);
      assert.partialDeepStrictEqual(await failureOf(batchSend(client)), failure);
      assert.equal(at.length, 1);
    });
  }

  it('is sent once if the service asks to wait', async () => {
    for (const retryAfter of ['0', '1', new Date(0).toUTCString()]) {
      const { client, at } = counting(() => new Response('', { status: 503, headers: { 'retry-after': retryAfter } }));
      await failureOf(batchSend(client));
      assert.equal(at.length, 1);
    }
  });

  it("is sent once if it's canceled while in flight", async () => {
    const abort = new AbortController();
    const { client, at } = counting(() => {
      abort.abort();
      return noNetwork();
    });
    assert.deepEqual(await failureOf(batchSend(client, abort.signal)), { kind: 'cancelled' });
    assert.equal(at.length, 1);
  });
});
