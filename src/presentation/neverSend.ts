/** The *Do Not Send* list in words, and how it's read where nobody may be missed who is on it. */
import { l10n } from 'vscode';
import { escapeInvisible, excerpt } from '../markup/escapeInvisible.ts';
import { NEVER, type NeverList, type Notes, type ParsedNever } from '../platform/neverList.ts';
import { UserFacingError } from './errorText.ts';
import { entriesText } from './formats.ts';

/** How much of a note is shown (UTF-16 units). */
const MAX_NOTE = 100;

/** Everyone on the list. @throws UserFacingError if some of it can't be read: someone on it could get a message */
export function neverNotes(list: Pick<NeverList, 'read'>): Notes {
  const parsed = list.read();
  const problem = neverProblem(parsed);
  if (problem) throw new UserFacingError(problem);
  return parsed.notes;
}

/** Whether the list can be edited: entries can be added beside those that can't be read. @throws UserFacingError */
export function checkNever(list: Pick<NeverList, 'read' | 'isEditable'>): void {
  if (!list.isEditable) throw new UserFacingError(neverProblem(list.read()));
}

/** Why the list can't be used, and what to do; empty if it can. */
export function neverProblem({ unusable }: Pick<ParsedNever, 'unusable'>): string {
  if (unusable.length === 0) return '';
  return l10n.t(
    "Your Do Not Send list has entries that can't be read, so nothing is sent: {0}. Correct them in the setting {1}.",
    entriesText(unusable),
    NEVER,
  );
}

/** That someone is on the list, with the note if there is one. */
export const onListText = (note: string) =>
  note
    ? l10n.t('On your Do Not Send list: {0}', excerpt(note, MAX_NOTE, escapeInvisible))
    : l10n.t('On your Do Not Send list');
