/** The questions an export asks before it starts, and what it offers to open in the end. */
import { commands, env, l10n, type Uri } from 'vscode';
import { dayAfter, localDays } from '../../../markup/days.ts';
import { storagePlace } from '../../../platform/storagePlace.ts';
import type { PageHost } from '../../../platform/webviewPage.ts';
import { askDay, askPastDay } from '../../../presentation/askTime.ts';
import { pickOne, safeLabel } from '../../../presentation/dialogs.ts';
import { askSaveTarget, exportFileName, type SaveTarget } from '../../../presentation/fileDialogs.ts';
import { formatCount, formatTimestamp } from '../../../presentation/formats.ts';
import { systemClock } from '../../../service/clock.ts';
import type { ExportProgress, ExportRange } from './exportProgress.ts';
import type { FormatName } from './formats.ts';

/** Asks whether to continue an interrupted export; undefined if the user cancels. */
export async function askResume(saved: ExportProgress, title: string): Promise<'continue' | 'restart' | undefined> {
  const began = formatTimestamp(Math.floor(saved.began / 1000), systemClock.wall(), '');
  const items = [
    {
      label: safeLabel(l10n.t('Continue Export')),
      description: safeLabel(readCountText(saved.messages)),
      detail: safeLabel(l10n.t("Started {0}. Newer messages aren't included.", began)),
      start: 'continue' as const,
    },
    {
      label: safeLabel(l10n.t('Start Over')),
      detail: safeLabel(l10n.t('The saved progress is discarded.')),
      start: 'restart' as const,
    },
  ];
  return (await pickOne(items, { title: l10n.t('Export {0}', title) }))?.start;
}

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

/** Asks for the format; undefined if the user cancels. */
export async function askFormat(title: string): Promise<FormatName | undefined> {
  const formats: { name: string; what: string; format: FormatName }[] = [
    { name: 'Markdown', what: l10n.t('Readable and searchable as text'), format: 'md' },
    { name: 'HTML', what: htmlDetail(), format: 'html' },
    { name: 'NDJSON', what: l10n.t('For programs: one message per line, as received'), format: 'ndjson' },
  ];
  const items = formats.map(({ name, what, format }) => ({ label: safeLabel(name), detail: safeLabel(what), format }));
  return (await pickOne(items, { title: l10n.t('Export {0}', title) }))?.format;
}

/**
 * Asks for the file to write; undefined if the user cancels. `name` and `id` are the chat's.
 */
export async function askTarget(
  { name, id, range }: { name: string; id: string; range: ExportRange },
  format: FormatName,
  host: PageHost,
): Promise<SaveTarget | undefined> {
  const file = { name: exportFileName(name, id, new Date(systemClock.wall()), range), extension: format };
  const type = { md: 'Markdown', html: 'HTML', ndjson: 'NDJSON' }[format];
  return askSaveTarget({ title: l10n.t('Export {0}', name), type, ...file }, host);
}

/** The number of messages read so far, as text. */
export function readCountText(messages: number): string {
  return messages === 1 ? l10n.t('1 message read') : l10n.t('{0} messages read', formatCount(messages));
}

/** Whether files are written to another computer than the one in front of the user. A browser downloads them. */
const isElsewhere = () => ['container', 'remote'].includes(storagePlace());

const opensInBrowser = (uri: Uri, format: FormatName) => format === 'html' && uri.scheme === 'file' && !isElsewhere();

/** What HTML is good for, with what it takes here. */
const htmlDetail = () =>
  isElsewhere()
    ? l10n.t("Opens in a browser, even offline, once it's on your computer")
    : l10n.t('Opens in a browser, even offline');

/** The title of {@link openExport}, which says what is opened. */
export function openTitle(uri: Uri, format: FormatName): string {
  if (format !== 'html') return l10n.t('Open');
  return opensInBrowser(uri, format) ? l10n.t('Open in Browser') : l10n.t('Open as Text');
}

/** Opens a file in the browser, or else in an editor. */
export async function openExport(uri: Uri, format: FormatName): Promise<void> {
  if (opensInBrowser(uri, format) && (await env.openExternal(uri))) return;
  await commands.executeCommand('vscode.open', uri);
}
