import * as v from 'valibot';
import type { Operation } from '../operations.ts';

export type Issue = v.BaseIssue<unknown>;

/** An error message with the expected and the actual value. */
export const must = (what: string) => (issue: Issue) => `must be ${what}, not ${issue.received}`;

/** An object with only these fields, so that a mistyped name is an error. */
export function strict<const E extends v.ObjectEntries>(entries: E, ifMissing = 'is missing') {
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `is unknown; known are ${Object.keys(entries).join(', ')}`;
    return issue.expected === 'Object' ? must('an object')(issue) : ifMissing;
  });
}

/** An integer in an inclusive range. */
export function whole(low: number, high: number, what = 'a whole number') {
  const is = (value: unknown) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high;
  return v.custom<number>(is, must(`${what} from ${low} to ${high}`));
}

/** One of these values. */
export function oneOf<const T extends string | number>(...allowed: T[]) {
  return v.picklist(allowed, must(`one of ${allowed.join(', ')}`));
}

/** One or more of these operations, as a list. All of them by default. */
export function operationsOf(allowed: readonly Operation[]) {
  const explanation = ({ input }: Issue) =>
    `must be one or several of ${allowed.join(', ')}, not ${JSON.stringify(input)}`;
  const one = v.picklist(allowed);
  const several = v.pipe(v.array(one), v.minLength(1, explanation));
  const asList = v.transform((on: Operation | Operation[]) => (Array.isArray(on) ? on : [on]));
  return v.optional(v.pipe(v.union([one, several], explanation), asList), [...allowed]);
}

/** The longest delay of a timer. */
const longest = 2_147_483_647;

export const count = whole(0, longest);
export const milliseconds = whole(0, longest, 'whole milliseconds');
export const code = whole(-longest, longest);
export const text = v.string(must('text'));

export const probability = v.custom<number>(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  must('a number from 0 to 1'),
);

/** The status of a response with a body. */
export const status = v.custom<number>(
  (value) => v.is(whole(200, 599), value) && ![204, 205, 304].includes(value),
  must('a whole number from 200 to 599 without 204, 205, 304'),
);

export const address = v.pipe(
  text,
  v.check((to) => URL.canParse(to, 'http://sandbox.localhost'), must('an address, whole or relative')),
);

/** Seconds, or the header's text, such as a date. */
export const retryAfter = v.custom<number | string>(
  (value) => v.is(count, value) || (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)),
  must('whole seconds or a text of ASCII characters'),
);
