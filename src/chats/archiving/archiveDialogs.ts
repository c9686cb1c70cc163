/**
 * What is asked before chats are archived: which ones, the bots that read them, and how far back; and what is said and
 * offered when that has ended.
 */
import { localDays } from '../../markup/days.ts';
import type { Commands } from '../../platform/commands.ts';
import type { Host } from '../../platform/host.ts';
import { askPastDay } from '../../presentation/askTime.ts';
import { type ChosenChat, chatOf, chooseReaders, type NamedBotChat } from '../../presentation/chatReader.ts';
import { nameInNotice } from '../../presentation/describe.ts';
import { listItem, pickOne, showInfo } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { formatCount } from '../../presentation/formats.ts';
import { archiveKeptText } from '../../presentation/keptText.ts';
import { pickChats } from '../../presentation/pickChat.ts';
import { askAboutError } from '../../presentation/showError.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { isSame } from '../../service/model.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import { messagesText } from './archiveItems.ts';

/** The first time to archive (Unix ms); undefined for the beginning. */
export interface Since {
  readonly time: number | undefined;
}

/**
 * The `selected` chats, or the `clicked` one, or else those that the user picks, and the bots that read them. Among
 * several, those that are `archived` already are left out. None if the user cancels. @throws UserFacingError if none is left
 */
export async function chooseChats(
  host: Pick<Host, 'access' | 'connection' | 'lists' | 'store' | 'tokens'>,
  archived: readonly BotChat[],
  clicked?: object,
  selected: readonly object[] = [],
): Promise<NamedBotChat[]> {
  const given = (selected.length > 0 ? selected : [clicked]).flatMap((row) => chatOf(row) ?? []);
  const chats = clicked === undefined ? await pickChats(host, l10n.t('Archive Chats')) : given;
  if (chats.length === 0) return [];
  const chosen = chats.length > 1 ? await withoutArchived(host, archived, chats) : chats;
  return (await chooseReaders(host, chosen)) ?? [];
}

async function withoutArchived(
  { connection }: Pick<Host, 'connection'>,
  archived: readonly BotChat[],
  chats: readonly ChosenChat[],
): Promise<ChosenChat[]> {
  const { address } = await connection.open();
  const isArchived = (chat: ChosenChat) => archived.some((one) => one.service === address && isSame(one, chat));
  const others = chats.filter((chat) => !isArchived(chat));
  if (others.length === 0) throw new UserFacingError(l10n.t('These chats are archived already.'));
  return others;
}

/** Asks for the beginning or a date; undefined if the user cancels. Says where messages are kept. */
export async function askSince(title: ShownText): Promise<Since | undefined> {
  const items = [
    listItem({ label: l10n.t('Entire History'), ask: async () => ({ time: undefined }) }),
    listItem({ label: l10n.t('Since a Date…'), ask: () => askTime(title) }),
  ];
  return (await pickOne(items, { title, placeHolder: archiveKeptText() }))?.ask();
}

async function askTime(title: ShownText): Promise<Since | undefined> {
  const day = await askPastDay({ title, prompt: l10n.t('The first day to archive, in local time') });
  return day === undefined ? undefined : { time: localDays.startOf(day) };
}

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
