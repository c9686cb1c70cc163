/** Errors of the archive in the user's language. */
import { excerpt } from '../../markup/escapeInvisible.ts';
import { errorText, UserFacingError } from '../../presentation/errorText.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { ArchiveError } from '../archive/archiveError.ts';

/** Describes any error in one or two sentences. */
export function archiveErrorText(error: unknown): ShownText {
  if (!(error instanceof ArchiveError)) return errorText(error);
  switch (error.problem) {
    case 'full':
      return l10n.t('The disk is full. What is archived is safe; free some space and try again.');
    case 'damaged':
      return l10n.t(
        'The archive is damaged. Select Retry in the Archive view to start a new one; the damaged file is kept.',
      );
    case 'newer':
      return l10n.t('The archive was written by a newer version of Bot Chats. Update the extension to use it.');
    case 'busy':
      return l10n.t('Another window is using the archive. Try again in a moment.');
    case 'denied':
      return l10n.t(
        "The archive's file can't be opened or changed ({0}). Allow your user to write to it and to its folder.",
        excerpt(error.message),
      );
    case 'disk':
      return l10n.t(
        'The disk failed to read or write the archive ({0}). Check the disk and try again.',
        excerpt(error.message),
      );
    case 'removed':
      return l10n.t(
        'The chat has since been deleted from the archive, along with what was imported. Import the file again to start over.',
      );
    case 'unsupported':
      return l10n.t('The archive needs a desktop or remote window with VS Code 1.105 or newer.');
    case 'failed':
      return l10n.t("The archive can't be used ({0}). Try again, or reload the window.", excerpt(error.message));
  }
}

/** An error for features that don't know the archive's errors. */
export const toUserFacing = (error: unknown) =>
  error instanceof UserFacingError ? error : new UserFacingError(archiveErrorText(error));

/** Explains errors of the archive to other features, which don't know them. */
export const explained = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error) => {
    throw toUserFacing(error);
  });
