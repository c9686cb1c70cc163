/** The *Do Not Send* list in words, how chats are put on it, and how it's read where nobody may be missed who is on it. */
import { escapeInvisible, excerpt } from '../markup/escapeInvisible.ts';
import { NEVER, type NeverList, type Notes, type ParsedNever } from '../platform/neverList.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { askInput } from './dialogs.ts';
import { UserFacingError } from './errorText.ts';
import { entriesText, formatCount } from './formats.ts';
import { l10n, type ShownText } from './shown.ts';

/** How much of a note is shown (UTF-16 units). */
const MAX_NOTE = 100;

/** The list can't be read. Whatever shows this error offers to open the list. */
export class NeverListError extends UserFacingError {}

/** Everyone on the list. @throws NeverListError if some of it can't be read: someone on it could get a message */
export function neverNotes(list: Pick<NeverList, 'read'>): Notes {
  const parsed = list.read();
  const problem = neverProblem(parsed);
  if (problem) throw new NeverListError(problem);
  return parsed.notes;
}

/** Whether the list can be edited: entries can be added beside those that can't be read. @throws NeverListError */
export function checkNever(list: Pick<NeverList, 'read' | 'isEditable'>): void {
  if (!list.isEditable) throw new NeverListError(neverProblem(list.read()));
}

/**
 * Puts chats on the list, with a note if the user types one; for one that is on it, this changes the note. `name` is that of
 * the first one. @throws NeverListError if the list can't be edited
 */
export async function neverSend(list: NeverList, chats: readonly [Chat, ...Chat[]], name: string): Promise<void> {
  checkNever(list);
  const [first] = chats;
  const known = chats.length === 1 ? list.read().notes.get(chatKey(first)) : undefined;
  const note = await askInput({
    title:
      chats.length === 1
        ? l10n.t('Never Send to {0}', name)
        : l10n.t('Never Send to {0} Chats', formatCount(chats.length)),
    prompt:
      known === undefined
        ? l10n.t('Adds to your Do Not Send list. Type a note if you like, such as why.')
        : l10n.t('On your Do Not Send list. Type a note if you like, such as why.'),
    value: known ?? '',
  });
  if (note === undefined) return;
  // Of several chats, those that are on the list keep their notes if no note is typed.
  const keep = note.trim() === '' && chats.length > 1;
  // Another window may have added chats while the user was asked.
  const { notes } = list.read();
  await list.add(keep ? chats.filter((chat) => !notes.has(chatKey(chat))) : chats, note);
}

/** Why the list can't be used, and what to do; empty if it can. */
export function neverProblem({ unusable }: Pick<ParsedNever, 'unusable'>): ShownText {
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
