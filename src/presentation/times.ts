/** Days, and times of the extension host's time zone, as users type them. Pure. */
import { DAY, dayAfter, isDay, localDays, weekdayOf } from '../markup/days.ts';

export type TypedTime =
  /** `later` is when clocks show the same time again, if nothing says which of the two is meant. */
  { time: Date; later?: Date } | { problem: 'format' | 'missing' | 'past' | 'far' };

const MINUTE = 60_000;
/** Times further away than this are typing errors (milliseconds). */
const MAX_AHEAD = 366 * DAY;
/** How far a time zone can be from UTC, in minutes. */
const MAX_OFFSET = 14 * 60;

/** Year, month and day, perhaps with the day of the week. */
const DATE =
  /^([1-9]\d{3}) ?([-/.年]) ?(\d{1,2}) ?(?:\2|月) ?(\d{1,2})(?: ?[日号號.])?(?: ?\(?(?:星期|[周週])([日一二三四五六天])\)?)?$/;
const WEEKDAYS = '日一二三四五六';

/** A date, if any, with a time of day: `9:05`, `09:05:00`, `9:05 PM`, `9 pm`, `PM 9:05`, `morning 9`, `下午9:05` or `晚9`. */
const TIME =
  /^(?:(\d.*?[^\s:T,])(?:T|,? |(?<=\D)))?(?:(上午|早上?|凌晨|中午|下午|傍晚|晚上?|morning|afternoon|evening|[ap]\.?m\.?)(?: at)? ?)?(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?: ?([ap]\.?m)\.?)?$/i;
/** The offset after a time: `Z`, `UTC+1`, `+01:00`. A minus alone may begin a range of times. */
const OFFSET = / ?\(?(?:Z|UTC|GMT|(?=\+))(?:([+-]\d{1,2})(?::?(\d\d))?)?\)?$/i;

const CHINESE_FIGURES = '〇一二三四五六七八九';

/** What was typed, in plain digits and punctuation: input methods for Chinese type wide ones, and web pages have others. */
const plainTyped = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(
      /(?<![周週期拜])[两一二三四五六七八九十]{1,3}(?=[个個]?小[时時]|[个個]?星期|[分天点點时時月日号號周週])/g,
      inDigits,
    )
    .trim();

/** Writes `1/15` in Chinese, which tells the month from the day: they're in the order of the user's language. */
const withMonths = (typed: string, isDayFirst: boolean) =>
  typed.replace(/(?<![\d/.-])(\d{1,2})\/(\d{1,2})(?:\/([1-9]\d{3}))?(?![\d/])/, (_, first, second, year) => {
    const [month, day] = isDayFirst ? [second, first] : [first, second];
    return `${year === undefined ? '' : `${year}年`}${month}月${day}日`;
  });

/** A Chinese number below 100 in digits. Other words, such as 两三, stay as they are. */
function inDigits(chinese: string): string {
  const figures = chinese.replace('两', '二');
  const [, tens = '', ten, ones = ''] = /^(\S?)(十)(\S?)$/.exec(figures) ?? [];
  if (ten)
    return String(10 * (tens ? CHINESE_FIGURES.indexOf(tens) : 1) + Math.max(0, CHINESE_FIGURES.indexOf(ones || '〇')));
  return figures.length === 1 ? String(CHINESE_FIGURES.indexOf(figures)) : chinese;
}

/** How many days from today the names of days are. */
const DAY_WORDS = new Map([
  ['前天', -2],
  ['yesterday', -1],
  ['昨天', -1],
  ['昨日', -1],
  ['today', 0],
  ['tonight', 0],
  ['今天', 0],
  ['今日', 0],
  // For 今晚.
  ['今', 0],
  ['tomorrow', 1],
  ['明天', 1],
  ['明日', 1],
  ['明', 1],
  ['后天', 2],
  ['後天', 2],
]);
const DAYS_AGO = /^(\d{1,4}) ?(?:(days?|天)|weeks?|[周週]|[个個]?星期) ?(?:ago|[之以]?前)$/i;
const WEEKDAY =
  /^(?:(last )?(mon|tue|wed|thu|fri|sat|sun)(?:s?day|nesday|rs?day|urday|s|rs?)?\.?|([上下])?(?:星期|[周週])([日一二三四五六天]))$/i;
