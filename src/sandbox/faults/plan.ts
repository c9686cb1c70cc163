import * as v from 'valibot';
import { operations } from '../operations.ts';
import * as field from './fields.ts';
import { type Issue, must, oneOf, operationsOf, strict, whole } from './fields.ts';

/**
 * Faults that the sandbox shows on demand. The first rule that strikes a request decides about it; every rule counts
 * the requests that match its own `on`, whichever rule strikes them.
 *
 * | rule | meaning |
 * |---|---|
 * | on | An operation or several of them, by the last word of their paths: all of them unless told. |
 * | skip | So many matching requests are left alone first: 0 unless told. |
 * | times | The rule strikes so often: for ever unless told. |
 * | probability | With which it strikes, from 0 to 1: 1 unless told. The same `seed` strikes the same requests. |
 * | delay | Milliseconds before the answer: 0 unless told. A rule with no `fault` delays the right answer. |
 * | work | Whether the operation is carried out before the delay and the fault: for each fault see below. |
 *
 * | fault | answer | work unless told |
 * |---|---|---|
 * | (none) | The right one, after the delay; what is undone till then is done after it. | done |
 * | reset | None: the connection is reset. | undone |
 * | half-body | The first half of the right answer under its full length; then the connection is cut. | done |
 * | garbage | Bytes that are neither JSON nor UTF-8, called JSON. | done |
 * | html | A page that quotes the address it was asked for; `status` 200 unless told. | done with 200, undone else |
 * | wrong-types | A success whose data has fields of other types than the contract says. | done |
 * | code | A refusal with this `code` and `msg`, under `status` 200 unless told. | undone |
 * | too-many | 429; `retryAfter` in seconds or as text for the header; a page, or with `code` a refusal. | undone |
 * | endless | A success whose data never ends. | done |
 * | redirect | `status` 307 unless told, `to` an address, /elsewhere unless told; the query is carried along. | undone |
 * | duplicates | batch_send alone: every other receiver is named and counted twice. | done |
 * | missing | batch_send alone: every other receiver is neither named nor counted, but got the message. | done |
 */
export type FaultPlan = v.InferInput<typeof faultPlan>;
export type Rule = v.InferOutput<typeof rule>;
export type Fault = Extract<Rule, { readonly fault: string }>;

const work = oneOf('done', 'undone');
const done = v.optional(work, 'done');
const undone = v.optional(work, 'undone');

const anywhere = {
  on: operationsOf(operations),
  skip: v.optional(field.count, 0),
  times: v.optional(field.count),
  probability: v.optional(field.probability, 1),
  delay: v.optional(field.milliseconds, 0),
};
const inSending = { on: operationsOf(['batch_send']), work: v.optional(oneOf('done'), 'done') };

function kind<const K extends string, const E extends v.ObjectEntries>(name: K, fields: E) {
  return strict({ ...anywhere, fault: v.literal(name), ...fields });
}

const faults = [
  kind('reset', { work: undone }),
  kind('half-body', { work: done }),
  kind('garbage', { work: done }),
  v.pipe(
    kind('html', { work: v.optional(work), status: v.optional(field.status, 200) }),
    v.transform((rule) => ({ ...rule, work: rule.work ?? (rule.status === 200 ? 'done' : 'undone') }) as const),
  ),
  kind('wrong-types', { work: done }),
  kind('code', {
    work: undone,
    code: field.code,
    msg: v.optional(field.text, '错误'),
    status: v.optional(field.status, 200),
  }),
  kind('too-many', { work: undone, retryAfter: v.optional(field.retryAfter), code: v.optional(field.code) }),
  kind('endless', { work: done }),
  kind('redirect', {
    work: undone,
    status: v.optional(oneOf(301, 302, 303, 307, 308), 307),
    to: v.optional(field.address, '/elsewhere'),
  }),
  kind('duplicates', inSending),
  kind('missing', inSending),
] as const;
const kinds = faults.map(({ entries }) => entries.fault.literal).join(', ');
const onlyDelay = strict(
  { ...anywhere, fault: v.exactOptional(v.never()), delay: field.milliseconds, work: done },
  `is missing, and so is a fault, which is one of ${kinds}`,
);

const rule = v.variant('fault', [onlyDelay, ...faults], (issue) =>
  must(issue.expected === 'Object' ? 'an object' : `one of ${kinds}`)(issue),
);
const faultPlan = strict({ seed: v.optional(whole(0, 0xffffffff), 0), faults: v.array(rule, must('a list of rules')) });

/**
 * A plan with all that it leaves unsaid filled in.
 * @throws {TypeError} that says, a line for each mistake, where it is, what is wrong and what is allowed
 */
export function readPlan(plan: unknown): v.InferOutput<typeof faultPlan> {
  const result = v.safeParse(faultPlan, plan);
  if (result.success) return result.output;
  throw new TypeError(result.issues.map((issue) => `${placeOf(issue)} ${issue.message}`).join('\n'));
}

/** Where in a plan an issue is, such as `faults[2].fault`. */
function placeOf({ path }: Issue): string {
  const steps = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return steps.join('').replace(/^\./, '') || 'The plan';
}
