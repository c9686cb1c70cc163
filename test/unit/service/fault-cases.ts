// The result of each call for each sandbox fault that retries don't fix.
import { createFaultySandbox, type FaultPlan } from '../../../src/sandbox/faulty.ts';
import type { ClientOptions } from '../../../src/service/client.ts';
import type { DataProblem } from '../../../src/service/errors.ts';
import type { operations } from './answering.ts';

export type Rule = FaultPlan['faults'][number];
export type Name = keyof typeof operations;

/** The paths and queries of the calls in `operations`, as pages quote them. */
export const addresses: Record<Name, string> = {
  group: '/web/v1/group/group-info',
  bot: '/web/v1/bot/bot-info',
  user: '/web/v1/user/homepage?userId=7058314',
  messages: '/open/open-apis/v1/bot/messages?token=***&amp;chat-id=big&amp;chat-type=group&amp;before=20',
  batchSend: '/open/open-apis/v1/bot/batch_send?token=***',
};
const page = (status: number) => (name: Name) =>
  `<!DOCTYPE html> <title>${status}</title> <h1>${status}</h1> <p>${addresses[name]}</p>`;

const MIB = 2 ** 20;
/** Byte limits of the calls in `operations`: for 20 messages and one receiver. */
const bounds: Record<Name, number> = {
  group: MIB,
  bot: MIB,
  user: MIB,
  // The limit for any response; 256 KiB and 20 times 320 KiB would be more.
  messages: 4 * MIB,
  batchSend: 256 * 1024 + 1024,
};

/** The first invalid field for wrong types. */
const wrong: Record<Name, { path: string; problem: DataProblem }> = {
  group: { path: 'data.group.groupId', problem: { expected: 'string', actual: 'number' } },
  bot: { path: 'data.bot.botId', problem: { expected: 'string', actual: 'number' } },
  user: { path: 'data.user.userId', problem: { expected: 'string', actual: 'number' } },
  messages: { path: 'data.list', problem: { expected: 'Array', actual: 'object' } },
  batchSend: { path: 'data.successList', problem: { expected: 'Array', actual: 'string' } },
};

/** The decoded garbage: invalid UTF-8 becomes replacement characters. */
const garbage = await (async () => {
  const { webUrl, fetch } = createFaultySandbox({ faults: { faults: [{ fault: 'garbage' }] } });
  const text = await (await fetch(new Request(`${webUrl}/v1/user/homepage`))).text();
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
})();

/** A fault, the failure of every call, and whether reads are retried. */
export interface Case {
  rule: Rule;
  failure: (name: Name, brokenOff: string) => object;
  repeated: boolean;
  options?: Partial<ClientOptions>;
}

const refused = (code: number, text: string, status = 200) => ({ kind: 'rejected', code, text, status });
const missing = (name: Name) => {
  const id = { group: '518204736', bot: '30481126' }[name as string];
  return id ? { kind: 'notFound', what: name, id, code: -1, text: '错误' } : refused(-1, '错误');
};
/** Long enough for a request to arrive on a busy machine. */
export const timeout = 1_000;

export const cases: Case[] = [
  {
    rule: { fault: 'reset' },
    failure: () => ({ kind: 'unreachable', reason: 'ECONNRESET' }),
    repeated: true,
  },
  {
    rule: { fault: 'half-body' },
    failure: (_, brokenOff) => ({ kind: 'unreachable', reason: brokenOff }),
    repeated: true,
  },
  {
    rule: { fault: 'garbage' },
    failure: () => ({ kind: 'notEnvelope', status: 200, excerpt: garbage }),
    repeated: false,
  },
  {
    rule: { fault: 'html' },
    failure: (name) => ({ kind: 'notEnvelope', status: 200, excerpt: page(200)(name) }),
    repeated: false,
  },
  {
    rule: { fault: 'html', status: 404 },
    failure: (name) => ({ kind: 'http', status: 404, excerpt: page(404)(name) }),
    repeated: false,
  },
  {
    rule: { fault: 'html', status: 502 },
    failure: (name) => ({ kind: 'http', status: 502, excerpt: page(502)(name) }),
    repeated: true,
  },
  {
    rule: { fault: 'wrong-types' },
    failure: (name) => ({ kind: 'unreadable', ...wrong[name] }),
    repeated: false,
  },
  {
    rule: { fault: 'code', code: 1 },
    failure: () => ({ kind: 'unreadable', path: 'data', problem: 'missing' }),
    repeated: false,
  },
  { rule: { fault: 'code', code: -1 }, failure: missing, repeated: false },
  {
    rule: { fault: 'code', code: 1004, msg: '机器人被封禁' },
    failure: () => refused(1004, '机器人被封禁'),
    repeated: false,
  },
  { rule: { fault: 'code', code: 1007 }, failure: () => refused(1007, '错误'), repeated: true },
  {
    rule: { fault: 'too-many' },
    failure: (name) => ({ kind: 'http', status: 429, excerpt: page(429)(name) }),
    repeated: true,
  },
  {
    rule: { fault: 'too-many', retryAfter: 3 },
    failure: (name) => ({ kind: 'http', status: 429, excerpt: page(429)(name), retryAfter: 3000 }),
    repeated: true,
  },
  {
    rule: { fault: 'too-many', code: 1007, retryAfter: 'Thu, 01 Jan 2015 00:00:00 GMT' },
    failure: () => ({ ...refused(1007, '调用频率超限', 429), retryAfter: 0 }),
    repeated: true,
  },
  {
    rule: { fault: 'too-many', code: 1002, retryAfter: 'soon' },
    failure: () => refused(1002, '调用频率超限', 429),
    repeated: true,
  },
  {
    rule: { fault: 'too-many', code: 1007, retryAfter: 60 },
    failure: () => ({ ...refused(1007, '调用频率超限', 429), retryAfter: 60_000 }),
    repeated: false,
  },
  {
    rule: { fault: 'endless' },
    failure: (name) => ({ kind: 'tooLarge', bound: bounds[name] }),
    repeated: false,
  },
  {
    rule: { fault: 'endless' },
    failure: () => ({ kind: 'tooLarge', bound: 100_000 }),
    repeated: false,
    options: { maxBytes: 100_000 },
  },
  {
    rule: { fault: 'redirect' },
    failure: () => ({ kind: 'http', status: 307, excerpt: '' }),
    repeated: false,
  },
  {
    rule: { delay: 60_000 },
    failure: () => ({ kind: 'timedOut', after: timeout }),
    repeated: false,
    options: { timeout },
  },
  {
    rule: { fault: 'code', code: 1004, delay: 60_000 },
    failure: () => ({ kind: 'timedOut', after: timeout }),
    repeated: false,
    options: { timeout },
  },
];