const ENGLISH_WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** A day of a month, perhaps with its year. */
const DAYS_OF_MONTHS = [
  /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>[1-9]\d{3}))?$/i,
  /^(?<day>\d{1,2})(?:st|nd|rd|th|\.)? (?<month>[a-z]{3,9})\.?(?:,? (?<year>[1-9]\d{3}))?$/i,
  /^(?<year>[前去今明]年)? ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?[日号號]?$/,
];
const YEAR_WORDS = new Map([
  ['前年', -2],
  ['去年', -1],
  ['今年', 0],
  ['明年', 1],
]);
const MONTH_NAME =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;
/** How many years away the next or the last February 29 may be. */
const YEARS = 8;

/**
 * The days that plain text names, nearest first: those to come (1), or those before (-1), with today. Undefined for anything
 * else: whether *next Monday* is the first one or the second isn't guessed; *last Monday* is the nearest one before
 * today. There may be no such day.
 */
function namedDays(name: string, today: string, toward: 1 | -1): string[] | undefined {
  const away = DAY_WORDS.get(name.toLowerCase());
  if (away !== undefined) return [dayAfter(today, away)];
  const [, count, isDays] = DAYS_AGO.exec(name) ?? [];
  if (count !== undefined) return [dayAfter(today, -Number(count) * (isDays ? 1 : 7))];
  const [weekday, last, english, week, chinese = ''] = WEEKDAY.exec(name) ?? [];
  if (weekday !== undefined) {
    const index = english
      ? ENGLISH_WEEKDAYS.indexOf(english.toLowerCase())
      : (WEEKDAYS.indexOf(chinese.replace('天', '日')) + 6) % 7;
    const inThisWeek = index - weekdayOf(Date.parse(today) / DAY);
    if (week) return [dayAfter(today, inThisWeek + (week === '下' ? 7 : -7))];
    if (last) return [dayAfter(today, inThisWeek < 0 ? inThisWeek : inThisWeek - 7)];
    const nearest = inThisWeek * toward < 0 ? inThisWeek + 7 * toward : inThisWeek;
    return [dayAfter(today, nearest), dayAfter(today, nearest + 7 * toward)];
  }
  const found = DAYS_OF_MONTHS.map((one) => one.exec(name)?.groups).find(Boolean);
  if (!found) return undefined;
  const { month = '', day = '', year } = found;
  if (!/^\d/.test(month) && !MONTH_NAME.test(month)) return undefined;
  const number = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const inYear = (one: number) => [one, String(number).padStart(2, '0'), day.padStart(2, '0')].join('-');
  const thisYear = Number(today.slice(0, 4));
  const yearsAway = YEAR_WORDS.get(year ?? '');
  if (yearsAway !== undefined) return [inYear(thisYear + yearsAway)];
  if (year !== undefined) return [inYear(Number(year))];
  const days = Array.from({ length: YEARS + 1 }, (_, years) => inYear(thisYear + years * toward));
  // Today's date is today, not a day of next year, even if the time has passed.
  return days.filter((one) => isDay(one) && (toward > 0 ? one >= today : one <= today)).slice(0, 1);
}

/**
 * Named days at the beginning or at the end of plain text, and the rest of it. Takes the longest name at the beginning, which
 * may have a year.
 */
function splitNamedDays(text: string, today: string): [days: string[], rest: string] | undefined {
  for (let at = text.length - 1; at > 0; at--) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    // The name must not end within a number.
    if (/\d$/.test(before) && /^\d/.test(after)) continue;
    const [first, last] = [before.replace(/,?(?: at)? ?$/i, ''), after.replace(/^ ?(?:on )?/i, '')];
    const atFirst = namedDays(first, today, 1);
    if (atFirst) return [atFirst, hourOf(after.trim().replace(/^at /i, ''), first)];
    const atLast = / $/.test(before) && namedDays(last, today, 1);
    if (atLast) return [atLast, hourOf(before.replace(/(?: on)? $/i, ''), last)];
  }
  return undefined;
}

/** After the name of a day, a number is an hour. After a date, it may be anything. */
function hourOf(rest: string, name: string): string {
  if (/^tonight$/i.test(name)) return `evening ${rest}`;
  return /^\d{1,2}$/.test(rest) && !/\d/.test(name) ? `${rest}:00` : rest;
}

