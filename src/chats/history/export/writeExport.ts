/** Writes an export to the file that the user chose, or says why it couldn't. */
import { l10n } from 'vscode';
import { BufferLimitError } from '../../../platform/fileAppender.ts';
import { isBrowser } from '../../../platform/node.ts';
import { errorText, systemErrorText } from '../../../presentation/errorText.ts';
import type { SaveTarget } from '../../../presentation/fileDialogs.ts';
import { assemble } from './assembly.ts';
import { ExportError, type ExportErrorReason, type ExportProgress, type ExportStore } from './exportProgress.ts';
import type { ExportNames, FormatName } from './formats.ts';

/** The file could not be written because of `cause`. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
}

export interface WriteExportOptions {
  progress: ExportProgress;
  store: ExportStore;
  format: FormatName;
  names: ExportNames;
  signal: AbortSignal;
}

/**
 * Writes the whole file or nothing. Rejects with a {@link WriteError} if the file cannot be written, or as
 * {@link assemble} does. Calls `onPart` with the number of messages written.
 */
export async function writeExport(
  target: SaveTarget,
  { progress, store, format, names, signal }: WriteExportOptions,
  onPart: (messages: number) => void,
): Promise<void> {
  const { exportFormat } = await import('./formats.ts');
  const written = exportFormat(format, names, progress);
  const file = await wrapErrors(() => target.open());
  try {
    const write = (text: string) => wrapErrors(() => file.append(text));
    await assemble(progress, { store, format: written, write, signal, onPart });
    await wrapErrors(() => file.finish());
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function wrapErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new WriteError('the file could not be written', { cause });
  }
}

/** One or two sentences about why an export failed. */
export function exportErrorText(error: unknown): string {
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

function reasonText(reason: ExportErrorReason): string {
  switch (reason) {
    case 'damaged':
      return l10n.t("The saved export progress can't be read. The next export starts over.");
    case 'anchorLost':
      return l10n.t("The service no longer returns the oldest messages that were read, so older ones can't be loaded.");
    case 'takenOver':
      return l10n.t('This chat is being exported in another window.');
  }
}
