/** Asks for days, and for times in the future. */
import { type Days, dayAfter, localDays } from '../markup/days.ts';
import { systemClock } from '../service/clock.ts';
import { askInput, createPicker, type ListItem, listItem, showUntilChosen } from './dialogs.ts';
import { formatDateTime, formatDay, formatOffset, formatTime, formatWeekdayTime, isDayFirst } from './formats.ts';
import { l10n, type ShownText, shownText } from './shown.ts';
import { formatTyped, parseDay, parseTime, readDate, readDays, type TypedTime } from './times.ts';

interface Question {
  readonly title: ShownText;
  readonly prompt: ShownText;
  /** The day to begin with, if any. */
  readonly value?: string;
  /** The days of a time zone; by default, the extension host's. */
  readonly days?: Days;
}

/** Asks for a day that isn't in the future, as `YYYY-MM-DD`; undefined if the user cancels. */
export const askPastDay = (question: Question) =>
  askDay(question, (day, today) => (day > today ? l10n.t('This date is in the future.') : undefined));

/** Asks for a day, as `YYYY-MM-DD`; undefined if the user cancels. `problemOf` says why a day can't be used. */
export async function askDay(
  { title, prompt, value, days = localDays }: Question,
  problemOf: (day: string, today: string) => ShownText | undefined,
): Promise<string | undefined> {
  /** When the text was last checked: midnight may have passed since the question, and may before the answer. */
  let today = days.dayOf(systemClock.wall());
  const parse = (typed: string) => parseDay(typed, today, isDayFirst());
  const text = await askInput({
    title,
    prompt,
    ...(value !== undefined && { value }),
    placeHolder: shownText`YYYY-MM-DD`,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      today = days.dayOf(systemClock.wall());
      const day = parse(typed);
      if (day !== undefined) return problemOf(day, today);
      return readDays(typed, today, isDayFirst()) !== undefined
        ? l10n.t("This date doesn't exist.")
        : l10n.t('Enter a date such as {0}, “Jan 15”, or “yesterday”.', today);
    },
    noteFor: (typed) => {
      const day = parse(typed);
      return day === undefined || readDate(typed) !== undefined ? undefined : l10n.t('= {0}', formatDay(day));
    },
  });
  return text === undefined ? undefined : parse(text);
}

interface TimeItem extends ListItem {
  /** The time (Unix ms); undefined to type one, beginning with a text. */
  time?: number;
  text?: string;
}

const HOUR = 60 * 60_000;
const EVENING = '18:00';
const MORNING = '09:00';

/**
 * Asks for a time (Unix ms), beginning with the present one, if any, whose day a time of day keeps; undefined if the user
 * cancels. It may have passed when the user has chosen it.
 */
export async function askTime(title: ShownText, present?: number): Promise<number | undefined> {
  const chosen = await pickTime(title, present);
  return chosen && (chosen.time ?? askTypedTime(title, present, chosen.text));
}

/** A list of times, in which a time can also be typed. */
function pickTime(title: ShownText, present: number | undefined): Promise<TimeItem | undefined> {
  const listed = offers(systemClock.wall(), present);
  const list = createPicker<TimeItem>();
  list.title = title;
  list.placeholder = l10n.t('Select a time, or type one, such as {0}, “in 10 minutes”, or “tomorrow 9:00”', EVENING);
  list.ignoreFocusOut = true;
  list.items = listed;
  list.onDidChangeValue((text) => {
    list.items = text.trim() ? typedItems(text, present) : listed;
  });
  return showUntilChosen<TimeItem | undefined>(list, undefined, (choose) =>
    list.onDidAccept(() => choose(list.selectedItems[0])),
  );
}

/** The typed text as a time, if it is a time. Otherwise the box says what is wrong with it. */
function typedItems(text: string, present: number | undefined): TimeItem[] {
  const parsed = parseTyped(text, systemClock.wall(), present);
  const type = listItem({ label: l10n.t('Enter a Date and Time…'), alwaysShow: true, text });
  // The box says which of two equal times is meant.
  if ('problem' in parsed || parsed.later) return [type];
  const time = parsed.time.getTime();
  return [listItem({ label: formatWeekdayTime(time), alwaysShow: true, time }), type];
}

const parseTyped = (text: string, now: number, present: number | undefined) =>
  parseTime(text, now, present === undefined ? undefined : localDays.dayOf(present), isDayFirst());

function offers(now: number, present: number | undefined): TimeItem[] {
  const today = localDays.dayOf(now);
  const inOneHour = now + HOUR;
  const evening = Date.parse(`${today}T${EVENING}`);
  const morning = Date.parse(`${dayAfter(today)}T${MORNING}`);
  const type = l10n.t('Enter a Date and Time…');
  return [
    ...(present === undefined
      ? []
      : [listItem({ label: type, description: l10n.t('scheduled for {0}', formatDateTime(present)) })]),
    listItem({ label: l10n.t('In one hour ({0})', formatTime(inOneHour)), time: inOneHour }),
    // At five o'clock, *This evening* would be the same time as *In one hour*.
    ...(evening > inOneHour
      ? [listItem({ label: l10n.t('This evening ({0})', formatTime(evening)), time: evening })]
      : []),
    listItem({ label: l10n.t('Tomorrow morning ({0})', formatDateTime(morning)), time: morning }),
    ...(present === undefined ? [listItem({ label: type })] : []),
  ];
}

async function askTypedTime(
  title: ShownText,
  present: number | undefined,
  begun: string | undefined,
): Promise<number | undefined> {
  const example = `${dayAfter(localDays.dayOf(systemClock.wall()))} ${MORNING}`;
  /** When the text was last checked: a minute later, a time of day may mean another day. */
  let now = systemClock.wall();
  const parse = (typed: string) => parseTyped(typed, now, present);
  const value = begun ?? (present === undefined ? undefined : formatTyped(new Date(present)));
  // VS Code says what is wrong with a text, or what it means, only once the text has changed.
  const first = begun === undefined ? undefined : parse(begun);
  const text = await askInput({
    title,
    prompt:
      (first && (problemOf(first, example) ?? noteFor(first))) ??
      l10n.t('When to send it, in the time zone {0}', Intl.DateTimeFormat().resolvedOptions().timeZone),
    placeHolder: shownText`YYYY-MM-DD HH:MM`,
    ...(value !== undefined && { value }),
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

/** What a typed time means: when it is, and which of two equal times. */
function noteFor(parsed: TypedTime): ShownText | undefined {
  if ('problem' in parsed) return undefined;
  const time = formatWeekdayTime(parsed.time.getTime());
  if (!parsed.later) return l10n.t('= {0}', time);
  const offset = formatOffset(parsed.later.getTime());
  return l10n.t('Clocks are set back, so this means {0}. For the later one, add {1}.', time, offset);
}

function problemOf(parsed: TypedTime, example: string): ShownText | undefined {
  if (!('problem' in parsed)) return undefined;
  switch (parsed.problem) {
    case 'format':
      return l10n.t('Enter a time such as {0}, {1}, “in 10 minutes”, or “tomorrow 9:00”.', example, EVENING);
    case 'missing':
      return l10n.t("This time doesn't exist.");
    case 'past':
      return l10n.t('This time has passed.');
    case 'far':
      return l10n.t('This time is more than a year away.');
  }
}
