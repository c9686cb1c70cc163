/** Formats times in one language and time zone. Formatters are expensive, so each is created once. Pure. */
export class LocalTimes {
  /** The IANA name of the time zone, such as `Asia/Shanghai`. */
  readonly zone: string;
  readonly #days: Intl.DateTimeFormat;
  readonly #times: Intl.DateTimeFormat;
  readonly #offsets: Intl.DateTimeFormat;

  /** Without a `timeZone`, times are in that of the computer. */
  constructor(language: string, timeZone?: string) {
    this.#days = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone });
    this.#times = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
    this.#offsets = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset', timeZone });
    this.zone = this.#days.resolvedOptions().timeZone;
  }

  /** The date of a time (Unix ms), equal for two times exactly if they're on the same day. */
  day(time: number): string {
    return this.#days.format(time);
  }

  /** The time of day of a time (Unix ms), to the minute. */
  time(time: number): string {
    return this.#times.format(time);
  }

  /** The offset at a time (Unix ms), such as `UTC+08:00`, or `UTC`. */
  offset(time: number): string {
    const parts = this.#offsets.formatToParts(time);
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return offset.replace('GMT', 'UTC').replace('+00:00', '');
  }
}
