/** Numbers and times as the person's language writes them. A formatter is dear to make: there is one for a language. */
import { env, l10n } from 'vscode';

const numbers = ofLanguage((language) => new Intl.NumberFormat(language));
const dates = ofLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }));
const spans = ofLanguage((language) => new Intl.RelativeTimeFormat(language));

/** Milliseconds, the longest first. */
const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30.4375 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A number of things; empty where it is not known. */
export function formatCount(n: number | undefined): string {
  return n === undefined ? '' : numbers().format(n);
}

/** A Unix time in milliseconds as local date and time. */
export function formatDateTime(ms: number): string {
  return dates().format(ms);
}

/**
 * A Unix time in seconds as local date and time, and how long ago that was at `now` (Unix ms). `zero` is what 0 stands
 * for; a time that is not known is empty, one that no calendar holds is its number.
 */
export function formatTimestamp(seconds: number | undefined, now: number, zero: string): string {
  if (seconds === undefined) return '';
  if (seconds === 0) return zero;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return l10n.t('{0} ({1})', dates().format(date), ago(date.getTime() - now));
}

/** In the largest unit that has passed in full. */
function ago(ms: number): string {
  for (const [unit, length] of UNITS) {
    const passed = Math.trunc(ms / length);
    if (passed !== 0) return spans().format(passed, unit);
  }
  return l10n.t('just now');
}

function ofLanguage<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { language } = env;
    const formatter = made.get(language) ?? make(language);
    made.set(language, formatter);
    return formatter;
  };
}
