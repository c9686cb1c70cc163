/** Times as tools write them: short, sortable, in the time zone of the computer. */

/** A local time such as `2026-03-01 09:30`; empty for an impossible one. `ms` is Unix ms. */
export function timeText(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime())
    ? ''
    : local
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d+Z$/, '');
}

/** Says in which time zone that is. */
export const zoneText = () => `Times are in the time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
