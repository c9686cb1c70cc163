/** What an export asks before it starts, and what it says and offers in the end. */
import { commands, env, type Uri } from 'vscode';
import { dayAfter, localDays } from '../../../markup/days.ts';
import { BufferLimitError } from '../../../platform/fileAppender.ts';
import { isBrowser } from '../../../platform/node.ts';
import { storagePlace } from '../../../platform/storagePlace.ts';
import type { PageHost } from '../../../platform/webviewPage.ts';
import { askDay, askPastDay } from '../../../presentation/askTime.ts';
import { nameInNotice } from '../../../presentation/describe.ts';
import { listItem, pickOne, showInfo } from '../../../presentation/dialogs.ts';
import { errorText, systemErrorText } from '../../../presentation/errorText.ts';
import { askSaveTarget, exportFileName, type SaveTarget } from '../../../presentation/fileDialogs.ts';
import { formatCount, formatTimestamp, joinSentences } from '../../../presentation/formats.ts';
import { askAboutError } from '../../../presentation/showError.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { systemClock } from '../../../service/clock.ts';
import {
  ExportError,
  type ExportErrorReason,
  type ExportProgress,
  type ExportRange,
  isDamaged,
} from './exportProgress.ts';
import type { FormatName } from './formats.ts';
import { WriteError } from './writeExport.ts';

/** Asks whether to continue an interrupted export; undefined if the user cancels. */
export async function askResume(saved: ExportProgress, title: ShownText): Promise<'continue' | 'restart' | undefined> {
  const began = formatTimestamp(Math.floor(saved.began / 1000), systemClock.wall(), '');
  const items = [
    listItem({
      label: l10n.t('Continue Export'),
      description: readCountText(saved.messages),
      detail: l10n.t("Started {0}. Newer messages aren't included.", began),
      start: 'continue' as const,
    }),
    listItem({
      label: l10n.t('Start Over'),
      detail: l10n.t('The saved progress is discarded.'),
      start: 'restart' as const,
    }),
  ];
  return (await pickOne(items, { title: l10n.t('Export {0}', title) }))?.start;
}

/** Asks for the range; undefined if the user cancels. Enter chooses the entire history. */
export async function askRange(name: string): Promise<ExportRange | undefined> {
  const title = l10n.t('Export {0}', name);
  const items = [
    listItem({ label: l10n.t('Entire History'), ask: async () => ({}) }),
    listItem({ label: l10n.t('Since a Date…'), ask: () => askSince(title) }),
    listItem({ label: l10n.t('Range of Dates…'), ask: () => askDays(title) }),
  ];
  return (await pickOne(items, { title }))?.ask();
}

async function askSince(title: ShownText): Promise<ExportRange | undefined> {
  const first = await askFirstDay(title);
  return first === undefined ? undefined : { start: localDays.startOf(first) };
}

async function askDays(title: ShownText): Promise<ExportRange | undefined> {
  const first = await askFirstDay(title);
  if (first === undefined) return undefined;
  const last = await askDay({ title, prompt: l10n.t('The last day to export, in local time') }, (day) =>
    day < first ? l10n.t('Enter {0} or a later date.', first) : undefined,
  );
  return last === undefined ? undefined : { start: localDays.startOf(first), end: localDays.startOf(dayAfter(last)) };
}

const askFirstDay = (title: ShownText) =>
  askPastDay({ title, prompt: l10n.t('The first day to export, in local time') });

