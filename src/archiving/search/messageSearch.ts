/** Searches the archive for other features, which don't know its numbers. */
import { partsOf } from '../../archive/messageTable.ts';
import type { Cursor, SearchRequest } from '../../archive/search.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { ArchiveThread } from '../archiveThread.ts';

export interface MessageQuery {
  readonly text: string;
  /** Which of the archived chats are searched. */
  includes(chat: BotChat): boolean;
  readonly senderId?: string | undefined;
  /** From `since` on and before `until` (Unix ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

interface MessageHit {
  /** Where it ends: the next page begins after it. */
  readonly position: number;
  readonly botChat: BotChat;
  /** Undefined for a message that can't be read. */
  readonly msgId: string | undefined;
  readonly senderId: string;
  readonly senderName: string;
  /** Unix ms, if known. */
  readonly time: number | undefined;
  readonly text: string;
}

/**
 * The newest messages that a query finds, after a position if given. `next` is that of the next page; undefined at the
 * end. `chats` are those that were searched. Rejects as the archive does.
 */
export async function searchMessages(
  thread: Pick<ArchiveThread, 'archive' | 'exists'>,
  { text, includes, senderId, since, until }: MessageQuery,
  limit: number,
  after?: number,
) {
  const { archive } = thread;
  const chats = (await thread.exists()) ? (await archive.chats()).filter(({ botChat }) => includes(botChat)) : [];
  const senders = senderId === undefined || chats.length === 0 ? undefined : await sendersWithId(archive, senderId);
  const byNumber = new Map(chats.map((chat) => [chat.number, chat.botChat]));
  // A word at the very end would also find longer ones: this one isn't being typed.
  const request: SearchRequest = {
    text: `${text} `,
    chats: [...byNumber.keys()],
    ...{ senders, since, until },
    order: 'newest',
  };
  const searched = chats.map(({ botChat, checkedAt, openGaps, lostGaps }) => ({
    botChat,
    checkedAt,
    isIncomplete: openGaps + lostGaps > 0,
  }));
  if (chats.length === 0 || senders?.length === 0) return { hits: [], next: undefined, chats: searched };
  const hits: MessageHit[] = [];
  let cursor: Cursor | undefined = after === undefined ? undefined : { below: after };
  // Without an index, it takes several steps.
  do {
    const page = await archive.search(request, limit - hits.length, cursor);
    for (const { id, chat, msgId, sender, senderName, time, snippet } of page.found) {
      const botChat = byNumber.get(chat);
      if (!botChat) continue;
      const cut = `${snippet.isCutBefore ? '…' : ''}${snippet.text}${snippet.isCutAfter ? '…' : ''}`;
      hits.push({ position: id, botChat, msgId, senderId: partsOf(sender).id, senderName, time, text: cut });
    }
    cursor = page.next;
  } while (cursor && hits.length < limit);
  // A message whose ID was searched for comes first otherwise.
  hits.sort((one, other) => other.position - one.position);
  return { hits, next: cursor?.below, chats: searched };
}

/** The keys of all senders with an ID: a bot and a person may have the same one. */
async function sendersWithId(archive: ArchiveThread['archive'], id: string): Promise<string[]> {
  const { senders } = await archive.filters();
  return senders.map(({ sender }) => sender).filter((sender) => partsOf(sender).id === id);
}
