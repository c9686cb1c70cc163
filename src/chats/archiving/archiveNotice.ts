/** What is said when archiving has ended, and what is offered then. */
import { l10n } from 'vscode';
import type { Commands } from '../../platform/commands.ts';
import { nameInNotice } from '../../presentation/describe.ts';
import { showInfo } from '../../presentation/dialogs.ts';
import { formatCount } from '../../presentation/formats.ts';
import { askAboutError } from '../../presentation/showError.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import { messagesText } from './archiveItems.ts';

/** Says why archiving stopped, with the name of the first of these chats. Resolves to whether the user wants to retry. */
export async function askToRetry(error: unknown, name: string, chats: number): Promise<boolean> {
  const why = archiveErrorText(error);
  const text =
    chats === 1
      ? l10n.t('Archiving {0} stopped. {1}', name, why)
      : l10n.t('Archiving {0} chats stopped. {1}', formatCount(chats), why);
  const retry = l10n.t('Retry');
  return (await askAboutError(error, text, retry)) === retry;
}

/** Says which of the chosen chats are archived now, unless that stopped before the end, and offers to search them. */
export async function showArchived(
  chosen: readonly Pick<ArchivedChat, 'number'>[],
  all: readonly ArchivedChat[],
  nameOf: (chat: ArchivedChat) => Promise<string>,
  commands: Pick<Commands, 'run'>,
): Promise<void> {
  const numbers = new Set(chosen.map(({ number }) => number));
  const isWhole = ({ openGaps, checkedAt }: ArchivedChat) => openGaps === 0 && checkedAt !== undefined;
  const chats = all.filter((chat) => numbers.has(chat.number) && isWhole(chat));
  const [first, another] = chats;
  if (!first) return;
  if (another) {
    const search = l10n.t('Search Messages…');
    const text = l10n.t('{0} chats are archived.', formatCount(chats.length));
    if ((await showInfo(text, search)) === search) await commands.run('searchMessages');
  } else {
    const search = l10n.t('Search in This Chat…');
    const text = l10n.t('Archived {0}: {1}.', nameInNotice(await nameOf(first)), messagesText(first.messages));
    if ((await showInfo(text, search)) === search) await commands.run('searchArchivedChat', first.botChat);
  }
}
