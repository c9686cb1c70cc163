/** Error messages of an export. */
import { l10n } from 'vscode';
import { BufferLimitError } from '../../platform/fileAppender.ts';
import { errorText } from '../../presentation/errorText.ts';
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
    return l10n.t('The chat is too long for a file that is not on this computer: choose one that is.');
  }
  return l10n.t('The file could not be written: {0}', cause instanceof Error ? cause.message : String(cause));
}

function reasonText(reason: ExportErrorReason): string {
  switch (reason) {
    case 'damaged':
      return l10n.t('What was kept of the export cannot be read any more: the next one starts anew.');
    case 'anchorLost':
      return l10n.t('The service no longer lists the oldest messages that were read, so older ones cannot be found.');
    case 'takenOver':
      return l10n.t('The same chat is being exported in another window.');
  }
}
