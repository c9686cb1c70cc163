/**
 * Days, written as `2026-02-28`, and what clocks show in a time zone. Where clocks change, a day may have 23 or 25 hours,
 * or begin at 1:00, and a time of day comes twice or never. Pure.
 */

/** The length of a day in UTC, where all are equal (milliseconds). No time zone is further from UTC. */
export const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Whether a Unix time (ms) is in the range of a Date: formatting any other one throws. */
export const isTime = (ms: number | undefined): ms is number => ms !== undefined && Math.abs(ms) <= 8.64e15;

/** The day that is so many days after 1970-01-01. */
export const dayFromNumber = (number: number) => new Date(number * DAY).toISOString().replace(/T.*/, '');

/** The day of the week that is so many days after 1970-01-01, which was a Thursday; 0 is Monday. */
export const weekdayOf = (number: number) => (((number + 3) % 7) + 7) % 7;

/** The next day, or the day after `days`. */
export const dayAfter = (day: string, days = 1) => dayFromNumber(Date.parse(day) / DAY + days);

/** Whether there's a day that is written so. */
export const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

export class Days {
  readonly #clocks: Intl.DateTimeFormat | undefined;

  /** `timeZone` is an IANA name; undefined for that of the computer, whatever it's at the time. */
  constructor(timeZone?: string) {
    // Swedish dates are ISO dates.
    this.#clocks = timeZone
      ? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
      : undefined;
  }

  /** What clocks show at a Unix time (ms), as the Unix time at which clocks in UTC show the same; NaN if it's impossible. */
  shownAt(time: number): number {
    const date = new Date(time);
    if (!this.#clocks || Number.isNaN(date.getTime())) return time - date.getTimezoneOffset() * MINUTE;
    return Date.parse(`${this.#clocks.format(date).replace(' ', 'T')}Z`) + date.getUTCMilliseconds();
  }

  /** When clocks show this (Unix ms), in order: never where they skip it, twice where they are set back. */
  timesShowing(shown: number): number[] {
    const offsets = new Set([shown - DAY, shown + DAY].map((near) => this.shownAt(near) - near));
    return [...offsets]
      .map((offset) => shown - offset)
      .filter((time) => this.shownAt(time) === shown)
      .toSorted((one, other) => one - other);
  }

  /** The day and the time of day at a Unix time (ms), such as `2026-02-28 09:30`; empty if it's impossible. */
  timeOf(time: number): string {
    const shown = new Date(this.shownAt(time)).toJSON() ?? '';
    return shown.replace(/T(\d\d:\d\d).*/, ' $1');
  }

  /** The day of a Unix time (ms); empty if it's impossible. */
  dayOf(time: number): string {
    return this.timeOf(time).replace(/ .*/, '');
  }

  /** The first time of a day (Unix ms), or after it if clocks skip all of it. */
  startOf(day: string): number {
    const midnight = Date.parse(day);
    return this.timesShowing(midnight)[0] ?? this.#firstAfter(midnight);
  }

  /** When clocks skip a time, and show a later one (Unix ms). Found by bisection: they may do so at any time. */
  #firstAfter(shown: number): number {
    let [before, after] = [shown - DAY, shown + DAY];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.shownAt(middle) < shown) before = middle;
      else after = middle;
    }
    return after;
  }
}

/** The days of the computer's time zone. */
export const localDays = new Days();

/** Since 1972, clocks of all time zones have differed from UTC by a multiple of this (milliseconds). */
export const QUARTER = HOUR / 4;

/**
 * Returns a function from quarters of an hour since 1970 (UTC) to local hours: those of 24 a day since the local
 * 1970-01-01. Clock changes skip one, or count one twice. For times from 1970 to the year 9999.
 */
export function localHours(timeZone: string): (quarter: number) => number {
  const days = new Days(timeZone);
  const offsetAt = (time: number) => days.shownAt(time) - time;
  // Offsets are kept for each day: finding them is slow, and hardly any day has a clock change.
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
