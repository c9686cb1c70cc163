/** Days in the time zone of a page, which may differ from the extension host's, and dates in the user's language. */
import { l10n } from 'vscode';
import { Days } from '../../markup/days.ts';

/** The range of a Date, in milliseconds before and after 1970. */
const MAX_TIME = 8.64e15;

export class Calendar extends Days {
  readonly #dates: Intl.DateTimeFormat;

  /** `timeZone` is an IANA name; undefined for the extension host's. */
  constructor(language: string, timeZone?: string) {
    super(timeZone);
    this.#dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  }

  /** A Unix time (ms) as a date in the user's language. */
  format(time: number): string {
    return Math.abs(time) > MAX_TIME ? l10n.t('time unknown') : this.#dates.format(time);
  }
}
