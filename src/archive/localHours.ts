/** The days and hours of a time zone. Pure. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Since 1972, clocks of all time zones have differed from UTC by a multiple of this (milliseconds). */
export const QUARTER = HOUR / 4;

/**
 * Returns a function from quarters of an hour since 1970 (UTC) to local hours: those of 24 a day since the local
 * 1970-01-01. Clock changes skip one, or count one twice. For times from 1970 to the year 9999.
 */
export function localHours(timeZone: string): (quarter: number) => number {
  // Swedish dates are ISO dates.
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsetAt = (time: number) => Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - time;
  // Formatting is slow, and hardly any day has a clock change.
  const offsets = new Map<number, number>();
  const offsetOf = (day: number) => {
    const offset = offsets.get(day) ?? offsetAt(day * DAY);
    offsets.set(day, offset);
    return offset;
  };
  return (quarter) => {
    const time = quarter * QUARTER;
    const day = Math.floor(time / DAY);
    const offset = offsetOf(day);
    return Math.floor((time + (offset === offsetOf(day + 1) ? offset : offsetAt(time))) / HOUR);
  };
}
