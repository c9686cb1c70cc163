import assert from 'node:assert/strict';
import { createFaultySandbox, type FaultPlan } from '../../../src/sandbox/faulty.ts';

type Rule = FaultPlan['faults'][number];

describe('Invalid sandbox fault plans', () => {
  const kinds = 'reset, half-body, garbage, html, wrong-types, code, too-many, endless, redirect, duplicates, missing';
  const operations = 'group-info, bot-info, homepage, messages, batch_send';
  const common = 'on, skip, times, probability, delay, fault, work';
  const bad: [unknown, string][] = [
    [null, 'The plan must be an object, not null'],
    ['reset', 'The plan must be an object, not "reset"'],
    [[], 'faults is missing'],
    [{ seed: 1 }, 'faults is missing'],
    [{ faults: {} }, 'faults must be a list of rules, not Object'],
    [{ faults: [], sead: 1 }, 'sead is unknown; known are seed, faults'],
    [JSON.parse('{"faults":[],"__proto__":1}'), '__proto__ is unknown; known are seed, faults'],
    [{ faults: [], seed: -1 }, 'seed must be a whole number from 0 to 4294967295, not -1'],
    [{ faults: [], seed: 4294967296 }, 'seed must be a whole number from 0 to 4294967295, not 4294967296'],
    [{ faults: ['reset'] }, 'faults[0] must be an object, not "reset"'],
    [{ faults: [{}] }, `faults[0].delay is missing, and so is a fault, which is one of ${kinds}`],
    [{ faults: [{ delay: 1 }, { fault: 'rest' }] }, `faults[1].fault must be one of ${kinds}, not "rest"`],
    [{ faults: [{ fault: null }] }, `faults[0].fault must be one of ${kinds}, not null`],
    [{ faults: [{ fault: 'reset', tims: 1 }] }, `faults[0].tims is unknown; known are ${common}`],
    [{ faults: [{ fault: 'reset', status: 502 }] }, `faults[0].status is unknown; known are ${common}`],
    [{ faults: [{ delay: 1, probabilty: 1 }] }, `faults[0].probabilty is unknown; known are ${common}`],
    [{ faults: [{ fault: 'reset', on: 'send' }] }, `faults[0].on must be one or several of ${operations}, not "send"`],
    [
      { faults: [{ fault: 'reset', on: ['messages', 'x'] }] },
      `faults[0].on must be one or several of ${operations}, not ["messages","x"]`,
    ],
    [{ faults: [{ fault: 'reset', on: [] }] }, `faults[0].on must be one or several of ${operations}, not []`],
    [
      { faults: [{ fault: 'missing', on: ['batch_send', 'messages'] }] },
      'faults[0].on must be one or several of batch_send, not ["batch_send","messages"]',
    ],
    [{ faults: [{ fault: 'duplicates', work: 'undone' }] }, 'faults[0].work must be one of done, not "undone"'],
    [{ faults: [{ fault: 'reset', work: 'half' }] }, 'faults[0].work must be one of done, undone, not "half"'],
    [{ faults: [{ fault: 'reset', probability: 1.1 }] }, 'faults[0].probability must be a number from 0 to 1, not 1.1'],
    [
      { faults: [{ fault: 'reset', probability: Number.NaN }] },
      'faults[0].probability must be a number from 0 to 1, not NaN',
    ],
    [{ faults: [{ delay: -1 }] }, 'faults[0].delay must be whole milliseconds from 0 to 2147483647, not -1'],
    [{ faults: [{ delay: 3e9 }] }, 'faults[0].delay must be whole milliseconds from 0 to 2147483647, not 3000000000'],
    [{ faults: [{ fault: 'code' }] }, 'faults[0].code is missing'],
    [
      { faults: [{ fault: 'code', code: '1' }] },
      'faults[0].code must be a whole number from -2147483647 to 2147483647, not "1"',
    ],
    [{ faults: [{ fault: 'code', code: 1, msg: 1 }] }, 'faults[0].msg must be text, not 1'],
    [
      { faults: [{ fault: 'html', status: 204 }] },
      'faults[0].status must be a whole number from 200 to 599 without 204, 205, 304, not 204',
    ],
    [
      { faults: [{ fault: 'too-many', retryAfter: '一' }] },
      'faults[0].retryAfter must be whole seconds or a text of ASCII characters, not "一"',
    ],
    [
      { faults: [{ fault: 'redirect', status: 200 }] },
      'faults[0].status must be one of 301, 302, 303, 307, 308, not 200',
    ],
    [
      { faults: [{ fault: 'redirect', to: 'http://' }] },
      'faults[0].to must be an address, whole or relative, not "http://"',
    ],
  ];
  for (const field of ['skip', 'times']) {
    for (const value of [-1, 1.5, '1', null]) {
      bad.push([
        { faults: [{ fault: 'reset', [field]: value }] },
        `faults[0].${field} must be a whole number from 0 to 2147483647, not ${JSON.stringify(value)}`,
      ]);
    }
  }

  it('are rejected with the path, the mistake and the allowed values', () => {
    for (const [plan, message] of bad) {
      const create = () => createFaultySandbox({ faults: plan as FaultPlan });
      assert.throws(create, { name: 'TypeError', message });
    }
  });

  it('are rejected with a line for each mistake', () => {
    const faults = [{ fualt: 'reset' }, { fault: 'reset', skip: -1 }] as unknown as Rule[];
    const message = [
      `faults[0].delay is missing, and so is a fault, which is one of ${kinds}`,
      `faults[0].fualt is unknown; known are ${common}`,
      'faults[1].skip must be a whole number from 0 to 2147483647, not -1',
    ].join('\n');
    assert.throws(() => createFaultySandbox({ faults: { faults } }), { message });
  });
});
