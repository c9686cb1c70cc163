/** Asks which part of a chat to export. */
import { l10n } from 'vscode';
import { dayAfter, formatDay, parseDay } from '../../presentation/days.ts';
import { askInput, pickOne, safeLabel } from '../../presentation/dialogs.ts';
import type { ExportRange } from './exportRange.ts';

/** Asks for the range; undefined if the user cancels. Enter chooses the entire history. */
export async function askRange(name: string): Promise<ExportRange | undefined> {
  const title = l10n.t('Export {0}', name);
  const items = [
    { label: safeLabel(l10n.t('Entire History')), ask: async () => ({}) },
    { label: safeLabel(l10n.t('Since a Date…')), ask: () => askSince(title) },
    { label: safeLabel(l10n.t('Range of Dates…')), ask: () => askDays(title) },
  ];
  return (await pickOne(items, { title }))?.ask();
}

async function askSince(title: string): Promise<ExportRange | undefined> {
  const first = await askFirstDay(title);
  return first && { start: first.getTime() };
}

async function askDays(title: string): Promise<ExportRange | undefined> {
  const first = await askFirstDay(title);
  const last =
    first &&
    (await askDay(title, l10n.t('The last day to export, in local time'), (day) =>
      day < first ? l10n.t('Enter {0} or a later date.', formatDay(first)) : undefined,
    ));
  return last && { start: first.getTime(), end: dayAfter(last).getTime() };
}

function askFirstDay(title: string): Promise<Date | undefined> {
  return askDay(title, l10n.t('The first day to export, in local time'), (day) =>
    day.getTime() > Date.now() ? l10n.t('This date is in the future.') : undefined,
  );
}

/** Asks for a day. `problemOf` says why one can't be used. */
async function askDay(title: string, prompt: string, problemOf: (day: Date) => string | undefined) {
  const today = formatDay(new Date());
  const text = await askInput({
    title,
    prompt,
    placeHolder: 'YYYY-MM-DD',
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const day = parseDay(typed.trim());
      if (day) return problemOf(day);
      return /^\d{4}-\d\d-\d\d$/.test(typed.trim())
        ? l10n.t("This date doesn't exist.")
        : l10n.t('Enter a date as YYYY-MM-DD, such as {0}.', today);
    },
  });
  return text === undefined ? undefined : parseDay(text.trim());
}
