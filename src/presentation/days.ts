/** Days of the extension host's time zone, as users type them. Pure. */

/** The start of a local day, written as `YYYY-MM-DD`; undefined if there's no such day. */
export function parseDay(text: string): Date | undefined {
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  const date = new Date(year, month - 1, day);
  return formatDay(date) === text ? date : undefined;
}

/** The start of the next local day, which may be 23 or 25 hours away. */
export const dayAfter = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);

/** The local day of a time, as `YYYY-MM-DD`. */
export function formatDay(date: Date): string {
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}
