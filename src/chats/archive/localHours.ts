/** The hours of a time zone, for millions of times. Pure. */
import { DAY, Days } from '../../markup/days.ts';

const HOUR = 3_600_000;

/** Since 1972, clocks of all time zones have differed from UTC by a multiple of this (milliseconds). */
export const QUARTER = HOUR / 4;

/**
 * Returns a function from quarters of an hour since 1970 (UTC) to local hours: those of 24 a day since the local
 * 1970-01-01. Clock changes skip one, or count one twice. For times from 1970 to the year 9999.
 */
export function localHours(timeZone: string): (quarter: number) => number {
  const days = new Days(timeZone);
  const offsetAt = (time: number) => days.shownAt(time) - time;
  // That is slow, and hardly any day has a clock change.
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
