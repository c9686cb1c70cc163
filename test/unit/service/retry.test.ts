import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../src/service/client.ts';
import { systemClock } from '../../../src/service/clock.ts';
import { body, counting, everything, failureOf, late, operations, silence, success } from './answering.ts';

const { batchSend, ...reads } = operations;
const refusal = (code: number, status = 200) => Response.json({ code, msg: 'no' }, { status });
const noNetwork = () => Promise.reject(Object.assign(new Error('Long text'), { code: 'ENETUNREACH' }));
const brokenOff = () => new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('terminated')) }));

type Answer = () => Response | Promise<Response>;

/** Failures that may pass, one of each kind. Which do is tested in `errors.test.ts`. */
const passing: [Answer, object][] = [
  [noNetwork, { kind: 'unreachable', reason: 'ENETUNREACH' }],
  [brokenOff, { kind: 'unreachable', reason: 'terminated' }],
  [() => refusal(1007), { kind: 'rejected', code: 1007, status: 200 }],
  [() => body('<p>', 503), { kind: 'http', status: 503, excerpt: '<p>' }],
];

const neverAnswered = late(silence);

/** Failures that last. */
const lasting: [Answer, object, Partial<ClientOptions>?][] = [
  [() => body('<p>'), { kind: 'notEnvelope', status: 200, excerpt: '<p>' }],
  [() => body('<p>', 404), { kind: 'http', status: 404, excerpt: '<p>' }],
  [() => refusal(1002), { kind: 'rejected', code: 1002, status: 200 }],
  [() => success('nothing'), { kind: 'unreadable', path: 'data' }],
  [neverAnswered.answerLate, { kind: 'timedOut', after: 20_000 }, { clock: neverAnswered.clock }],
  [() => body('too long', 500), { kind: 'tooLarge', bound: 5 }, { maxBytes: 5 }],
];

describe('A failed read', () => {
  it('is retried twice if its failure may pass', async () => {
    for (const [answer, failure] of passing) {
      for (const call of Object.values(reads)) {
        const { client, at } = counting(answer);
        assert.partialDeepStrictEqual(await failureOf(call(client)), failure);
        assert.equal(at.length, 3);
      }
    }
  });

  it('succeeds if its failure passes in time', async () => {
    for (const [answer] of passing) {
      for (const times of [1, 2]) {
        const { client, at } = counting((request) => (request > times ? new Response(everything) : answer()));
        await reads.user(client);
        assert.equal(at.length, times + 1);
      }
    }
  });

  it("isn't retried if its failure lasts", async () => {
    for (const [answer, failure, options] of lasting) {
      const { client, at } = counting(answer, options);
      assert.partialDeepStrictEqual(await failureOf(reads.user(client)), failure);
      assert.equal(at.length, 1);
    }
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
});

describe('A failing batch', () => {
  it('is sent once, whatever the failure', async () => {
    for (const [answer, failure, options] of [...passing, ...lasting]) {
      const { client, at } = counting((request) => (request > 1 ? new Response(everything) : answer()), options);
      assert.partialDeepStrictEqual(await failureOf(batchSend(client)), failure);
      assert.equal(at.length, 1);
    }
  });

  it('is one under 500 or above, even if the body says success: a gateway may send it', async () => {
    for (const status of [500, 503]) {
      const { client, at } = counting(() => Response.json({ code: 1, data: { successList: [] } }, { status }));
      assert.partialDeepStrictEqual(await failureOf(batchSend(client)), { kind: 'http', status });
      assert.equal(at.length, 1);
    }
  });
});

describe('A call that is canceled as it fails', () => {
  for (const [name, call] of Object.entries(operations)) {
    it(`is sent once: ${name}`, async () => {
      const abort = new AbortController();
      const { client, at } = counting(() => {
        abort.abort();
        return noNetwork();
      });
      assert.deepEqual(await failureOf(call(client, abort.signal)), { kind: 'cancelled' });
      assert.equal(at.length, 1);
    });
  }
});
