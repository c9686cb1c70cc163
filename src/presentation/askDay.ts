/** Asks for days of the extension host's time zone. */
import { l10n } from 'vscode';
import { systemClock } from '../service/clock.ts';
import { formatDay, parseDay, readDate } from './days.ts';
import { askInput } from './dialogs.ts';

/** Asks for a day that isn't in the future; undefined if the user cancels. */
export const askPastDay = (title: string, prompt: string) =>
  askDay(title, prompt, (day) =>
    day.getTime() > systemClock.wall() ? l10n.t('This date is in the future.') : undefined,
  );

/** Asks for a day; undefined if the user cancels. `problemOf` says why one can't be used. */
export async function askDay(
  title: string,
  prompt: string,
  problemOf: (day: Date) => string | undefined,
): Promise<Date | undefined> {
  const today = formatDay(new Date(systemClock.wall()));
  const text = await askInput({
    title,
    prompt,
    placeHolder: 'YYYY-MM-DD',
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const day = parseDay(typed);
      if (day) return problemOf(day);
      return readDate(typed) !== undefined
        ? l10n.t("This date doesn't exist.")
        : l10n.t('Enter a date as YYYY-MM-DD, such as {0}.', today);
    },
  });
  return text === undefined ? undefined : parseDay(text);
}
