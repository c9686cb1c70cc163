/** Times of the extension host's time zone, as users type them. Pure. */
import { dayAfter, formatDay, parseDay } from './days.ts';

export type TypedTime = { time: Date } | { problem: 'format' | 'missing' | 'past' | 'far' };

/** Times further away than this are typing errors (milliseconds). */
const MAX_AHEAD = 366 * 24 * 60 * 60_000;

/** A future time, typed as `YYYY-MM-DD HH:MM`, or as `HH:MM` for the next time that it is. `now` is in Unix ms. */
export function parseTime(text: string, now: number): TypedTime {
  // Input methods for Chinese type wide colons.
  const typed = /^(?:(\d{4}-\d\d-\d\d)\s+)?(\d{1,2})[:：](\d\d)$/.exec(text.trim());
  if (!typed) return { problem: 'format' };
  const [, date, ...numbers] = typed;
  const [hours = 0, minutes = 0] = numbers.map(Number);
  const today = new Date(now);
  const day = date === undefined ? today : parseDay(date);
  let time = day && timeOn(day, hours, minutes);
  if (date === undefined && time && time.getTime() <= now) time = timeOn(dayAfter(today), hours, minutes);
  // There's no such day or hour, or the clocks skip it.
  if (!time || time.getHours() !== hours || time.getMinutes() !== minutes) return { problem: 'missing' };
  if (time.getTime() <= now) return { problem: 'past' };
  return time.getTime() - now > MAX_AHEAD ? { problem: 'far' } : { time };
}

/** A time as {@link parseTime} takes it. */
export const formatTyped = (time: Date) =>
  `${formatDay(time)} ${[time.getHours(), time.getMinutes()].map((number) => String(number).padStart(2, '0')).join(':')}`;

/** A time of a local day. Beyond 24 hours, or when the clocks change, it may be another one. */
export const timeOn = (day: Date, hours: number, minutes = 0) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate(), hours, minutes);
