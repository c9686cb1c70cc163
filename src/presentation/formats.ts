/**
 * Numbers and times in the user's language, without the marks of direction that some languages have between digits, which
 * would be escaped. Formatters are expensive, so each is created once.
 */
import { env } from 'vscode';
import { DAY, Days, isTime, localDays } from '../markup/days.ts';
import {
  escapeInserted,
  escapeInvisible,
  excerpt,
  joinShown,
  type Part,
  removeInvisible,
  shownCount,
} from '../markup/escapeInvisible.ts';
import { mentionsToken } from '../markup/pastedToken.ts';
import { l10n, type ShownText } from './shown.ts';

const numbers = perLanguage((language) => new Intl.NumberFormat(language));
const days = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }));
const dates = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }));
const namedDays = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }));
const times = perLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }));
/** How hours are written beside a date, the same as in a time alone: Chinese hours have two digits. */
const hourIn = (language: string) => (language.startsWith('zh') ? '2-digit' : 'numeric');
const weekdays = perLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: hourIn(language),
      minute: '2-digit',
    }),
);
const daysOfYear = perLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', hour: hourIn(language), minute: '2-digit' }),
);
/** Whether dates in the user's language begin with the day. */
export const isDayFirst = perLanguage((language) => {
  const parts = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month');
});
const seconds = perLanguage((language) => unitFormat(language, 'second'));
const minutes = perLanguage((language) => unitFormat(language, 'minute'));
const spans = perLanguage((language) => new Intl.RelativeTimeFormat(language));

/** The units of an age, in milliseconds, longest first. */
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30.4375 * DAY],
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A count; empty if undefined. */
export const formatCount = (n: number | undefined) => (n === undefined ? '' : removeInvisible(numbers().format(n)));

/** The first texts of a list, and how many more there are. `total` also counts texts that aren't in `texts`. */
export function firstTexts(texts: readonly string[], limit: number, total = texts.length): ShownText[] {
  const shown = texts.slice(0, shownCount(total, limit)).map(escapeInserted);
  const more = total - shown.length;
  return more > 0 ? [...shown, l10n.t('… and {0} more', formatCount(more))] : shown;
}

/** Sentences in a row. Full-width marks bring their own space. */
export const joinSentences = (...sentences: readonly Part[]) =>
  sentences.reduce<ShownText>(
    (text, sentence) => joinShown([text, sentence], /[。！？：；]$/.test(text) ? '' : ' '),
    '',
  );

/** What a screen reader says of a row, part by part. */
export const spokenText = (...parts: readonly Part[]) => joinShown(parts, l10n.t(', '));

/** Names in a row. */
export function joinNames(names: readonly string[]): ShownText {
  const [first = '', ...others] = names;
  return others.reduce<ShownText>((text, name) => l10n.t('{0}, {1}', text, name), escapeInvisible(first));
}

/** A Unix time (ms) as local date. */
export const formatDate = (ms: number) => removeInvisible(days().format(ms));

/** A day such as `2026-02-28` as a date with the day of the week. */
export const formatDay = (day: string) => removeInvisible(namedDays().format(Date.parse(day)));

/** A duration (ms) in tens of seconds, or in minutes. */
export function formatRoughDuration(ms: number): ShownText {
  const tens = Math.ceil(ms / 10_000);
  return removeInvisible(tens < 6 ? seconds().format(tens * 10) : minutes().format(Math.round(ms / 60_000)));
}

/** A Unix time (ms) as local date and time, with its offset if clocks show the same at another time. */
export const formatDateTime = (ms: number) => withOffset(dates().format(ms), ms);

/** A Unix time (ms) as local time of day, with its offset as above. */
export const formatTime = (ms: number) => withOffset(times().format(ms), ms);

/** A Unix time (ms) within a year, as local date and time with the day of the week, and its offset as above. */
export const formatWeekdayTime = (ms: number) => withOffset(weekdays().format(ms), ms);

/** A Unix time (ms) without what goes without saying at another one: its day today, its year this year. */
export function formatShortTime(ms: number, now: number): ShownText {
  if (localDays.dayOf(ms) === localDays.dayOf(now)) return formatTime(ms);
  return new Date(ms).getFullYear() === new Date(now).getFullYear()
    ? withOffset(daysOfYear().format(ms), ms)
    : formatDateTime(ms);
}

function withOffset(text: string, ms: number): ShownText {
  const comesTwice = localDays.timesShowing(localDays.shownAt(ms)).length > 1;
  return comesTwice ? l10n.t('{0} ({1})', removeInvisible(text), formatOffset(ms)) : removeInvisible(text);
}

/** The offset of local clocks at a Unix time (ms), such as `UTC+01:00`. */
export function formatOffset(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${[hours, rest].map((number) => String(number).padStart(2, '0')).join(':')}`;
}

/**
 * A Unix time in seconds as local date and time, with its age at `now` (Unix ms). Returns `zero` for 0, an empty string
 * for undefined, and the number itself if it's out of range for a date.
 */
export function formatTimestamp(seconds: number | undefined, now: number, zero: ShownText): ShownText {
  if (seconds === undefined) return '';
  if (seconds === 0) return zero;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return escapeInvisible(String(seconds));
  return l10n.t('{0} ({1})', removeInvisible(dates().format(date)), ago(date.getTime() - now));
}

/** The age in the largest unit that has fully passed. */
function ago(ms: number): ShownText {
  for (const [unit, length] of UNITS) {
    const passed = Math.trunc(ms / length);
    if (passed !== 0) return removeInvisible(spans().format(passed, unit));
  }
  return l10n.t('just now');
}

function unitFormat(language: string, unit: 'second' | 'minute'): Intl.NumberFormat {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
}

function perLanguage<T>(create: (language: string) => T): () => T {
  let last: { language: string; formatter: T } | undefined;
  return () => {
    const { language } = env;
    if (last?.language !== language) last = { language, formatter: create(language) };
    return last.formatter;
  };
}

/** Days in the time zone of a page, which may differ from the extension host's, and dates in the user's language. */
export class Calendar extends Days {
  readonly #dates: Intl.DateTimeFormat;

  /** `timeZone` is an IANA name; undefined for the extension host's. */
  constructor(language: string, timeZone?: string) {
    super(timeZone);
    this.#dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  }

  /** A Unix time (ms) as a date in the user's language. */
  format(time: number): ShownText {
    return isTime(time) ? removeInvisible(this.#dates.format(time)) : l10n.t('time unknown');
  }
}

/** How many entries of a setting are named, and how much of each (UTF-16 units). */
const MAX_ENTRIES = 3;
const MAX_ENTRY = 100;

/** Entries of a setting that can't be used, as they are there: the first ones, and how many more there are. */
export function entriesText(entries: readonly unknown[]): ShownText {
  const first = entries.slice(0, MAX_ENTRIES + 1).map((entry) => {
    const json = JSON.stringify(entry);
    // The text may be copied, or read by an agent, so that no token may be in it.
    return mentionsToken(json) ? l10n.t('a token') : excerpt(json, MAX_ENTRY);
  });
  return joinNames(firstTexts(first, MAX_ENTRIES, entries.length));
}
