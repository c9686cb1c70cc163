/** Which chats bots are in. The service can't list them, so only those that were seen are known. Makes no request. */
import type { Directory } from '../directory/directory.ts';
import { addEntries } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import type { Store } from '../platform/store.ts';
import { KIND_ICONS, nameOrId } from '../presentation/describe.ts';
import { type ListItem, listItem, pickMany, showInfo } from '../presentation/dialogs.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { attachedBot, CHAT_KINDS, type Chat, chatKey } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

interface ChatItem extends ListItem {
  chat: Chat;
}

/** Says that the token of a bot is saved, and offers to add its chats that aren't in the sidebar. */
export async function offerChats(service: Service, lists: ListSettings, botId: string): Promise<void> {
  const saved = l10n.t('Saved the token for bot {0}.', botId);
  const add = l10n.t('Add Chats…');
  const hasOthers = chatItems(service, lists, botId).length > 0;
  if ((await showInfo(saved, ...(hasOthers ? [add] : []))) === add) await addBotChats(service, lists, botId);
}

/** Adds those of a bot's chats that aren't in the sidebar and that the user selects. */
export async function addBotChats(service: Service, lists: ListSettings, botId: string): Promise<void> {
  const items = chatItems(service, lists, botId);
  if (items.length === 0) {
    void showInfo(l10n.t('All known chats of this bot are in the sidebar. Add others by their IDs.'));
    return;
  }
  const title = l10n.t("Add the Bot's Chats");
  const placeHolder = l10n.t('Select chats to add to the sidebar, then press Enter');
  const chosen = (await pickMany(items, { title, placeHolder, matchOnDescription: true })) ?? [];
  for (const kind of CHAT_KINDS) {
    const entries = chosen.filter(({ chat }) => chat.kind === kind).map(({ chat }) => ({ id: chat.id }));
    if (entries.length > 0) await lists.edit(kind, service, (before) => addEntries(before, entries));
  }
}

/** Groups that were looked up and have the bot, and the person who created it, unless they are in the sidebar. */
function chatItems(service: Service, lists: ListSettings, botId: string): ChatItem[] {
  const { directory } = service;
  const groups = directory.entries().flatMap(({ found }): ChatItem[] => {
    if (found.kind !== 'group' || attachedBot(found.resource)?.botId !== botId) return [];
    return [{ ...itemOf({ kind: 'group', id: found.resource.groupId }, directory), picked: true }];
  });
  const bot = directory.peek('bot', botId);
  const creatorId = bot?.kind === 'bot' ? bot.resource.createBy : '';
  const creator: Chat = { kind: 'user', id: creatorId };
  const people = creatorId ? [itemOf(creator, directory, l10n.t('created this bot'))] : [];
  // The lists are read once, because the bot may be in very many groups.
  const listed = new Set(lists.chats(service).map(chatKey));
  return [...groups, ...people].filter(({ chat }) => !listed.has(chatKey(chat)));
}

function itemOf(chat: Chat, directory: Directory, detail?: string): ChatItem {
  const { kind, id } = chat;
  // A chat that isn't in the sidebar has no name of the user's.
  return listItem({ icon: KIND_ICONS[kind], label: nameOrId(directory, kind, id), description: id, detail, chat });
}

/** In how many of these chats each bot is known to be: it's the bot of a group, or has read messages of the chat. */
export async function countChats(
  chats: readonly Chat[],
  { address, directory }: Pick<Service, 'address' | 'directory'>,
  store: Pick<Store, 'get'>,
): Promise<ReadonlyMap<string, number>> {
  const readers = new Map<string, string[]>();
  const watched = store.get('watched').map(({ heard, ...chat }) => ({ ...chat, msgId: heard?.msgId }));
  for (const { service, msgId, botId, ...chat } of [...store.get('readMarks'), ...watched])
    if (service === address && msgId) readers.set(chatKey(chat), [...(readers.get(chatKey(chat)) ?? []), botId]);
  const counts = new Map<string, number>();
  await new TimeSlices().each(chats, ({ kind, id }) => {
    const found = directory.peek(kind, id);
    const attached = found?.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
    const bots = new Set([...(attached ? [attached] : []), ...(readers.get(chatKey({ kind, id })) ?? [])]);
    for (const bot of bots) counts.set(bot, (counts.get(bot) ?? 0) + 1);
  });
  return counts;
}

/** Says which bot to choose for this many chats, depending on whether any bot is known to be in one; empty without chats. */
export function whichBotText(chats: number, isAnyKnown: boolean): ShownText {
  if (chats === 0) return '';
  if (!isAnyKnown)
    return chats === 1
      ? l10n.t("None is known to be in this chat. Choose one that is: others can't reach it.")
      : l10n.t("None is known to be in these chats. Choose one that is: others can't reach them.");
  return chats === 1
    ? l10n.t("Choose one that's in this chat: others can't reach it.")
    : l10n.t("Choose the one that's in most of these chats: it can't reach the others.");
}

/** What is said of a bot that is in this many of the chats; empty if it's in none. */
export function inChatsText(count: number, [first, ...others]: readonly Chat[]): ShownText {
  if (count === 0 || !first) return '';
  if (others.length > 0)
    return l10n.t('known to be in {0} of {1} chats', formatCount(count), formatCount(others.length + 1));
  return first.kind === 'group' ? l10n.t('in this group') : l10n.t('has talked with this person');
}
