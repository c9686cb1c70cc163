/** Asks how far back to archive a chat. */
import { env, l10n } from 'vscode';
import { localDays } from '../../markup/days.ts';
import { askPastDay } from '../../presentation/askDay.ts';
import { pickOne, safeLabel } from '../../presentation/dialogs.ts';

/** The first time to archive (Unix ms); undefined for the beginning. */
export interface Since {
  readonly time: number | undefined;
}

/** Asks for the beginning or a date; undefined if the user cancels. Says where messages are kept. */
export async function askSince(title: string): Promise<Since | undefined> {
  const place =
    env.remoteName === undefined
      ? l10n.t('Messages are kept on this computer until you delete them.')
      : l10n.t('Messages are kept on the remote computer until you delete them.');
  const items = [
    { label: safeLabel(l10n.t('Entire History')), ask: async () => ({ time: undefined }) },
    { label: safeLabel(l10n.t('Since a Date…')), ask: () => askTime(title) },
  ];
  return (await pickOne(items, { title, placeHolder: place }))?.ask();
}

async function askTime(title: string): Promise<Since | undefined> {
  const day = await askPastDay({ title, prompt: l10n.t('The first day to archive, in local time') });
  return day === undefined ? undefined : { time: localDays.startOf(day) };
}
