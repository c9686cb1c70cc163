import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RateLimiter } from '../../../src/service/rateLimiter.ts';
import { heldClock } from '../clocks.ts';

interface Waiter {
  caller: number;
  /** When it was requested, and how many calls had started by then. */
  asked: number;
  before: number;
  /** The number of its caller's waiting calls, including itself. */
  standing: number;
  abort: AbortController;
  /** When it started, and its position among all. */
  served?: number;
  as?: number;
  left?: number;
}

/** Makes calls of several callers and records when they start. */
function record(perSecond: number) {
  const { clock, pass, sleeping } = heldClock();
  const limiter = new RateLimiter(perSecond, clock);
  const callers = [undefined, {}, {}, {}];
  const waiters: Waiter[] = [];
  let turns = 0;
  const waiting = () => waiters.filter(({ served, left }) => served === undefined && left === undefined);

  function ask(caller: number): void {
    const standing = waiting().filter((one) => one.caller === caller).length + 1;
    const abort = new AbortController();
    const waiter: Waiter = { caller, asked: clock.now(), before: turns, standing, abort };
    waiters.push(waiter);
    limiter.acquire(callers[caller], abort.signal).then(
      () => {
        waiter.served = clock.now();
        waiter.as = turns++;
      },
      (error) => assert.equal(error, abort.signal.reason),
    );
  }

  function leave(number: number): void {
    // One of the last calls, which may have started already.
    const waiter = waiters.at(-1 - (number % Math.min(12, waiters.length)));
    if (waiter && waiting().includes(waiter)) waiter.left = clock.now();
    waiter?.abort.abort();
  }

  return { clock, pass, sleeping, limiter, waiters, waiting, ask, leave };
}

type Step = { ms: number; caller: number; turns: number } | { ms: number; leave: number };

describe('RateLimiter with many callers', () => {
  const ms = fc.oneof(fc.constant(0), fc.nat({ max: 1500 }), fc.constantFrom(1, 500, 999, 1000, 1001));
  const coming = fc.record({ ms, caller: fc.nat({ max: 3 }), turns: fc.integer({ min: 1, max: 7 }) });
  const going = fc.record({ ms, leave: fc.nat() });
  const steps = fc.array(
    fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>({ weight: 3, arbitrary: coming }, { weight: 2, arbitrary: going }),
    { maxLength: 30, size: 'max' },
  );
  const rates = fc.integer({ min: 1, max: 6 });

  /** Runs the steps to the end, then checks the record. */
  const assertAlways = (check: (waiters: Waiter[], turns: number[], perSecond: number) => void) =>
    fc.assert(
      fc.asyncProperty(rates, steps, async (perSecond, steps) => {
        const { pass, sleeping, waiters, waiting, ask, leave } = record(perSecond);
        for (const step of steps) {
          await pass(step.ms);
          if ('leave' in step) leave(step.leave);
          else for (let turn = 0; turn < step.turns; turn++) ask(step.caller);
        }
        await pass(300_000);
        assert.deepEqual(waiting(), []);
        assert.equal(sleeping(), 0);
        const served = waiters.filter((one) => one.served !== undefined).sort((one, other) => at(one) - at(other));
        check(
          waiters,
          served.map((one) => one.served ?? 0),
          perSecond,
        );
      }),
    );

  const at = ({ as = -1 }: Waiter) => as;

  it('never exceeds its limit in any second, and serves each caller that waits', () =>
    assertAlways((waiters, turns, perSecond) => {
      for (const [number, time] of turns.entries()) assert.ok(time - (turns[number - perSecond] ?? -1000) >= 1000);
      for (const { served, left } of waiters) assert.equal(served === undefined, left !== undefined);
    }));

  it('starts a call whenever the limit allows one', () =>
    assertAlways((waiters, turns, perSecond) => {
      for (const { asked, served, left, as = 0 } of waiters) {
        // A call waits until a full second after as many calls as the limit allows.
        if (served !== undefined && served > asked) assert.equal(turns[as - perSecond], served - 1000);
        if (left !== undefined) {
          const recent = turns.filter((time) => time > left - 1000 && time <= left);
          assert.ok(recent.length >= perSecond, `left at ${left}`);
        }
      }
    }));

  it('makes no caller wait for more calls of another caller than it has itself', () =>
    assertAlways((waiters) => {
      for (const { caller, before, standing, as } of waiters) {
        if (as === undefined) continue;
        for (const other of [0, 1, 2, 3].filter((one) => one !== caller)) {
          const ahead = waiters.filter((one) => one.caller === other && at(one) >= before && at(one) < as);
          assert.ok(ahead.length <= standing, `${ahead.length} turns of caller ${other} before turn ${standing}`);
        }
      }
    }));

  it('keeps the calls of one caller in order', () =>
    assertAlways((waiters) => {
      for (const caller of [0, 1, 2, 3]) {
        const turns = waiters.filter((one) => one.caller === caller && one.as !== undefined).map(at);
        assert.deepEqual(
          turns,
          turns.toSorted((one, other) => one - other),
        );
      }
    }));

  it('keeps the place of a caller after some of its calls are canceled', async () => {
    const { pass, ask, leave, waiters } = record(1);
    ask(1);
    for (let turn = 0; turn < 10; turn++) ask(1);
    for (let turn = 0; turn < 9; turn++) leave(turn);
    for (let turn = 0; turn < 3; turn++) ask(2);
    ask(1);
    await pass(10_000);
    const last = waiters.at(-1) ?? assert.fail();
    const others = waiters.filter((one) => one.caller === 2 && at(one) < at(last));
    assert.ok(others.length <= 2, `${others.length} turns of another caller before it`);
  });
});
