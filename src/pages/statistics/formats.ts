/** Dates and numbers in the language of the page. */
import { DAY } from '../../markup/days.ts';
import { formatNumber } from '../common/formats.ts';
import { l10n } from '../common/host.ts';
import type { Bucket, Unit } from './buckets.ts';

const language = document.documentElement.lang;
/** Chinese has one name for a weekday, wherever it stands. */
const longWeekday = language.startsWith('zh') ? 'short' : 'long';
const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  formats.set(key, format);
  return format;
}

/** The days of a bar, such as "March 2024". */
export function bucketName({ start, end }: Bucket, unit: Unit): string {
  if (unit === 'year') return dateFormat({ year: 'numeric' }).format(start * DAY);
  if (unit === 'month') return dateFormat({ year: 'numeric', month: 'long' }).format(start * DAY);
  if (unit === 'day')
    return dateFormat({ year: 'numeric', month: 'long', day: 'numeric', weekday: longWeekday }).format(start * DAY);
  const range = dateFormat(unit === 'week' ? { dateStyle: 'long' } : { year: 'numeric', month: 'short' });
  return range.formatRange(start * DAY, (end - 1) * DAY);
}

/** The name of a day on the axis, with the year if the picture has several. */
export function tickName(day: number, unit: Unit, hasYears: boolean): string {
  if (unit === 'year') return dateFormat({ year: 'numeric' }).format(day * DAY);
  const isLong = hasYears || unit === 'month' || unit === 'quarter';
  const options = isLong
    ? ({ year: 'numeric', month: 'short' } as const)
    : ({ month: 'short', day: 'numeric' } as const);
  return dateFormat(options).format(day * DAY);
}

/** The name of a weekday; 0 is Monday, which 1970-01-05 was. */
export const weekdayName = (weekday: number, weekdayStyle: 'long' | 'short') =>
  dateFormat({ weekday: weekdayStyle === 'short' ? 'short' : longWeekday }).format((weekday + 4) * DAY);

/** A short number, such as "12K". */
const compactFormat = new Intl.NumberFormat(language, { notation: 'compact' });
export const formatCompact = (value: number) => compactFormat.format(value);

const shareFormat = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
export const formatShare = (count: number, all: number) => shareFormat.format(all === 0 ? 0 : count / all);

/** A name with its number. */
export const valueText = (name: string, count: number) => l10n.t('{0}: {1}', name, formatNumber(count));
