/** What all pages have in common: their options, and parts of what they tell the host. */
import * as v from 'valibot';

/** A count or an index. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Options that are fixed when the page is created. */
export const PageOptions = v.object({
  page: v.picklist(['download', 'history', 'preview', 'replies', 'report', 'search', 'statistics']),
  /** Whether remote images may be loaded. */
  pictures: v.boolean(),
});
export type PageOptions = v.InferOutput<typeof PageOptions>;

/** The time zone of the page: a remote extension host may be in another one. An IANA name that this computer knows. */
export const TimeZone = v.pipe(v.string(), v.check(isTimeZone));

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Where somebody was in a list, by the keys of its rows. */
export const ListPosition = v.object({
  /** The topmost row on the screen, and how far below the edge it began (pixels). */
  top: v.string(),
  offset: v.number(),
  /** The row with the focus, if it was on one. */
  focused: v.optional(v.string()),
  /** How many rows were loaded. */
  count,
});
export type ListPosition = v.InferOutput<typeof ListPosition>;

/** A recipient of a message. */
export const RecipientChat = v.object({ kind: v.picklist(['group', 'user']), id: v.string() });

/** The requests that any page may make: to copy a text, to open a web address. Parts that pages share make no other. */
export const PageRequest = v.variant('type', [
  v.object({ type: v.literal('copy'), text: v.string() }),
  v.object({ type: v.literal('open'), url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)) }),
]);
export type PageRequest = v.InferOutput<typeof PageRequest>;
