/** Which bots are in chats, as far as that is known without a request. */
import { l10n } from 'vscode';
import type { Service } from '../platform/service.ts';
import type { Store } from '../platform/store.ts';
import { formatCount } from '../presentation/formats.ts';
import { attachedBot, type Chat, chatKey } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

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

/** What is said of a bot that is in this many of the chats; empty if it's in none. */
export function inChatsText(count: number, [first, ...others]: readonly Chat[]): string {
  if (count === 0 || !first) return '';
  if (others.length > 0) return l10n.t('in {0} of {1} chats', formatCount(count), formatCount(others.length + 1));
  return first.kind === 'group' ? l10n.t('in this group') : l10n.t('has talked with this person');
}
