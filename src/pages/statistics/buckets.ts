/** Groups days into as many bars as fit. Pure. */
import { DAY, weekdayOf } from '../../markup/days.ts';

/** A day with messages, by the number of days since 1970-01-01. */
export interface DayCount {
  readonly day: number;
  readonly count: number;
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The days from `start` on and before `end`. */
export interface Bucket {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** How many days the units have at least. */
const UNITS: [Unit, number][] = [
  ['day', 1],
  ['week', 7],
  ['month', 28],
  ['quarter', 90],
  ['year', 365],
];

/** How far a message may be from all others (days): a wrong clock may be years away. */
const MAX_GAP = 3 * 365;

/** The largest part of all messages that can be exceptions. */
const EXCEPTIONS = 0.01;

/**
 * The days in units so long that there are at most `max` of them, except that none is longer than a year. Includes units
 * without messages. `left` is how many messages are left out because their times are far from all others.
 */
export function bucketsOf(days: readonly DayCount[], max: number): { unit: Unit; buckets: Bucket[]; left: number } {
  const usual = withoutExceptions(days);
  const [first, last] = [usual[0]?.day ?? 0, usual.at(-1)?.day ?? 0];
  const [unit] = UNITS.find(([, length]) => (last - first) / length + 1 <= max) ?? ['year' as const];
  const counts = new Map<number, number>();
  for (const { day, count } of usual) {
    const start = startOf(unit, day);
    counts.set(start, (counts.get(start) ?? 0) + count);
  }
  const buckets: Bucket[] = [];
  for (let start = startOf(unit, first); usual.length > 0 && start <= last; ) {
    const end = endOf(unit, start);
    buckets.push({ start, end, count: counts.get(start) ?? 0 });
    start = end;
  }
  return { unit, buckets, left: sum(days) - sum(usual) };
}

function withoutExceptions(days: readonly DayCount[]): readonly DayCount[] {
  const allowed = sum(days) * EXCEPTIONS;
  const skipped = (inOrder: readonly DayCount[]) => {
    let [skip, count] = [0, 0];
    for (const [at, one] of inOrder.entries()) {
      count += one.count;
      const next = inOrder[at + 1];
      if (!next || count > allowed) break;
      if (Math.abs(next.day - one.day) > MAX_GAP) skip = at + 1;
    }
    return skip;
  };
  return days.slice(skipped(days), days.length - skipped(days.toReversed()));
}

const sum = (days: readonly DayCount[]) => days.reduce((total, { count }) => total + count, 0);

/** The first day of the unit that a day is in. Weeks begin on Monday. */
export function startOf(unit: Unit, day: number): number {
  if (unit === 'day') return day;
  if (unit === 'week') return day - weekdayOf(day);
  const date = new Date(day * DAY);
  const month = date.getUTCMonth();
  const first = { month, quarter: month - (month % 3), year: 0 }[unit];
  return Date.UTC(date.getUTCFullYear(), first) / DAY;
}

function endOf(unit: Unit, start: number): number {
  if (unit === 'day') return start + 1;
  if (unit === 'week') return start + 7;
  const date = new Date(start * DAY);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[unit]) / DAY;
}
