/** Days, and times of the extension host's time zone, as users type them. Pure. */
import { DAY, dayAfter, isDay, localDays } from '../markup/days.ts';

export type TypedTime =
  /** `later` is when clocks show the same again, if nothing says which of the two is meant. */
  { time: Date; later?: Date } | { problem: 'format' | 'missing' | 'past' | 'far' };

const MINUTE = 60_000;
/** Times further away than this are typing errors (milliseconds). */
const MAX_AHEAD = 366 * DAY;
/** No time zone is further from UTC, in minutes. */
const MAX_OFFSET = 14 * 60;

/** Year, month and day, with the day of the week. */
const DATE =
  /^([1-9]\d{3}) ?([-/.年]) ?(\d{1,2}) ?(?:\2|月) ?(\d{1,2})(?: ?[日号號.])?(?: ?\(?(?:星期|[周週])([日一二三四五六天])\)?)?$/;
const WEEKDAYS = '日一二三四五六';

/** A date, if any, with a time of day: `9:05`, `09:05:00`, `9:05 PM`, `9 pm`, `PM 9:05`, `下午9:05` or `晚上9:05`. */
const TIME =
  /^(?:(\d.*?[^\s:T,])(?:T|,? |(?<=\D)))?(?:(上午|早上|凌晨|中午|下午|傍晚|晚上|[ap]\.?m\.?) ?)?(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?: ?([ap]\.?m)\.?)?$/i;
/** After a time: `Z`, `UTC+1`, `+01:00`. A minus alone may begin a range of times. */
const OFFSET = / ?\(?(?:Z|UTC|GMT|(?=\+))(?:([+-]\d{1,2})(?::?(\d\d))?)?\)?$/i;

/** What was typed, in plain digits and punctuation: input methods for Chinese type wide ones, and web pages have others. */
const plainTyped = (text: string) =>
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

/** A day as `YYYY-MM-DD`, typed as {@link readDate} takes it; undefined if there's no such day. */
export function parseDay(text: string): string | undefined {
  const date = readDate(text);
  return date !== undefined && isDay(date) ? date : undefined;
}

/**
 * A future time, typed as a date (see {@link readDate}) with a time of day, or as a time of day for the next time that it
 * is, on the preferred day if that's still to come. Where clocks are set back, it's the first that is still to come. It
 * may have an offset. `now` is in Unix ms.
 */
export function parseTime(text: string, now: number, preferredDay?: string): TypedTime {
  const typed = inFigures(plainTyped(text));
  const zone = OFFSET.exec(typed);
  const [, dateText, before, hour = '', minute, second = '0', after] = TIME.exec(typed.slice(0, zone?.index)) ?? [];
  const half = before ?? after;
  const date = dateText === undefined ? undefined : readDate(dateText);
  const offset = zone ? offsetOf(zone) : undefined;
  const isTime = hour !== '' && (minute !== undefined || half !== undefined);
  if (!isTime || (dateText !== undefined && date === undefined) || Math.abs(offset ?? 0) > MAX_OFFSET)
    return { problem: 'format' };

  const [hours, minutes, seconds] = [in24Hours(Number(hour), half), Number(minute ?? 0), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59 || (date !== undefined && !isDay(date))) return { problem: 'missing' };
  // Yesterday comes again if clocks are set back over midnight.
  const next = [-1, 0, 1, 2].map((later) => dayAfter(localDays.dayOf(now), later));
  const days = preferredDay === undefined ? next : [preferredDay, ...next];
  for (const day of date === undefined ? days : [date]) {
    const shown = Date.parse(`${day}Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
    const times = offset === undefined ? localDays.timesShowing(shown) : [shown - offset * MINUTE];
    // Clocks skip it.
    if (times.length === 0 && (date !== undefined || shown > localDays.shownAt(now))) return { problem: 'missing' };
    const [time, later] = times.filter((one) => one > now);
    if (time === undefined) continue;
    if (time - now > MAX_AHEAD) return { problem: 'far' };
    return { time: new Date(time), ...(later !== undefined && { later: new Date(later) }) };
  }
  return { problem: 'past' };
}

/** With a colon instead of Chinese words, and an offset in ISO 8601 that nothing else looks like. */
const inFigures = (text: string) =>
  text
    .replace(/ ?[点點时時] ?半$/, ':30')
    .replace(/ ?[点點时時](?:[整钟鐘]| ?(\d{1,2}) ?分?)?$/, (_, minutes = '') => `:${minutes.padStart(2, '0')}`)
    .replace(/(T[\d:.]+)(-\d)/, '$1UTC$2')
    // After a date, 9.30 is no date.
    .replace(/^([1-9]\d{3}.*[ T])(\d\d?)[.h](\d\d)(?= ?[+apZ]|$)/i, '$1$2:$3')
    .replace(
      /^([1-9]\d{3}.*[ T])(\d\d)(\d\d)(?:(\d\d)(?=Z|[+]|$))?(?=Z| ?[+]|$)/,
      (_, date, hour, minute, second) => `${date}${hour}:${minute}${second ? `:${second}` : ''}`,
    );

/** In minutes. */
function offsetOf([, hours = '+0', minutes = '0']: RegExpExecArray): number {
  return Number(hours) * 60 + Number(`${hours[0]}${minutes}`);
}

/** Which of the 24 hours Chinese words may stand before: 下午15:30 and 凌晨0:30 say it twice. */
const NAMED_HOURS = new Map<string, readonly [number, number]>([
  ['凌晨', [0, 0]],
  ['早上', [0, 0]],
  ['上午', [0, 0]],
  ['中午', [13, 14]],
  ['下午', [13, 18]],
  ['傍晚', [16, 20]],
  ['晚上', [17, 23]],
]);

/** More than 23 if there's no such hour. */
function in24Hours(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  const [from = 24, to = 0] = NAMED_HOURS.get(half) ?? [];
  if (hour >= from && hour <= to) return hour;
  if (hour < 1 || hour > 12) return 24;
  // Around noon.
  if (half === '中午') return hour > 10 ? hour : hour < 3 ? hour + 12 : 24;
  // In the night, nothing tells which day is meant.
  const isEvening = half === '傍晚' || half === '晚上';
  if (isEvening && (hour < 5 || hour === 12)) return 24;
  return (hour % 12) + (isEvening || /[p下]/i.test(half) ? 12 : 0);
}

/** A time as {@link parseTime} takes it. */
export const formatTyped = (time: Date) => localDays.timeOf(time.getTime());
