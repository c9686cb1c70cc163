/** Parts of the input of several tools. */
import * as v from 'valibot';
import { dayAfter, isDay, localDays } from '../markup/days.ts';
import { readDate } from '../presentation/times.ts';
import { isIdentifier } from '../service/fields.ts';

const NOT_ID = 'Must be an ID: up to 200 visible characters without spaces';

const NOT_EXACT = 'Must be a string: this number is no ID, or has lost digits';

/** An ID. Models write numbers, too. A number that isn't a safe integer has lost digits: it could be the ID of someone else. */
export const Id = v.pipe(
  v.union([v.string(), v.number()], NOT_ID),
  v.check((id) => typeof id === 'string' || Number.isSafeInteger(id), NOT_EXACT),
  v.transform(String),
  v.trim(),
  v.check(isIdentifier, NOT_ID),
);

/** Up to `most` IDs. */
export const ids = (most: number) =>
  v.pipe(v.array(Id, 'Must be a list of IDs'), v.maxLength(most, `Can have up to ${most} IDs`));

/** Text of up to `most` UTF-16 units that isn't empty. */
export const text = (most: number) =>
  v.pipe(
    v.string('Must be a string'),
    v.check((text) => text.trim() !== '', 'Must not be empty'),
    v.maxLength(most, `Can have up to ${most} characters`),
  );

/** Whether an ID from the service may stand among our own words, because it can't pass for them. */
export const isQuotable = (id: string) => isIdentifier(id) && /^[\w.:@-]+$/.test(id);

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

const NOT_PAGE = 'Must be the page that the result before named';

/** The position of a page, as the previous result gave it. */
export const Page = v.optional(
  v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.transform(String))], NOT_PAGE),
    v.regex(/^\d{1,16}$/, NOT_PAGE),
    v.transform(Number),
  ),
);

const NOT_TIME = 'Must be a day or a time, such as 2026-03-01 or 2026-03-01T09:30';

/** A day or a time (ISO 8601) as Unix ms; a day means its start, or with `isEnd` the start of the next one. */
export const moment = (isEnd: boolean) =>
  v.optional(
    v.pipe(
      v.string(NOT_TIME),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
        const day = dayOf(value);
        const time = day ? localDays.startOf(isEnd ? dayAfter(day) : day) : timeOf(value.trim());
        if (Number.isNaN(time)) {
          addIssue({ message: NOT_TIME });
          return NEVER;
        }
        return time;
      }),
    ),
  );

/** A day that is written in full. */
function dayOf(text: string): string | undefined {
  const date = readDate(text);
  return date !== undefined && isDay(date) ? date : undefined;
}

/** `Date.parse` alone would also take `1` for a year, and February 31 for a day in March. */
const timeOf = (text: string) =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
