/** Local times where clocks change: some never come, others come twice. Pure. */

const MINUTE = 60_000;
/** No time zone is further from UTC (milliseconds). */
const DAY = 24 * 60 * MINUTE;

/** What local clocks show at a Unix time (ms), as the Unix time at which clocks in UTC show the same. */
export const shownAt = (time: number) => time - new Date(time).getTimezoneOffset() * MINUTE;

/** When local clocks show this (Unix ms), in order: never where they skip it, twice where they are set back. */
export function timesShowing(shown: number): number[] {
  const offsets = new Set([shown - DAY, shown + DAY].map((near) => new Date(near).getTimezoneOffset()));
  return [...offsets]
    .map((minutes) => shown + minutes * MINUTE)
    .filter((time) => shownAt(time) === shown)
    .toSorted((one, other) => one - other);
}

/** Whether local clocks show the same at another time, too. */
export const comesTwice = (time: number) => timesShowing(shownAt(time)).length > 1;

/** The offset of local clocks at a Unix time (ms), such as `UTC+01:00`. */
export function formatOffset(time: number): string {
  const minutes = -new Date(time).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${[hours, rest].map((number) => String(number).padStart(2, '0')).join(':')}`;
}
