/** The faults that a test wants from the sandbox, validated: most plans are written by hand. */
import * as v from 'valibot';
import { type Operation, operationNames } from '../../src/sandbox/requests.ts';

/**
 * Faults to inject. The first rule that applies to a request decides. Every rule counts all requests that match its `on`,
 * whichever rule applies.
 *
 * This one sends one message, and resets the connection before the sender sees the answer:
 *
 *     { "faults": [{ "on": "batch_send", "fault": "reset", "work": "done", "times": 1 }] }
 *
 * | rule | meaning |
 * |---|---|
 * | on | One or more operations, by the last segment of their path. Default: all. |
 * | skip | The number of matching requests to skip first. Default: 0. |
 * | times | How often the rule applies. Default: always. |
 * | probability | From 0 to 1. Default: 1. The same `seed` selects the same requests. |
 * | delay | Milliseconds before the response. Default: 0. A rule without `fault` delays the correct response. |
 * | work | Whether the operation is carried out before the delay and the fault. Default: see below. |
 *
 * | fault | response | default work |
 * |---|---|---|
 * | (none) | The correct one after the delay. Undone work is done after the delay. | done |
 * | reset | None. The connection is reset. | undone |
 * | half-body | Half of the correct response with its full content length, then a lost connection. | done |
 * | garbage | Bytes that are neither JSON nor UTF-8, with the content type of JSON. | done |
 * | html | A page that quotes the requested URL. Default `status`: 200. | done with 200, otherwise undone |
 * | wrong-types | A success whose data has fields of the wrong types. | done |
 * | code | A refusal with this `code` and `msg`. Default `status`: 200. | undone |
 * | too-many | 429 with a page, or with a refusal if `code` is set. `retryAfter`: seconds or the header's text. | undone |
 * | endless | A success whose data never ends. | done |
 * | redirect | A redirect to the URL `to` with the same query. Defaults: `status` 307, /elsewhere. | undone |
 * | duplicates | batch_send only: every other receiver is listed and counted twice. | done |
 * | missing | batch_send only: every other receiver got the message, but isn't listed or counted. | done |
 */
export type FaultPlan = v.InferInput<typeof faultPlan>;
export type Rule = v.InferOutput<typeof rule>;
export type Fault = Extract<Rule, { readonly fault: string }>;

type Issue = v.BaseIssue<unknown>;

/** An error message with the expected and the actual value. */
const must = (what: string) => (issue: Issue) => `must be ${what}, not ${issue.received}`;

/** An object with only these fields, so that a mistyped name is an error. */
function strict<const E extends v.ObjectEntries>(entries: E, ifMissing = 'is missing') {
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `is unknown; known are ${Object.keys(entries).join(', ')}`;
    return issue.expected === 'Object' ? must('an object')(issue) : ifMissing;
  });
}

/** An integer in an inclusive range. */
function whole(low: number, high: number, what = 'a whole number') {
  const is = (value: unknown) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high;
  return v.custom<number>(is, must(`${what} from ${low} to ${high}`));
}

/** One of these values. */
function oneOf<const T extends string | number>(...allowed: T[]) {
  return v.picklist(allowed, must(`one of ${allowed.join(', ')}`));
}

/** One or more of these operations, as a list. All of them by default. */
function operationsOf(allowed: readonly Operation[]) {
  const explanation = ({ input }: Issue) =>
    `must be one or several of ${allowed.join(', ')}, not ${JSON.stringify(input)}`;
  const one = v.picklist(allowed);
  const several = v.pipe(v.array(one), v.minLength(1, explanation));
  const asList = v.transform((on: Operation | Operation[]) => (Array.isArray(on) ? on : [on]));
  return v.optional(v.pipe(v.union([one, several], explanation), asList), [...allowed]);
}

/** The longest delay of a timer. */
const longest = 2_147_483_647;

const count = whole(0, longest);
const milliseconds = whole(0, longest, 'whole milliseconds');
const code = whole(-longest, longest);
const text = v.string(must('text'));

const probability = v.custom<number>(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  must('a number from 0 to 1'),
);

/** The status of a response with a body. */
const status = v.custom<number>(
  (value) => v.is(whole(200, 599), value) && ![204, 205, 304].includes(value),
  must('a whole number from 200 to 599 without 204, 205, 304'),
);

const address = v.pipe(
  text,
  v.check((to) => URL.canParse(to, 'http://sandbox.localhost'), must('an address, whole or relative')),
);

/** Seconds, or the header's text, such as a date. */
const retryAfter = v.custom<number | string>(
  (value) => v.is(count, value) || (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)),
  must('whole seconds or a text of ASCII characters'),
);

const work = oneOf('done', 'undone');
const done = v.optional(work, 'done');
const undone = v.optional(work, 'undone');

const common = {
  on: operationsOf(operationNames),
  skip: v.optional(count, 0),
  times: v.optional(count),
  probability: v.optional(probability, 1),
  delay: v.optional(milliseconds, 0),
};
const batchSendOnly = { on: operationsOf(['batch_send']), work: v.optional(oneOf('done'), 'done') };

function kind<const K extends string, const E extends v.ObjectEntries>(name: K, fields: E) {
  return strict({ ...common, fault: v.literal(name), ...fields });
}

const faults = [
  kind('reset', { work: undone }),
  kind('half-body', { work: done }),
  kind('garbage', { work: done }),
  v.pipe(
    kind('html', { work: v.optional(work), status: v.optional(status, 200) }),
    v.transform((rule) => ({ ...rule, work: rule.work ?? (rule.status === 200 ? 'done' : 'undone') }) as const),
  ),
  kind('wrong-types', { work: done }),
  kind('code', {
    work: undone,
    code: code,
    msg: v.optional(text, '错误'),
    status: v.optional(status, 200),
  }),
  kind('too-many', { work: undone, retryAfter: v.optional(retryAfter), code: v.optional(code) }),
  kind('endless', { work: done }),
  kind('redirect', {
    work: undone,
    status: v.optional(oneOf(301, 302, 303, 307, 308), 307),
    to: v.optional(address, '/elsewhere'),
  }),
  kind('duplicates', batchSendOnly),
  kind('missing', batchSendOnly),
] as const;
const kinds = faults.map(({ entries }) => entries.fault.literal).join(', ');
const onlyDelay = strict(
  { ...common, fault: v.exactOptional(v.never()), delay: milliseconds, work: done },
  `is missing, and so is a fault, which is one of ${kinds}`,
);

const rule = v.variant('fault', [onlyDelay, ...faults], (issue) =>
  must(issue.expected === 'Object' ? 'an object' : `one of ${kinds}`)(issue),
);
const faultPlan = strict({ seed: v.optional(whole(0, 0xffffffff), 0), faults: v.array(rule, must('a list of rules')) });

/**
 * Validates a plan and applies its defaults.
 * @throws {TypeError} with a line for each mistake: its path, and what is allowed
 */
export function readPlan(plan: unknown): v.InferOutput<typeof faultPlan> {
  const result = v.safeParse(faultPlan, plan);
  if (result.success) return result.output;
  throw new TypeError(result.issues.map((issue) => `${pathOf(issue)} ${issue.message}`).join('\n'));
}

/** The path of an issue, such as `faults[2].fault`. */
function pathOf({ path }: Issue): string {
  const segments = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return segments.join('').replace(/^\./, '') || 'The plan';
}