const PART =
  /^(\d{1,4}(?:\.\d+)?|(?:half )?an?(?= )|半) ?(?:(minutes?|mins?|m|分[钟鐘]?)|(hours?|hrs?|h|[个個]?小[时時])|(days?|d|天)|(?:weeks?|w|[周週]|[个個]?星期))(?![a-z])(?: ?and )? ?/i;
const SPAN = /^(?:in |\+ ?)?(\S.*?)(?: ?(?:(ago|[之以]?前)|later|from now|[之以]?[后後]))?$/i;

/** How long from now: `in 2 minutes`, `1h30m`, `+1h`, `2小时后`. Undefined for anything else. */
function spanOf(text: string): { minutes: number; days: number } | undefined {
  const [, all = '', isPast] = SPAN.exec(text) ?? [];
  let [minutes, days, rest] = [0, 0, all];
  while (rest) {
    const [part, amount = '', isMinutes, isHours, isDays] = PART.exec(rest) ?? [];
    if (part === undefined) return undefined;
    const count = /^\d/.test(amount) ? Number(amount) : /^an?$/i.test(amount) ? 1 : 0.5;
    if (isMinutes) minutes += count;
    else if (isHours) minutes += 60 * count;
    else days += count * (isDays ? 1 : 7);
    rest = rest.slice(part.length);
  }
  if (all === '' || !Number.isInteger(days)) return undefined;
  return isPast ? { minutes: -minutes, days: -days } : { minutes, days };
}

/** Days later, at the same time of day; then minutes later. */
function timeAfter({ minutes, days }: { minutes: number; days: number }, now: number): TypedTime {
  const [day] = days === 0 ? [now] : localDays.timesShowing(localDays.shownAt(now) + days * DAY);
  // Clocks skip this time of day.
  if (day === undefined) return { problem: 'missing' };
  const time = day + minutes * MINUTE;
  if (time <= now) return { problem: 'past' };
  return time - now > MAX_AHEAD ? { problem: 'far' } : { time: new Date(time) };
}

/**
 * A date as `YYYY-MM-DD`, typed like this or as `2026/1/5`, `2026.1.5`, `20260105` or `2026年1月5日 星期一`. Undefined for
 * anything else: programs send it, too, and in `05/01/2026`, nothing tells them which is the month. There may be no such day.
 */
export function readDate(text: string): string | undefined {
  const typed = plainTyped(text).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const [, year, , month = '', day = '', weekday] = DATE.exec(typed) ?? [];
  if (year === undefined) return undefined;
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const isRight = weekday === undefined || WEEKDAYS[new Date(date).getUTCDay()] === weekday.replace('天', '日');
  return isRight ? date : undefined;
}

/**
 * The days that a text can mean, the last one first, as a date or by a name such as `Jan 15` or `昨天`; undefined if it's none.
 * With `isDayFirst`, `1/2` is in February.
 */
export function readDays(text: string, today: string, isDayFirst = false): string[] | undefined {
  const typed = withMonths(plainTyped(text), isDayFirst);
  const date = readDate(typed);
  return date === undefined ? namedDays(typed, today, -1) : [date];
}

/** The last day that a text can mean, as `YYYY-MM-DD`; undefined if there's no such day. */
export const parseDay = (text: string, today: string, isDayFirst = false) =>
  readDays(text, today, isDayFirst)?.find(isDay);

/**
 * A future time, typed as a time from now, as a date (see {@link readDate}) or the name of a day with a time of day, or as
 * a time of day for the next time that it is, on the preferred day if that's still to come. Where clocks are set back, it's the first that is still to come. It
 * may have an offset. `now` is in Unix ms. For `isDayFirst`, see {@link readDays}.
 */
