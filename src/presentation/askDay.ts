/** Asks for days. */
import { l10n } from 'vscode';
import { type Days, localDays } from '../markup/days.ts';
import { systemClock } from '../service/clock.ts';
import { askInput } from './dialogs.ts';
import { parseDay, readDate } from './times.ts';

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
