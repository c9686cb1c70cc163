/** Formats numbers and local times in the language of the page. */
import { labels } from './host.ts';

const language = document.documentElement.lang;
const numbers = new Intl.NumberFormat(language);
const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(language, { dateStyle: 'full' });

export const formatNumber = (value: number) => numbers.format(value);

/** All take Unix milliseconds. */
export const formatTime = (time: number | undefined) => format(clock, time);
export const formatExactTime = (time: number | undefined) => format(exact, time);
/** Equal for two times just when they lie on the same local day. */
export const formatDay = (time: number | undefined) => format(day, time);

function format(by: Intl.DateTimeFormat, time: number | undefined): string {
  // A Date holds 8.64e15 milliseconds either way; beyond that, formatting throws.
  return time === undefined || Math.abs(time) > 8.64e15 ? labels.unknownTime : by.format(time);
}
