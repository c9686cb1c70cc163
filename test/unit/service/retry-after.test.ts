import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ClientOptions } from '../../../src/service/client.ts';
import { heldClock, instantClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';
import { body, counting, embedded, failureOf, operations, silence } from './answering.ts';

const DOWN = () => body('<p>', 503);
/** A response with Retry-After. */
const asking = (retryAfter: string, status = 503) =>
  new Response('<p>', { status, headers: { 'retry-after': retryAfter } });
/** A refusal with Retry-After. */
const refusing = (retryAfter: string, code: number, status: number) =>
  Response.json({ code, msg: 'no' }, { status, headers: { 'retry-after': retryAfter } });

type Answer = (request: number) => Response | Promise<Response>;

/** The times of a call's requests, on a clock that only sleeps advance, and its result. */
async function ending(answer: Answer, options: Partial<ClientOptions> = {}, call = operations.user) {
  const { client, at } = counting(answer, options);
  return { failure: await failureOf(call(client)), at };
}

describe('Between its requests, a read waits', () => {
  it('at least half of 500, then half of 1500 milliseconds', async () => {
    assert.deepEqual((await ending(DOWN)).at, [0, 250, 1000]);
  });

  it('a random time longer', async () => {
    assert.deepEqual((await ending(DOWN, { random: () => 0.5 })).at, [0, 375, 1500]);
    const draws = [0.8, 0.2];
    assert.deepEqual((await ending(DOWN, { random: () => draws.shift() ?? 1 })).at, [0, 450, 1350]);
  });

  it('a random time by default', async () => {
    const held = mock.method(Math, 'random', () => 0.25);
    const clock = instantClock();
    await failureOf(embedded(DOWN, { clock }).user('u'));
    held.mock.restore();
    assert.equal(clock.now(), 250 * 1.25 + 750 * 1.25);
  });

  it('at most all of both', async () => {
    const { at } = await ending(DOWN, { random: () => 1 - Number.EPSILON });
    assert.deepEqual(at.map(Math.round), [0, 500, 2000]);
  });

  it('a second after each "too many calls", and no longer if the service says so', async () => {
    assert.deepEqual((await ending(() => body('<p>', 429))).at, [0, 1000, 2000]);
    assert.deepEqual((await ending(() => Response.json({ code: 1007 }))).at, [0, 1000, 2000]);
    assert.deepEqual((await ending(() => asking('0', 429))).at, [0, 250, 1000]);
  });

  it('only if the wait ends before its deadline', async () => {
    for (const [timeout, at] of [
      [250, [0]],
      [251, [0, 250]],
      [1000, [0, 250]],
      [1001, [0, 250, 1000]],
    ] as const) {
      assert.deepEqual((await ending(DOWN, { timeout })).at, at, `timeout ${timeout}`);
    }
  });

  it('within one deadline for all requests, to the millisecond', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let over = false;
    const first = deferred<Response>();
    const slow: Answer = (request) => (request > 1 ? silence() : first.promise);
    const call = ending(slow, { timeout: 300 }).finally(() => {
      over = true;
    });
    const pass = async (ms: number) => {
      await settled();
      mock.timers.tick(ms);
      await settled();
    };
    try {
      await pass(200);
      first.resolve(DOWN());
      await pass(99);
      assert.equal(over, false);
      await pass(1);
      assert.deepEqual(await call, { failure: { kind: 'timedOut', after: 300 }, at: [0, 250] });
    } finally {
      mock.timers.reset();
    }
  });

  it("no longer than its deadline, and then rejects with the service's error", async () => {
    const answers = [DOWN, () => asking('60', 429)];
    const { clock, pass } = heldClock();
    const client = embedded(() => answers.shift()?.() ?? assert.fail(), { timeout: 5_000, clock, random: () => 0 });
    // Deadlines are timers of their own.
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const both = Promise.all([failureOf(client.user('a')), failureOf(client.user('b'))]);
      await pass(5_000);
      mock.timers.tick(5_000);
      assert.deepEqual(await both, [
        { kind: 'http', status: 503, excerpt: '<p>' },
        { kind: 'http', status: 429, excerpt: '<p>', retryAfter: 60_000 },
      ]);
    } finally {
      mock.timers.reset();
    }
  });
});

describe('A service that asks for a longer wait than the timeout', () => {
  it('gets no requests meanwhile, and calls reject at once with its error', async () => {
    const { client, at, clock } = counting(() => asking('30', 429), { timeout: 20_000 });
    const refusal = { kind: 'http', status: 429, excerpt: '<p>', retryAfter: 30_000 };
    assert.deepEqual(await failureOf(client.user('a')), refusal);
    assert.deepEqual(await failureOf(client.user('b')), refusal);
    assert.deepEqual(at, [0]);
    const { signal } = new AbortController();
    await clock.sleep(10_001, signal);
    assert.deepEqual(await failureOf(client.user('b')), refusal);
    assert.deepEqual(at, [0, 30_000]);
  });
});

