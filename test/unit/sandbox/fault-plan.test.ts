import assert from 'node:assert/strict';
import { readPlan } from '../../../src/sandbox/faults/plan.ts';
import { createFaultySandbox, type FaultPlan } from '../../../src/sandbox/faulty.ts';

type Rule = FaultPlan['faults'][number];

describe('Sandbox fault plans', () => {
  const { webUrl, openApiUrl } = createFaultySandbox();
  const urls = {
    'group-info': `${webUrl}/v1/group/group-info`,
    'bot-info': `${webUrl}/v1/bot/bot-info`,
    homepage: `${webUrl}/v1/user/homepage?userId=0`,
    messages: `${openApiUrl}/open-apis/v1/bot/messages`,
    batch_send: `${openApiUrl}/open-apis/v1/bot/batch_send`,
  };
  type Operation = keyof typeof urls;
  const all = Object.keys(urls) as Operation[];
  const posted: readonly Operation[] = ['group-info', 'bot-info', 'batch_send'];

  /** Calls operations in order and returns the codes of the responses, 0 if no rule applied. */
  async function codes(sandbox: ReturnType<typeof createFaultySandbox>, operations: readonly Operation[]) {
    const given: number[] = [];
    for (const operation of operations) {
      const method = posted.includes(operation) ? 'POST' : 'GET';
      const response = await sandbox.fetch(new Request(urls[operation], { method }));
      const { code, msg } = (await response.json()) as { code: number; msg: string };
      given.push(msg === 'fault' ? code : 0);
    }
    return given;
  }
  const struck = (plan: FaultPlan, operations: readonly Operation[]) =>
    codes(createFaultySandbox({ faults: plan }), operations);
  const rule = (code: number, more: Partial<Rule> = {}) => ({ fault: 'code', code, msg: 'fault', ...more }) as Rule;
  const times = (number: number) => Array.from({ length: number }, () => 'homepage' as const);

  it('apply to every request of every operation by default', async () => {
    assert.deepEqual(await struck({ faults: [rule(7)] }, [...all, ...all]), Array(10).fill(7));
  });

  it('do nothing without rules', async () => {
    assert.deepEqual(await struck({ faults: [] }, all), [0, 0, 0, 0, 0]);
  });

  for (const [at, operation] of all.entries()) {
    it(`apply to ${operation} only`, async () => {
      const expected = [0, 0, 0, 0, 0].with(at, 7);
      assert.deepEqual(await struck({ faults: [rule(7, { on: operation })] }, all), expected);
    });
  }

  it('apply to several operations', async () => {
    assert.deepEqual(await struck({ faults: [rule(7, { on: ['messages', 'bot-info'] })] }, all), [0, 7, 0, 7, 0]);
  });

  it('ignore unknown paths', async () => {
    const sandbox = createFaultySandbox({ faults: { faults: [rule(7)] } });
    for (const url of [`${webUrl}/elsewhere/homepage`, `${urls.messages}/`, webUrl]) {
      assert.equal((await sandbox.fetch(new Request(url))).status, 404);
    }
  });

  it('skip the first matching requests, then apply a number of times', async () => {
    assert.deepEqual(await struck({ faults: [rule(7, { skip: 2 })] }, times(5)), [0, 0, 7, 7, 7]);
    assert.deepEqual(await struck({ faults: [rule(7, { times: 2 })] }, times(5)), [7, 7, 0, 0, 0]);
    assert.deepEqual(await struck({ faults: [rule(7, { skip: 1, times: 2 })] }, times(5)), [0, 7, 7, 0, 0]);
    assert.deepEqual(await struck({ faults: [rule(7, { times: 0 })] }, times(2)), [0, 0]);
  });

  it('count only the requests that match', async () => {
    const faults = [rule(7, { on: 'homepage', skip: 1, times: 1 })];
    const asked = ['messages', 'homepage', 'batch_send', 'homepage', 'homepage'] as const;
    assert.deepEqual(await struck({ faults }, asked), [0, 0, 0, 7, 0]);
  });

  it('use the first rule that applies, and count matches for each rule', async () => {
    const faults = [rule(1, { skip: 1, times: 1 }), rule(2, { skip: 2, times: 2 }), rule(3, { on: 'messages' })];
    assert.deepEqual(await struck({ faults }, times(6)), [0, 1, 2, 2, 0, 0]);
    assert.deepEqual(await struck({ faults }, ['messages', 'messages', 'messages']), [3, 1, 2]);
  });

  it("don't count a rule as applied if an earlier one decides", async () => {
    const faults = [rule(1, { times: 2 }), rule(2, { times: 2 })];
    assert.deepEqual(await struck({ faults }, times(5)), [1, 1, 2, 2, 0]);
  });

  describe('with a probability', () => {
    const drawn = (seed: number | undefined, probability: number, more: Partial<Rule> = {}) => {
      const faults = [rule(1, { probability, ...more })];
      return struck(seed === undefined ? { faults } : { seed, faults }, times(400));
    };
    const count = (given: number[]) => given.filter((code) => code === 1).length;

    it('apply about as often', async () => {
      for (const [probability, low, high] of [
        [0.1, 25, 58],
        [0.5, 165, 235],
        [0.9, 342, 375],
      ] as const) {
        const strikes = count(await drawn(5, probability));
        assert.ok(strikes > low && strikes < high, `${strikes} of 400 with ${probability}`);
      }
    });

    it('never apply with 0 and always with 1', async () => {
      assert.equal(count(await drawn(5, 0)), 0);
      assert.equal(count(await drawn(5, 1)), 400);
    });

    it('select requests by seed, with a default seed', async () => {
      assert.deepEqual(await drawn(5, 0.5), await drawn(5, 0.5));
      assert.notDeepEqual(await drawn(5, 0.5), await drawn(6, 0.5));
      assert.deepEqual(await drawn(undefined, 0.5), await drawn(0, 0.5));
    });

    it('select different requests for each rule', async () => {
      const faults = [rule(1, { on: 'homepage', probability: 0.5 }), rule(1, { on: 'messages', probability: 0.5 })];
      const asked = times(100).flatMap((homepage) => [homepage, 'messages' as const]);
      const given = await struck({ faults }, asked);
      assert.notDeepEqual(
        given.filter((_, at) => at % 2 === 0),
        given.filter((_, at) => at % 2 === 1),
      );
    });

    it('combine with skip and times', async () => {
      const given = await drawn(5, 0.5, { skip: 10, times: 20 });
      assert.equal(count(given.slice(0, 10)), 0);
      assert.equal(count(given), 20);
      assert.notDeepEqual(given.slice(10, 30), Array(20).fill(1));
    });
  });

  describe('that are replaced', () => {
    it('start over with the same selection', async () => {
      const sandbox = createFaultySandbox({ faults: { faults: [rule(1, { skip: 1, times: 1 })] } });
      assert.deepEqual(await codes(sandbox, times(3)), [0, 1, 0]);
      const plan: FaultPlan = { seed: 3, faults: [rule(2, { probability: 0.5, times: 9 })] };
      sandbox.setFaults(plan);
      const given = await codes(sandbox, times(50));
      sandbox.setFaults(plan);
      assert.deepEqual(await codes(sandbox, times(50)), given);
      sandbox.setFaults(undefined);
      assert.deepEqual(await codes(sandbox, times(2)), [0, 0]);
    });

    it('stay in effect if the new plan is invalid', async () => {
      const sandbox = createFaultySandbox({ faults: { faults: [rule(1)] } });
      assert.throws(() => sandbox.setFaults({ faults: [{} as Rule] }), TypeError);
      assert.deepEqual(await codes(sandbox, times(1)), [1]);
    });
  });

  it('have all defaults applied once read, and can be read again', () => {
    const plan = readPlan({
      faults: [
        { fault: 'html', status: 502 },
        { on: 'messages', fault: 'reset', times: 1 },
      ],
    });
    assert.deepEqual(plan, {
      seed: 0,
      faults: [
        { on: all, skip: 0, probability: 1, delay: 0, fault: 'html', status: 502, work: 'undone' },
        { on: ['messages'], skip: 0, times: 1, probability: 1, delay: 0, fault: 'reset', work: 'undone' },
      ],
    });
    assert.deepEqual(readPlan(plan), plan);
  });
});
