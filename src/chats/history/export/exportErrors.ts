/** Error messages of an export. */
import { l10n } from 'vscode';
import { BufferLimitError } from '../../../platform/fileAppender.ts';
import { isBrowser } from '../../../platform/node.ts';
import { errorText } from '../../../presentation/errorText.ts';
import { ExportError, type ExportErrorReason } from './exportProgress.ts';

/** The file could not be written because of `cause`. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
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
  return l10n.t("The file couldn't be saved: {0}", cause instanceof Error ? cause.message : String(cause));
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
