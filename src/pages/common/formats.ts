/** Numbers, local times and content types in the language of the page. */
import { isTime } from '../../markup/days.ts';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { type NamedType, typeNames } from '../../markup/messageContent.ts';
import { l10n } from './host.ts';

const language = document.documentElement.lang;
const numberFormat = new Intl.NumberFormat(language);
const timeFormat = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const hourFormat = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
const exactFormat = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
const dateTimeFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'full' });

export const formatNumber = (value: number) => numberFormat.format(value);

/** A time of day from Unix ms. */
export const formatTime = (time: number | undefined) => format(timeFormat, time);
/** The time of day at which an hour begins. */
export const formatHour = (hour: number) => hourFormat.format(hour * 3_600_000);
/** A short date and time from Unix ms. */
export const formatDateTime = (time: number | undefined) => format(dateTimeFormat, time);
/** A full date and time from Unix ms. */
export const formatExactTime = (time: number | undefined) => format(exactFormat, time);
/** A full date from Unix ms, equal for two times exactly if they're on the same local day. */
export const formatDay = (time: number | undefined) => format(dayFormat, time);

/** A text from outside on one line, in isolation: from right to left, it doesn't move what is around it. */
export const isolate = (text: string) => `\u2068${excerpt(text)}\u2069`;

const format = (dateFormat: Intl.DateTimeFormat, time: number | undefined) =>
  isTime(time) ? dateFormat.format(time) : l10n.t('time unknown');

export const KIND_NAMES = typeNames(l10n);

/** The translated name of a content type; one that isn't known is its own name. */
export const kindName = (kind: string): string =>
  Object.hasOwn(KIND_NAMES, kind) ? KIND_NAMES[kind as NamedType] : kind;
