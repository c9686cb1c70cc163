/** Asks for days, and for times in the future. */
import { l10n } from 'vscode';
import { type Days, dayAfter, localDays } from '../markup/days.ts';
import { systemClock } from '../service/clock.ts';
import { askInput, type ListItem, pickOne, safeLabel } from './dialogs.ts';
import { formatDateTime, formatOffset, formatTime, formatWeekdayTime } from './formats.ts';
import { formatTyped, parseDay, parseTime, readDate, type TypedTime } from './times.ts';

interface Question {
  readonly title: string;
  readonly prompt: string;
  /** The day to begin with, if any. */
  readonly value?: string;
  /** Those of a time zone. Without, of the extension host's. */
  readonly days?: Days;
}

/** Asks for a day that isn't in the future, as `YYYY-MM-DD`; undefined if the user cancels. */
export const askPastDay = (question: Question) =>
  askDay(question, (day, today) => (day > today ? l10n.t('This date is in the future.') : undefined));

/** Asks for a day, as `YYYY-MM-DD`; undefined if the user cancels. `problemOf` says why one can't be used. */
export async function askDay(
  { title, prompt, value, days = localDays }: Question,
  problemOf: (day: string, today: string) => string | undefined,
): Promise<string | undefined> {
  const today = days.dayOf(systemClock.wall());
  const text = await askInput({
    title,
    prompt,
    ...(value !== undefined && { value }),
    placeHolder: 'YYYY-MM-DD',
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const day = parseDay(typed);
      if (day !== undefined) return problemOf(day, today);
      return readDate(typed) !== undefined
        ? l10n.t("This date doesn't exist.")
        : l10n.t('Enter a date as YYYY-MM-DD, such as {0}.', today);
    },
  });
  return text === undefined ? undefined : parseDay(text);
}

interface TimeItem extends ListItem {
  /** Unix milliseconds; undefined to type one. */
  time?: number;
}

const HOUR = 60 * 60_000;
const EVENING = '18:00';
const MORNING = '09:00';

/**
 * Asks for a time (Unix ms), beginning with the present one, if any, whose day a time of day keeps; undefined if the user
 * cancels. It may have passed when the user has chosen it.
 */
export async function askTime(title: string, present?: number): Promise<number | undefined> {
  const chosen = await pickOne(offers(systemClock.wall(), present), { title, ignoreFocusOut: true });
  if (!chosen) return undefined;
  return chosen.time ?? askTypedTime(title, present);
}

function offers(now: number, present: number | undefined): TimeItem[] {
  const today = localDays.dayOf(now);
  const inOneHour = now + HOUR;
  const evening = Date.parse(`${today}T${EVENING}`);
  const morning = Date.parse(`${dayAfter(today)}T${MORNING}`);
  const type = safeLabel(l10n.t('Enter a Date and Time…'));
  return [
    ...(present === undefined
      ? []
      : [{ label: type, description: safeLabel(l10n.t('scheduled for {0}', formatDateTime(present))) }]),
    { label: safeLabel(l10n.t('In one hour ({0})', formatTime(inOneHour))), time: inOneHour },
    // At five, that's in one hour, too.
    ...(evening > inOneHour
      ? [{ label: safeLabel(l10n.t('This evening ({0})', formatTime(evening))), time: evening }]
      : []),
    { label: safeLabel(l10n.t('Tomorrow morning ({0})', formatDateTime(morning))), time: morning },
    ...(present === undefined ? [{ label: type }] : []),
  ];
}

async function askTypedTime(title: string, present: number | undefined): Promise<number | undefined> {
  const example = `${dayAfter(localDays.dayOf(systemClock.wall()))} ${MORNING}`;
  /** When the text was last checked: a minute later, a time of day may mean another day. */
  let now = systemClock.wall();
  const parse = (typed: string) => parseTime(typed, now, present === undefined ? undefined : localDays.dayOf(present));
  const text = await askInput({
    title,
    prompt: l10n.t('When to send it, in the time zone {0}', Intl.DateTimeFormat().resolvedOptions().timeZone),
    placeHolder: 'YYYY-MM-DD HH:MM',
    ...(present !== undefined && { value: formatTyped(new Date(present)) }),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      now = systemClock.wall();
      return problemOf(parse(typed), example);
    },
    noteFor: (typed) => noteFor(parse(typed)),
  });
  if (text === undefined) return undefined;
  const parsed = parse(text);
  return 'time' in parsed ? parsed.time.getTime() : undefined;
}

/** When it is, and which of two equal times is meant. */
function noteFor(parsed: TypedTime): string | undefined {
  if ('problem' in parsed) return undefined;
  const time = formatWeekdayTime(parsed.time.getTime());
  if (!parsed.later) return l10n.t('= {0}', time);
  const offset = formatOffset(parsed.later.getTime());
  return l10n.t('Clocks are set back, so this means {0}. For the later one, add {1}.', time, offset);
}

function problemOf(parsed: TypedTime, example: string): string | undefined {
  if (!('problem' in parsed)) return undefined;
  switch (parsed.problem) {
    case 'format':
      return l10n.t('Enter a date and time as YYYY-MM-DD HH:MM, such as {0}, or only a time.', example);
    case 'missing':
      return l10n.t("This time doesn't exist.");
    case 'past':
      return l10n.t('This time has passed.');
    case 'far':
      return l10n.t('This time is more than a year away.');
  }
}
