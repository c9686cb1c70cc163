/** Times as tools write them: short, sortable, in the time zone of the computer. */
import { localDays } from '../markup/days.ts';

/** A local time such as `2026-03-01 09:30`; empty for an impossible one. `ms` is Unix ms. */
export const timeText = (ms: number) => localDays.timeOf(ms);

/** Says in which time zone that is. */
export const zoneText = () => `Times are in the time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
