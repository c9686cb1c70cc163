/** Parts of the input of several tools. */
import * as v from 'valibot';
import { dayAfter, parseDay } from '../presentation/days.ts';
import { trimmedIdentifier } from '../service/fields.ts';

/** Longer IDs are no use to a model. */
const MAX_ID = 200;

/** An ID. Models write numbers, too. */
export const Id = v.pipe(
  v.union(
    [v.string(), v.pipe(v.number(), v.safeInteger(), v.transform(String))],
    'An ID is a string of visible characters without spaces',
  ),
  v.pipe(trimmedIdentifier, v.maxLength(MAX_ID)),
);

/** What users are called in the interface, and in the service. */
const Person = v.pipe(
  v.picklist(['person', 'user'], 'Must be "group" or "person"'),
  v.transform(() => 'user' as const),
);
export const ChatType = v.union([v.literal('group'), Person], 'Must be "group" or "person"');
export const ResourceKind = v.union([v.picklist(['group', 'bot']), Person], 'Must be "group", "bot" or "person"');

/** A number of results from 1 to `most`. A larger one becomes `most`. */
export const limit = (most: number, usual: number) =>
  v.optional(
    v.pipe(
      v.number(`Must be a number from 1 to ${most}`),
      v.integer(`Must be a whole number from 1 to ${most}`),
      v.minValue(1, `Must be a number from 1 to ${most}`),
      v.transform((number) => Math.min(number, most)),
    ),
    usual,
  );

/** The position of the next page, as a result gave it. */
export const Page = v.optional(
  v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.transform(String))]),
    v.regex(/^\d{1,16}$/, 'Must be the "page" that the result before named'),
    v.transform(Number),
  ),
);

/** A day or a time (ISO 8601) as Unix ms; a day means its start, or with `isEnd` the start of the next one. */
export const moment = (isEnd: boolean) =>
  v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
        const day = parseDay(value.trim());
        const time = day ? (isEnd ? dayAfter(day) : day).getTime() : timeOf(value.trim());
        if (Number.isNaN(time)) {
          addIssue({ message: 'Must be a day or a time, such as 2026-03-01 or 2026-03-01T09:30' });
          return NEVER;
        }
        return time;
      }),
    ),
  );

/** Not `Date.parse` alone, which reads `1` as a year, too. */
const timeOf = (text: string) => (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN);
