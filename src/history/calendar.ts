/** Days (`YYYY-MM-DD`) in the time zone of a page, which may differ from the extension host's. */
import { l10n } from 'vscode';

/** No time zone is further from UTC, in milliseconds. */
const MAX_OFFSET = 86_400_000;

/** The range of a Date, in milliseconds before and after 1970. */
const MAX_TIME = 8.64e15;

export class Calendar {
  readonly #dates: Intl.DateTimeFormat;
  readonly #days: Intl.DateTimeFormat;

  /** `timeZone` is an IANA name; undefined for the extension host's. */
  constructor(language: string, timeZone?: string) {
    this.#dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
    // Swedish dates are ISO dates.
    this.#days = new Intl.DateTimeFormat('sv', { timeZone });
  }

  /** The day of a Unix time (ms). */
  dayOf(time: number): string {
    return Math.abs(time) > MAX_TIME ? '' : this.#days.format(time);
  }

  /** The first millisecond of a day (Unix ms). Found by bisection, since clocks may change at any time. */
  startOf(day: string): number {
    let [before, start] = [Date.parse(day) - MAX_OFFSET, Date.parse(day) + MAX_OFFSET];
    while (start - before > 1) {
      const middle = Math.floor((before + start) / 2);
      if (this.dayOf(middle) < day) before = middle;
      else start = middle;
    }
    return start;
  }

  /** A Unix time (ms) as a date in the user's language. */
  format(time: number): string {
    return Math.abs(time) > MAX_TIME ? l10n.t('time unknown') : this.#dates.format(time);
  }
}
