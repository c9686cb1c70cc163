/** Converts the days of date inputs, such as "2026-02-28", to local times and back. Pure. */

/** The start of a day (Unix ms), or of the day so many days later; undefined if it isn't a day. */
export function startOfDay(day: string, later = 0): number | undefined {
  const [, year, month, date] = /^(\d+)-(\d+)-(\d+)$/.exec(day) ?? [];
  if (!date) return undefined;
  // Not in the constructor, which takes the years 0 to 99 for those of the last century.
  const start = new Date(0, 0, 1);
  start.setFullYear(Number(year), Number(month) - 1, Number(date) + later);
  const time = start.getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** The day of a time (Unix ms); empty if there is none. */
export function dayOf(time: number | undefined): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  return `${padded(date.getFullYear(), 4)}-${padded(date.getMonth() + 1, 2)}-${padded(date.getDate(), 2)}`;
}
