/** Asks which part of a chat to export. */
import { l10n } from 'vscode';
import { dayAfter, localDays } from '../../../markup/days.ts';
import { askDay, askPastDay } from '../../../presentation/askTime.ts';
import { pickOne, safeLabel } from '../../../presentation/dialogs.ts';
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
  return first === undefined ? undefined : { start: localDays.startOf(first) };
}

async function askDays(title: string): Promise<ExportRange | undefined> {
  const first = await askFirstDay(title);
  if (first === undefined) return undefined;
  const last = await askDay({ title, prompt: l10n.t('The last day to export, in local time') }, (day) =>
    day < first ? l10n.t('Enter {0} or a later date.', first) : undefined,
  );
  return last === undefined ? undefined : { start: localDays.startOf(first), end: localDays.startOf(dayAfter(last)) };
}

const askFirstDay = (title: string) => askPastDay({ title, prompt: l10n.t('The first day to export, in local time') });
