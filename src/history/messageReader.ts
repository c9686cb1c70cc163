/** Reads single pages of chats for other features, as a history would. */
import type { Host, MessageArchive } from '../platform/host.ts';
import { BotChatClient } from '../presentation/botChatClient.ts';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Listed } from '../service/message.ts';
import { HistorySource } from './historySource.ts';

type ReaderHost = Pick<Host, 'chatEvents' | 'connection' | 'tokens'> & { readonly archive: MessageArchive };

/**
 * Lists a page of a chat (contract 4.4), from the archive while the service can't be reached: `outage` says why. Rejects
 * as the client does.
 */
export async function readPage(
  botChat: BotChat,
  page: Page,
  signal: AbortSignal,
  host: ReaderHost,
): Promise<{ entries: Listed[]; outage?: unknown }> {
  let outage: unknown;
  const source = new HistorySource(botChat, new BotChatClient(botChat, host), host.archive, (error) => {
    outage = error;
  });
  const entries = await source.list(page, signal);
  return { entries, ...(outage !== undefined && { outage }) };
}
