/** Whom a history is about, as the page is told. */

import type { Service } from '../platform/service.ts';
import { displayName, summaryOf } from '../presentation/describe.ts';
import { errorText } from '../presentation/errorText.ts';
import { cardFactsOf } from '../presentation/facts.ts';
import type { BotChat, Profile } from '../protocol/history.ts';
import type { Found, Kind } from '../service/model.ts';

/** Rejects where the service cannot be asked. */
type OpenService = () => Promise<Service>;

/**
 * The name of a chat, a few words beside it, and the name of who reads it. Where a lookup fails, IDs stand for names:
 * what is wrong is said where messages are missing.
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

/** Who somebody is, or why that is not known. */
export async function profileOf(open: OpenService, kind: 'bot' | 'user', id: string): Promise<Profile> {
  try {
    const found: Found = await (await open()).directory.get(kind, id);
    const facts = cardFactsOf(found).map(({ label, value }) => ({ label, value }));
    return { id, name: displayName(found), trouble: '', facts };
  } catch (error) {
    return { id, name: id, trouble: errorText(error), facts: [] };
  }
}
