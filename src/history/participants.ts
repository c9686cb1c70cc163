/** The chat, the bot and the senders of a history, as the page displays them. */
import type { Service } from '../platform/service.ts';
import { displayName, summaryOf } from '../presentation/describe.ts';
import { errorText } from '../presentation/errorText.ts';
import { cardFactsOf } from '../presentation/facts.ts';
import type { BotChat } from '../protocol/botChat.ts';
import type { Profile } from '../protocol/history.ts';
import type { Found, Kind, Reference } from '../service/model.ts';
import type { TimelineItem } from './timeline.ts';

/** Rejects if the chat's service is not connected. */
type OpenService = () => Promise<Service>;

/**
 * The name and summary of a chat, and the name of its bot. Falls back to IDs if a lookup fails: the error shows at the
 * ends of the messages.
 */
export async function headingOf(open: OpenService, { type, id, botId }: BotChat) {
  const named = async (kind: Kind, of: string) => {
    try {
      const found = await (await open()).directory.get(kind, of);
      return { name: displayName(found), summary: summaryOf(found) };
    } catch {
      return { name: of, summary: '' };
    }
  };
  const [chat, bot] = await Promise.all([named(type, id), named('bot', botId)]);
  return { ...chat, readAs: bot.name };
}

/** The profile of a sender, or why it is not known. */
export async function profileOf(open: OpenService, kind: 'bot' | 'user', id: string): Promise<Profile> {
  try {
    const found: Found = await (await open()).directory.get(kind, id);
    const facts = cardFactsOf(found).map(({ label, value }) => ({ label, value }));
    return { id, name: displayName(found), trouble: '', facts };
  } catch (error) {
    return { id, name: id, trouble: errorText(error), facts: [] };
  }
}

/** The chat, its bot and the senders of these items. */
export function participantsOf({ type, id, botId }: BotChat, items: readonly TimelineItem[]): Reference[] {
  const senders = items.flatMap((item): Reference[] => {
    if (item.type !== 'entry' || !item.entry.readable) return [];
    const { senderId, senderType } = item.entry.message;
    return senderType === 'user' || senderType === 'bot' ? [{ kind: senderType, id: senderId }] : [];
  });
  return [{ kind: type, id }, { kind: 'bot', id: botId }, ...senders];
}
