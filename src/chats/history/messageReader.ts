/** Reads single pages of chats for other features, as a history would. */
import type { Host } from '../../platform/host.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import type { MessageArchive, MessageReader } from '../contract.ts';
import { HistorySource } from './historySource.ts';

type ReaderHost = Pick<Host, 'chatEvents' | 'connection' | 'tokens'> & { readonly archive: MessageArchive };

/** See {@link MessageReader}. */
export async function readPage(
  ...[chat, page, signal, host]: [...Parameters<MessageReader['read']>, ReaderHost]
): ReturnType<MessageReader['read']> {
  let outage: unknown;
  const source = new HistorySource(chat, new BotChatClient(chat, host), host.archive, (error) => {
    outage = error;
  });
  const entries = await source.list(page, signal);
  return { entries, ...(outage !== undefined && { outage }) };
}