describe('Retry-After', () => {
  beforeEach(() => void mock.method(Date, 'now', () => Date.UTC(2026, 2, 13, 15, 59, 57)));
  afterEach(() => mock.restoreAll());

  const date = 'Fri, 13 Mar 2026 16:00:00 GMT';
  type Row = [header: string, retryAfter: number | undefined, at: number[]];

  /** Headers that come at 15:59:57 on March 13, the milliseconds that they ask for, and the times of the requests. */
  const headers: Record<string, Row[]> = {
    'is waited for in seconds, rounded up, in quotes or not': [
      ['3', 3000, [0, 3000, 6000]],
      ['12.5', 13_000, [0, 13_000]],
      ['3.0', 3000, [0, 3000, 6000]],
      ['0.2', 1000, [0, 1000, 2000]],
      ['"7"', 7000, [0, 7000, 14_000]],
      [' 4 ', 4000, [0, 4000, 8000]],
    ],
    'is waited for as an HTTP date in any of its three formats': [
      [date, 3000, [0, 3000, 6000]],
      ['Friday, 13-Mar-26 16:00:00 GMT', 3000, [0, 3000, 6000]],
      ['Fri Mar 13 16:00:00 2026', 3000, [0, 3000, 6000]],
    ],
    'is the longest of several': [
      ['8, 2', 8000, [0, 8000, 16_000]],
      ['2,8', 8000, [0, 8000, 16_000]],
      ['5, 5', 5000, [0, 5000, 10_000]],
      ['soon, 8', 8000, [0, 8000, 16_000]],
      [`2, ${date}`, 3000, [0, 3000, 6000]],
      ['Friday, 13-Mar-26 16:00:00 GMT, 2', 3000, [0, 3000, 6000]],
      ['Fri Mar 13 16:00:00 2026,9', 9000, [0, 9000, 18_000]],
    ],
    "doesn't shorten the wait, even if its date has passed": [
      ['0', 0, [0, 250, 1000]],
      ['Thu, 01 Jan 2015 00:00:00 GMT', 0, [0, 250, 1000]],
    ],
    "ends a read at once with the service's error if it's beyond the deadline": [
      ['20', 20_000, [0]],
      ['999999999999', 999_999_999_999_000, [0]],
      ['9'.repeat(400), Number.MAX_SAFE_INTEGER, [0]],
    ],
    'is compared with the time left until the deadline': [
      ['11', 11_000, [0, 11_000]],
      ['9', 9000, [0, 9000, 18_000]],
    ],
    "is ignored if it's invalid": [
      '',
      ' ',
      ',',
      'soon',
      'in 5 seconds',
      '5s',
      '1e3',
      '-1',
      '+5',
      '1.2.3',
      'Infinity',
      'NaN',
      '0x5',
      '""',
      'GMT',
      'Fri, 13 Mar',
      '13 GMT',
      'Fri, 99 Mar 2099 16:00:00 GMT',
    ].map((odd): Row => [odd, undefined, [0, 250, 1000]]),
  };

  for (const [title, rows] of Object.entries(headers)) {
    it(title, async () => {
      for (const [header, retryAfter, at] of rows) {
        const failure = { kind: 'http', status: 503, excerpt: '<p>', ...(retryAfter !== undefined && { retryAfter }) };
        assert.deepEqual(await ending(() => asking(header)), { failure, at }, `Retry-After: ${header}`);
      }
    });
  }

  it('is the least time of a random wait', async () => {
    assert.deepEqual((await ending(() => asking('1'), { random: () => 0.5 })).at, [0, 1000, 2125]);
  });

  it('applies with any status, to a refusal too', async () => {
    for (const [code, status, seconds, at] of [
      [1007, 200, 2, [0, 2000, 4000]],
      [1007, 429, 2, [0, 2000, 4000]],
      [1002, 503, 2, [0, 2000, 4000]],
      [1007, 429, 3600, [0]],
    ] as const) {
      const failure = { kind: 'rejected', code, text: 'no', status, retryAfter: seconds * 1000 };
      const ended = await ending(() => refusing(String(seconds), code, status));
      assert.deepEqual(ended, { failure, at }, `code ${code}, HTTP ${status}, ${seconds} s`);
    }
    assert.deepEqual((await ending(() => asking('2', 429))).at, [0, 2000, 4000]);
  });

  it("is reported for a batch, which isn't retried", async () => {
    const failure = { kind: 'rejected', code: 1007, text: 'no', status: 429, retryAfter: 1000 };
    const ended = await ending(() => refusing('1', 1007, 429), {}, operations.batchSend);
    assert.deepEqual(ended, { failure, at: [0] });
  });
});
