/** Exports a chat, or a range of it, to a file: asks the user, reads the chat, writes the file and shows the result. */
import type { LogOutputChannel, Uri } from 'vscode';
import type { DurableFiles } from '../../../platform/durableFiles.ts';
import { nameInNotice, singleLineName } from '../../../presentation/describe.ts';
import { showInfo, showProgress, signalOf } from '../../../presentation/dialogs.ts';
import type { SaveTarget } from '../../../presentation/fileDialogs.ts';
import { formatCount } from '../../../presentation/formats.ts';
import { l10n, type ShownText, shownText } from '../../../presentation/shown.ts';
import type { BotChat } from '../../../protocol/botChat.ts';
import type { Page } from '../../../service/client.ts';
import { systemClock } from '../../../service/clock.ts';
import { toError } from '../../../service/errors.ts';
import type { Listed } from '../../../service/message.ts';
import {
  askFormat,
  askRange,
  askResume,
  askRetry,
  askTarget,
  type Outcome,
  readCountText,
  showOutcome,
} from './exportDialogs.ts';
import {
  ExportFolder,
  type ExportProgress,
  type ExportRange,
  exportedCount,
  isDamaged,
  newProgress,
  savedProgress,
} from './exportProgress.ts';
import type { ExportNames, FormatName } from './formats.ts';
import { readToBeginning } from './readHistory.ts';
import { WriteError, writeExport } from './writeExport.ts';

export interface ExportOptions {
  botChat: BotChat;
  /** The name of the chat in dialogs. */
  name: string;
  names: ExportNames;
  /** Lists one page of the chat as the bot reads it. */
  list(page: Page, signal: AbortSignal): Promise<Listed[]>;
  /** Where messages are saved until the file is written. */
  files: DurableFiles;
  /** The folder where the extension is installed. */
  extensionUri: Uri;
  log: LogOutputChannel;
  /** Folders of the exports running in this window. */
  running: Set<string>;
}

/**
 * Exports a chat, oldest message first, and offers to continue an interrupted export of the same range. Resolves when the
 * user has dismissed the result.
 */
export async function exportHistory(options: ExportOptions): Promise<void> {
  const { botChat, files, running } = options;
  const title = singleLineName(options.name) || singleLineName(botChat.id);
  const names = { ...options.names, chat: singleLineName(options.names.chat) || botChat.id };
  await ExportFolder.deleteExpired(files).catch((error) =>
    options.log.warn(`old exports are not cleared away: ${error}`),
  );
  const range = await askRange(title);
  if (!range) return;
  const store = await ExportFolder.of(botChat, range, files);
  const found = await findSaved(store, title, options, range);
  if (!found) return;
  const { saved } = found;
  const start = saved && !running.has(store.key) ? await askResume(saved, title) : 'restart';
  const format = start && (await askFormat(title));
  const file = { name: names.chat, id: botChat.id, range };
  let target = format && (await askTarget(file, format, options));
  let isRestart = start === 'restart';
  while (format && target) {
    const outcome = await runExclusive(store.key, running, async () => {
      if (isRestart) await store.clear();
      isRestart = false;
      return exportOnce({ ...options, name: title, names }, range, { store, format, target: target as SaveTarget });
    });
    if (!outcome) {
      void showInfo(l10n.t('{0} is already being exported.', nameInNotice(title)));
      return;
    }
    if (
      !(await showOutcome(outcome, title, { ...target, format }, () =>
        runExclusive(store.key, running, () => store.clear()),
      ))
    )
      return;
    if (outcome.ended !== 'failed') continue;
    isRestart = isDamaged(outcome.error);
    // If a file can't be written, the user may choose another one.
    if (outcome.error instanceof WriteError) target = await askTarget(file, format, options);
  }
}

/** The saved progress, if there is any. Resolves to undefined if it can't be read, and the user doesn't retry. */
async function findSaved(
  store: ExportFolder,
  title: ShownText,
  { botChat, log }: ExportOptions,
  range: ExportRange,
): Promise<{ saved: ExportProgress | undefined } | undefined> {
  for (;;) {
    try {
      return { saved: await savedProgress(store, botChat, range) };
    } catch (error) {
      log.error(toError(error));
      if (!(await askRetry(title, error, 0))) return undefined;
    }
  }
}

async function exportOnce(
  { botChat, name, names, list, log }: ExportOptions,
  range: ExportRange,
  { store, format, target }: { store: ExportFolder; format: FormatName; target: SaveTarget },
): Promise<Outcome> {
  return showProgress(l10n.t('Exporting {0}', nameInNotice(name)), async (report, cancellation) => {
    const signal = signalOf(cancellation);
    let progress = newProgress(botChat, systemClock.wall(), range);
    try {
      progress = (await savedProgress(store, botChat, range)) ?? progress;
      report({ message: shownText`${readCountText(progress.messages)}…` });
      progress = await readToBeginning(progress, {
        list: (page) => list(page, signal),
        store,
        signal,
        onPage: (now) => {
          progress = now;
          report({ message: shownText`${readCountText(now.messages)}…` });
        },
      });
      const messages = exportedCount(progress);
      await writeExport(target, { progress, store, format, names, signal }, (written) =>
        report({ message: l10n.t('{0} of {1} written…', formatCount(written), formatCount(messages)) }),
      );
      await store.clear().catch((error) => log.warn(`an export is not cleared away: ${error}`));
      return { ended: 'written', messages };
    } catch (error) {
      if (signal.aborted) return { ended: 'canceled', messages: progress.messages };
      log.error(toError(error));
      return { ended: 'failed', messages: progress.messages, error };
    }
  });
}

/** Runs a task unless one is running for the same key; resolves to undefined then. */
async function runExclusive<T>(key: string, running: Set<string>, run: () => Promise<T>): Promise<T | undefined> {
  if (running.has(key)) return undefined;
  running.add(key);
  try {
    return await run();
  } finally {
    running.delete(key);
  }
}
