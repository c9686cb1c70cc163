import assert from 'node:assert/strict';
import { type Operation, operationNames } from '../../../src/sandbox/requests.ts';
import { createFaultySandbox } from '../../faults/faultySandbox.ts';
import type { FaultPlan } from '../../faults/plan.ts';
import { posting } from './calls.ts';

type Rule = FaultPlan['faults'][number];

describe('Sandbox fault plans', () => {
  const { webUrl, openApiUrl } = createFaultySandbox();
  const requests: Readonly<Record<Operation, () => Request>> = {
    'group-info': () => new Request(`${webUrl}/v1/group/group-info`, posting({})),
    'bot-info': () => new Request(`${webUrl}/v1/bot/bot-info`, posting({})),
    homepage: () => new Request(`${webUrl}/v1/user/homepage?userId=0`),
    messages: () => new Request(`${openApiUrl}/open-apis/v1/bot/messages`),
    batch_send: () => new Request(`${openApiUrl}/open-apis/v1/bot/batch_send`, posting({})),
  };
  const all = Object.keys(requests) as Operation[];

  /** Calls operations in order. Returns the code of the rule that applied to each, or 0. */
  const codes = async (sandbox: ReturnType<typeof createFaultySandbox>, operations: readonly Operation[]) => {
    const given: number[] = [];
    for (const operation of operations) {
      const { code, msg } = (await (await sandbox.fetch(requests[operation]())).json()) as {
        code: number;
        msg: string;
      };
      given.push(msg === 'fault' ? code : 0);
    }
    return given;
  };
  const struck = (plan: FaultPlan, operations: readonly Operation[]) =>
    codes(createFaultySandbox({ faults: plan }), operations);
  const rule = (code: number, more: Partial<Rule> = {}) => ({ fault: 'code', code, msg: 'fault', ...more }) as Rule;
  const times = (number: number) => Array.from({ length: number }, () => 'homepage' as const);

  it('apply to all operations, or to those that they name, but not to unknown paths', async () => {
    assert.deepEqual(await struck({ faults: [] }, all), [0, 0, 0, 0, 0]);
    assert.deepEqual(await struck({ faults: [rule(7)] }, all), [7, 7, 7, 7, 7]);
    assert.deepEqual(await struck({ faults: [rule(7, { on: 'homepage' })] }, all), [0, 0, 7, 0, 0]);
    assert.deepEqual(await struck({ faults: [rule(7, { on: ['messages', 'bot-info'] })] }, all), [0, 7, 0, 7, 0]);
    const sandbox = createFaultySandbox({ faults: { faults: [rule(7)] } });
    assert.equal((await sandbox.fetch(new Request(`${webUrl}/elsewhere`))).status, 404);
  });

  it('skip the first matching requests, then apply a number of times', async () => {
    assert.deepEqual(await struck({ faults: [rule(7, { skip: 1, times: 2 })] }, times(5)), [0, 7, 7, 0, 0]);
    assert.deepEqual(await struck({ faults: [rule(7, { times: 0 })] }, times(2)), [0, 0]);
    const faults = [rule(7, { on: 'homepage', skip: 1, times: 1 })];
    assert.deepEqual(await struck({ faults }, ['messages', 'homepage', 'messages', 'homepage']), [0, 0, 0, 7]);
  });

  it('use the first rule that applies, and count matches for each rule', async () => {
    const faults = [rule(1, { skip: 1, times: 1 }), rule(2, { skip: 2, times: 2 }), rule(3, { on: 'messages' })];
    assert.deepEqual(await struck({ faults }, times(6)), [0, 1, 2, 2, 0, 0]);
    assert.deepEqual(await struck({ faults }, ['messages', 'messages', 'messages']), [3, 1, 2]);
    assert.deepEqual(
      await struck({ faults: [rule(1, { times: 2 }), rule(2, { times: 2 })] }, times(5)),
      [1, 1, 2, 2, 0],
    );
  });

  it('apply with a probability, to the same requests with the same seed', async () => {
    const drawn = (probability: number, seed: number, more: Partial<Rule> = {}) =>
      struck({ seed, faults: [rule(1, { probability, ...more })] }, times(200));
    const count = (given: number[]) => given.filter((code) => code === 1).length;
    assert.equal(count(await drawn(0, 5)), 0);
    assert.equal(count(await drawn(1, 5)), 200);
    const half = await drawn(0.5, 5);
    assert.ok(count(half) > 70 && count(half) < 130, `${count(half)} of 200`);
    assert.deepEqual(await drawn(0.5, 5), half);
    assert.notDeepEqual(await drawn(0.5, 6), half);
    assert.equal(count(await drawn(0.5, 5, { skip: 10, times: 20 })), 20);
  });

  it('start over when they are replaced, and stay if the new one is invalid', async () => {
    const plan: FaultPlan = { faults: [rule(1, { times: 1 })] };
    const sandbox = createFaultySandbox({ faults: plan });
    assert.deepEqual(await codes(sandbox, times(2)), [1, 0]);
    sandbox.setFaults(plan);
    assert.throws(() => sandbox.setFaults({ faults: [{} as Rule] }), TypeError);
    assert.deepEqual(await codes(sandbox, times(2)), [1, 0]);
    sandbox.setFaults(undefined);
    assert.deepEqual(await codes(sandbox, times(1)), [0]);
  });

  it('are rejected with a line for each mistake: its path, and what is allowed', () => {
    const rejected = (plan: unknown) => {
      try {
        createFaultySandbox({ faults: plan as FaultPlan });
      } catch (error) {
        return error instanceof TypeError ? error.message.split('\n') : error;
      }
      return [];
    };
    const kinds =
      'reset, half-body, garbage, html, wrong-types, code, too-many, endless, redirect, duplicates, missing';
    assert.deepEqual(rejected(null), ['The plan must be an object, not null']);
    assert.deepEqual(rejected({ faults: {}, sead: 1 }), [
      'faults must be a list of rules, not Object',
      'sead is unknown; known are seed, faults',
    ]);
    assert.deepEqual(
      rejected({
        seed: -1,
        faults: [
          {},
          { fault: 'rest' },
          { fault: 'reset', tims: 1, skip: -1, probability: 1.1 },
          { on: 'send', delay: 3e9 },
          { fault: 'missing', on: 'messages', work: 'undone' },
          { fault: 'code', msg: 1 },
          { fault: 'html', status: 204 },
          { fault: 'too-many', retryAfter: '一' },
          { fault: 'redirect', status: 200, to: 'http://' },
        ],
      }),
      [
        'seed must be a whole number from 0 to 4294967295, not -1',
        `faults[0].delay is missing, and so is a fault, which is one of ${kinds}`,
        `faults[1].fault must be one of ${kinds}, not "rest"`,
        'faults[2].skip must be a whole number from 0 to 2147483647, not -1',
        'faults[2].probability must be a number from 0 to 1, not 1.1',
        'faults[2].tims is unknown; known are on, skip, times, probability, delay, fault, work',
        `faults[3].on must be one or several of ${operationNames.join(', ')}, not "send"`,
        'faults[3].delay must be whole milliseconds from 0 to 2147483647, not 3000000000',
        'faults[4].on must be one or several of batch_send, not "messages"',
        'faults[4].work must be one of done, not "undone"',
        'faults[5].code is missing',
        'faults[5].msg must be text, not 1',
        'faults[6].status must be a whole number from 200 to 599 without 204, 205, 304, not 204',
        'faults[7].retryAfter must be whole seconds or a text of ASCII characters, not "一"',
        'faults[8].status must be one of 301, 302, 303, 307, 308, not 200',
        'faults[8].to must be an address, whole or relative, not "http://"',
      ],
    );
  });
});
