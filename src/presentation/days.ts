/** Days of the extension host's time zone, as users type them. Pure. */

/** Year, month and day, with the day of the week. */
const DATE =
  /^([1-9]\d{3}) ?([-/.年]) ?(\d{1,2}) ?(?:\2|月) ?(\d{1,2})(?: ?[日号號.])?(?: ?\(?(?:星期|[周週])([日一二三四五六天])\)?)?$/;
const WEEKDAYS = '日一二三四五六';

/** What was typed, in plain digits and punctuation: input methods for Chinese type wide ones, and web pages have others. */
export const plainTyped = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * A date as `YYYY-MM-DD`, typed like this or as `2026/1/5`, `2026.1.5`, `20260105` or `2026年1月5日 星期一`. Undefined for
 * anything else: in `05/01/2026`, nothing tells which is the month. There may be no such day.
 */
export function readDate(text: string): string | undefined {
  const typed = plainTyped(text).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const [, year, , month = '', day = '', weekday] = DATE.exec(typed) ?? [];
  if (year === undefined) return undefined;
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const isRight = weekday === undefined || WEEKDAYS[new Date(date).getUTCDay()] === weekday.replace('天', '日');
  return isRight ? date : undefined;
}

/** Whether there's a day that is written as `YYYY-MM-DD`. */
export const isDay = (day: string) => new Date(day).toJSON()?.slice(0, day.length) === day;

/** The start of a local day, typed as {@link readDate} takes it; undefined if there's no such day. */
export function parseDay(text: string): Date | undefined {
  const date = readDate(text);
  if (date === undefined || !isDay(date)) return undefined;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** The start of the next local day, which may be 23 or 25 hours away. */
export const dayAfter = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);

/** The local day of a time, as `YYYY-MM-DD`. */
export function formatDay(date: Date): string {
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}