/** Asks for the format; undefined if the user cancels. */
export async function askFormat(title: ShownText): Promise<FormatName | undefined> {
  const formats: { name: string; what: string; format: FormatName }[] = [
    { name: 'Markdown', what: l10n.t('Readable and searchable as text'), format: 'md' },
    { name: 'HTML', what: htmlDetail(), format: 'html' },
    { name: 'NDJSON', what: l10n.t('For programs: one message per line, as received'), format: 'ndjson' },
  ];
  const items = formats.map(({ name, what, format }) => listItem({ label: name, detail: what, format }));
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
export function readCountText(messages: number): ShownText {
  return messages === 1 ? l10n.t('1 message read') : l10n.t('{0} messages read', formatCount(messages));
}

/** Whether files are written to another computer than the one in front of the user. A browser downloads them. */
const isElsewhere = () => ['container', 'remote'].includes(storagePlace());

const opensInBrowser = (uri: Uri, format: FormatName) => format === 'html' && uri.scheme === 'file' && !isElsewhere();

/** Says what HTML is good for, and how it can be opened here. */
const htmlDetail = () =>
  isElsewhere()
    ? l10n.t("Opens in a browser, even offline, once it's on your computer")
    : l10n.t('Opens in a browser, even offline');

/** The button for {@link openExport}, which says what is opened. */
function openTitle(uri: Uri, format: FormatName): ShownText {
  if (format !== 'html') return l10n.t('Open');
  return opensInBrowser(uri, format) ? l10n.t('Open in Browser') : l10n.t('Open as Text');
}

/** Opens a file in the browser, or else in an editor. */
async function openExport(uri: Uri, format: FormatName): Promise<void> {
  if (opensInBrowser(uri, format) && (await env.openExternal(uri))) return;
  await commands.executeCommand('vscode.open', uri);
}

/** The end of an export, with the number of messages read or written. */
export type Outcome = { messages: number } & ({ ended: 'written' | 'canceled' } | { ended: 'failed'; error: unknown });

/** Shows the result. Resolves to true if the user chooses to continue or retry. */
export async function showOutcome(
  outcome: Outcome,
  title: ShownText,
  { name: file, uri, format }: SaveTarget & { readonly format: FormatName },
  discardProgress: () => Promise<unknown>,
): Promise<boolean> {
  const { ended, messages } = outcome;
  const [chat, target] = [nameInNotice(title), nameInNotice(file)];
  switch (ended) {
    case 'written': {
      const text =
        messages === 1
          ? l10n.t('Exported 1 message from {0} to {1}.', chat, target)
          : l10n.t('Exported {0} messages from {1} to {2}.', formatCount(messages), chat, target);
      const chosen = await showInfo(text, ...(uri ? [openTitle(uri, format)] : []));
      if (chosen !== undefined && uri) await openExport(uri, format);
      return false;
    }
    case 'canceled': {
      const proceed = l10n.t('Continue');
      const discard = l10n.t('Discard Progress');
      const text = l10n.t('Export canceled: {0}.', chat);
      const buttons = messages > 0 ? [proceed, discard] : [];
      const chosen = await showInfo(joinSentences(text, progressSavedText(messages)), ...buttons);
      if (chosen === discard) await discardProgress();
      return chosen === proceed;
    }
    case 'failed':
      return askRetry(chat, outcome.error, messages);
  }
}

/** Says why an export failed, with the number of messages read. Resolves to true if the user chooses to retry. */
export async function askRetry(chat: string, error: unknown, messages: number): Promise<boolean> {
  const retry = l10n.t('Retry');
  const saved = isDamaged(error) ? '' : progressSavedText(messages);
  const text = joinSentences(l10n.t("Couldn't export {0}.", chat), exportErrorText(error), saved);
  return (await askAboutError(error, text, retry)) === retry;
}

function progressSavedText(messages: number): ShownText {
  if (messages === 0) return '';
  return l10n.t('Progress is saved ({0}). Export again to continue.', readCountText(messages));
}

/** One or two sentences about why an export failed. */
function exportErrorText(error: unknown): ShownText {
  if (error instanceof ExportError) return reasonText(error.reason);
  if (!(error instanceof WriteError)) return errorText(error);
  const { cause } = error;
  if (cause instanceof BufferLimitError) {
    return isBrowser()
      ? l10n.t(
          'This chat is too large to export from a browser. Export a range of dates, or use a desktop or remote window.',
        )
      : l10n.t('This chat is too large to export to a remote location. Choose a local file.');
  }
  return l10n.t("The file couldn't be saved: {0}", systemErrorText(cause));
}

function reasonText(reason: ExportErrorReason): ShownText {
  switch (reason) {
    case 'damaged':
      return l10n.t("The saved export progress can't be read. The next export starts over.");
    case 'anchorLost':
      return l10n.t("The service no longer returns the oldest messages that were read, so older ones can't be loaded.");
    case 'takenOver':
      return l10n.t('This chat is being exported in another window.');
  }
}