export function parseTime(text: string, now: number, preferredDay?: string, isDayFirst = false): TypedTime {
  const plain = withMonths(plainTyped(text), isDayFirst);
  const span = spanOf(plain);
  if (span) return timeAfter(span, now);
  const [named, rest] = splitNamedDays(plain, localDays.dayOf(now)) ?? [undefined, plain];
  const typed = inFigures(rest);
  const zone = OFFSET.exec(typed);
  const [, dateText, before, hour = '', minute, second = '0', after] = TIME.exec(typed.slice(0, zone?.index)) ?? [];
  const half = before ?? after;
  const date = dateText === undefined ? undefined : readDate(dateText);
  const dates = named ?? (date === undefined ? undefined : [date]);
  const offset = zone ? offsetOf(zone) : undefined;
  const isTime = hour !== '' && (minute !== undefined || half !== undefined);
  if (!isTime || (dateText !== undefined && (date === undefined || named)) || Math.abs(offset ?? 0) > MAX_OFFSET)
    return { problem: 'format' };

  const [hours, minutes, seconds] = [in24Hours(Number(hour), half), Number(minute ?? 0), Number(second)];
  const agree = after === undefined || in24Hours(Number(hour), after) === hours;
  if (!agree || hours > 23 || minutes > 59 || seconds > 59 || (dates && !dates.some(isDay)))
    return { problem: 'missing' };
  // Yesterday comes again if clocks are set back over midnight.
  const next = [-1, 0, 1, 2].map((later) => dayAfter(localDays.dayOf(now), later));
  const days = preferredDay === undefined ? next : [preferredDay, ...next];
  for (const day of dates?.filter(isDay) ?? days) {
    const shown = Date.parse(`${day}Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
    const times = offset === undefined ? localDays.timesShowing(shown) : [shown - offset * MINUTE];
    // Clocks skip this time.
    if (times.length === 0 && (dates || shown > localDays.shownAt(now))) return { problem: 'missing' };
    const [time, later] = times.filter((one) => one > now);
    if (time === undefined) continue;
    if (time - now > MAX_AHEAD) return { problem: 'far' };
    return { time: new Date(time), ...(later !== undefined && { later: new Date(later) }) };
  }
  return { problem: 'past' };
}

/** A time with a colon instead of Chinese words, and with its offset in ISO 8601, which nothing else looks like. */
const inFigures = (text: string) =>
  text
    .replace(/ ?[点點时時] ?半$/, ':30')
    .replace(/ ?[点點时時](?:[整钟鐘]| ?(\d{1,2}) ?分?)?$/, (_, minutes = '') => `:${minutes.padStart(2, '0')}`)
    .replace(/(T[\d:.]+)(-\d)/, '$1UTC$2')
    // After a date, 9.30 is a time.
    .replace(/^([1-9]\d{3}.*[ T])(\d\d?)[.h](\d\d)(?= ?[+apZ]|$)/i, '$1$2:$3')
    .replace(
      /^([1-9]\d{3}.*[ T])(\d\d)(\d\d)(?:(\d\d)(?=Z|[+]|$))?(?=Z| ?[+]|$)/,
      (_, date, hour, minute, second) => `${date}${hour}:${minute}${second ? `:${second}` : ''}`,
    );

/** An offset in minutes. */
function offsetOf([, hours = '+0', minutes = '0']: RegExpExecArray): number {
  return Number(hours) * 60 + Number(`${hours[0]}${minutes}`);
}

/** Which of the 24 hours words may stand before: 下午15:30 and 凌晨0:30 say it twice. */
const NAMED_HOURS = new Map<string, readonly [number, number]>([
  ['凌晨', [0, 0]],
  ['早', [0, 0]],
  ['早上', [0, 0]],
  ['morning', [0, 0]],
  ['上午', [0, 0]],
  ['中午', [13, 14]],
  ['下午', [13, 18]],
  ['afternoon', [13, 18]],
  ['傍晚', [16, 20]],
  ['晚', [17, 23]],
  ['晚上', [17, 23]],
  ['evening', [17, 23]],
]);

/** The hour from 0 to 23; more if there's no such hour. */
function in24Hours(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  const [from = 24, to = 0] = NAMED_HOURS.get(half.toLowerCase()) ?? [];
  if (hour >= from && hour <= to) return hour;
  if (hour < 1 || hour > 12) return 24;
  // Noon is from 11 to 2.
  if (half === '中午') return hour > 10 ? hour : hour < 3 ? hour + 12 : 24;
  // In the night, nothing tells which day is meant.
  const isEvening = /晚|evening/i.test(half);
  if (isEvening && (hour < 5 || hour === 12)) return 24;
  return (hour % 12) + (isEvening || /[p下]|afternoon/i.test(half) ? 12 : 0);
}

/** A time as {@link parseTime} takes it. */
export const formatTyped = (time: Date) => localDays.timeOf(time.getTime());
