import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import type { ClientOptions } from '../../../src/service/client.ts';
import type { Clock } from '../../../src/service/clock.ts';
import { heldClock, useWallClock } from '../clocks.ts';
import { deferred } from '../deferred.ts';
import { body, counting, embedded, failureOf, operations, patientClock, silence } from './answering.ts';

const DOWN = () => body('<p>', 503);
/** A response with Retry-After. */
const asking = (retryAfter: string, status = 503) =>
  new Response('<p>', { status, headers: { 'retry-after': retryAfter } });
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
    const clock = patientClock();
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

  it('within one deadline for all requests', async () => {
    const deadlines: { ms: number; pass: () => void }[] = [];
    const clock: Clock = {
      ...patientClock(),
      after(ms, pass) {
        deadlines.push({ ms, pass });
        return () => {};
      },
    };
    const retried = deferred<void>();
    const slow: Answer = (request) => {
      if (request === 1) return DOWN();
      retried.resolve();
      return silence();
    };
    const call = ending(slow, { timeout: 300, clock });
    await retried.promise;
    const [deadline = assert.fail(), ...others] = deadlines;
    assert.deepEqual([deadline.ms, others], [300, []]);
    deadline.pass();
    assert.deepEqual((await call).failure, { kind: 'timedOut', after: 300 });
  });

  it("no longer than its deadline, and then rejects with the service's error", async () => {
    const answers = [DOWN, () => asking('60', 429)];
    const { clock, pass } = heldClock();
    const client = embedded(() => answers.shift()?.() ?? assert.fail(), { timeout: 5_000, clock, random: () => 0 });
    const both = Promise.all([failureOf(client.user('a')), failureOf(client.user('b'))]);
    await pass(5_000);
    assert.deepEqual(await both, [
      { kind: 'http', status: 503, excerpt: '<p>' },
      { kind: 'http', status: 429, excerpt: '<p>', retryAfter: 60_000 },
    ]);
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
  const NOW = Date.UTC(2026, 2, 13, 15, 59, 57);
  const DATE = 'Fri, 13 Mar 2026 16:00:00 GMT';
  useWallClock(NOW);

  /** The milliseconds that a header asks for: those of a batch, which isn't sent again. */
  const asked = async (header: string) => {
    const { failure } = await ending(() => asking(header), {}, operations.batchSend);
    assert.ok(failure.kind === 'http');
    return failure.retryAfter;
  };

  const seconds = fc.nat(10_000_000);
  /** Of years that two digits name, too. */
  const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2049-01-01'), noInvalidDate: true });
  const waitUntil = (date: Date) => Math.max(0, Math.floor(date.getTime() / 1000) * 1000 - NOW);

  it('is any number of seconds, rounded up, in quotes or not', async () => {
    for (const [header, retryAfter] of [
      ['3.0', 3_000],
      ['12.5', 13_000],
      ['0.2', 1_000],
      ['0', 0],
      ['"7"', 7_000],
      [' 4 ', 4_000],
      ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ] as const)
      assert.equal(await asked(header), retryAfter, header);
    await fc.assert(
      fc.asyncProperty(seconds, async (count) => {
        assert.equal(await asked(`${count}`), count * 1000);
      }),
    );
  });

  it('is any HTTP date, in one of three formats, none of which makes a date that has passed a wait', async () => {
    for (const header of [DATE, 'Friday, 13-Mar-26 16:00:00 GMT', 'Fri Mar 13 16:00:00 2026'])
      assert.equal(await asked(header), 3_000, header);
    await fc.assert(
      fc.asyncProperty(dates, async (date) => {
        const [weekday, day = '', month, year = '', time] = date.toUTCString().split(/,? /);
        const longWeekday = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
        for (const header of [
          date.toUTCString(),
          `${longWeekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
          `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
        ])
          assert.equal(await asked(header), waitUntil(date), header);
      }),
    );
  });

  it('is the longest of several, however they are separated', async () => {
    for (const [header, retryAfter] of [
      ['soon, 8', 8_000],
      [`2, ${DATE}`, 3_000],
      ['Friday, 13-Mar-26 16:00:00 GMT, 2', 3_000],
      ['Fri Mar 13 16:00:00 2026,9', 9_000],
    ] as const)
      assert.equal(await asked(header), retryAfter, header);
    const some = fc.oneof(
      seconds.map((count) => ({ header: `${count}`, wait: count * 1000 })),
      dates.map((date) => ({ header: date.toUTCString(), wait: waitUntil(date) })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(some, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(',', ', '),
        async (all, separator) => {
          const header = all.map((one) => one.header).join(separator);
          assert.equal(await asked(header), Math.max(...all.map(({ wait }) => wait)), header);
        },
      ),
    );
  });

  it("is ignored if it's invalid", async () => {
    const numbers = ['5s', '1e3', '-1', '+5', '1.2.3', 'Infinity', 'NaN', '0x5', 'in 5 seconds'];
    const dates = ['GMT', 'Fri, 13 Mar', '13 GMT', 'Fri, 99 Mar 2099 16:00:00 GMT', '2026-03-13'];
    for (const header of ['', ' ', ',', '""', 'soon', ...numbers, ...dates])
      assert.equal(await asked(header), undefined, header);
  });

  it("is waited for if it's longer than the usual wait, unless that's beyond the deadline", async () => {
    for (const [header, at] of [
      ['soon', [0, 250, 1000]],
      ['0', [0, 250, 1000]],
      [DATE, [0, 3000, 6000]],
      ['9', [0, 9000, 18_000]],
      ['11', [0, 11_000]],
      ['20', [0]],
    ] as const)
      assert.deepEqual((await ending(() => asking(header))).at, at, header);
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
      const refusing = () =>
        Response.json({ code, msg: 'no' }, { status, headers: { 'retry-after': String(seconds) } });
      assert.deepEqual(await ending(refusing), { failure, at }, `code ${code}, HTTP ${status}, ${seconds} s`);
    }
    assert.deepEqual((await ending(() => asking('2', 429))).at, [0, 2000, 4000]);
  });
});
