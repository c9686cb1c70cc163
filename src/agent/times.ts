/** Times as tools write them: short, sortable, in the time zone of the computer. Pure. */

/** A local time such as `2026-03-01 09:30`; empty for an impossible one. `ms` is Unix ms. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(ms - date.getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime())
    ? ''
    : local
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d+Z$/, '');
}

/** The time zone of a time (Unix ms), such as `UTC+08:00`. */
export function zoneText(ms: number): string {
  const offset = -new Date(ms).getTimezoneOffset();
  const digits = (number: number) => String(Math.trunc(Math.abs(number))).padStart(2, '0');
  return `UTC${offset < 0 ? '-' : '+'}${digits(offset / 60)}:${digits(offset % 60)}`;
}
