/** Searches the archive for other features, which don't know its numbers. */

import type { FoundParts } from '../../../protocol/search.ts';
import { partsOf } from '../../archive/messageTable.ts';
import type { Cursor, SearchRequest } from '../../archive/search.ts';
import type { ArchiveQuery, MessageSearch, SearchHit } from '../../contract.ts';
import type { ArchiveThread } from '../archiveThread.ts';

/** See {@link MessageSearch}. Rejects as the archive does. */
export async function searchMessages(
  thread: Pick<ArchiveThread, 'archive' | 'exists'>,
  { text, includes, senderId, since, until }: ArchiveQuery,
  limit: number,
  signal: AbortSignal,
  after?: number,
): ReturnType<MessageSearch['search']> {
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
  const searched = chats.map(({ botChat, since, checkedAt, openGaps, lostGaps }) => ({
    botChat,
    since,
    checkedAt,
    isIncomplete: openGaps + lostGaps > 0,
  }));
  if (chats.length === 0 || senders?.length === 0) return { hits: [], next: undefined, chats: searched };
  const hits: SearchHit[] = [];
  let cursor: Cursor | undefined = after === undefined ? undefined : { below: after };
  // Without an index, it takes several steps.
  do {
    signal.throwIfAborted();
    const page = await archive.search(request, Math.max(limit - hits.length, 1), cursor);
    for (const { id, chat, msgId, sender, senderName, time, parts } of page.found) {
      const botChat = byNumber.get(chat);
      if (!botChat) continue;
      // A message whose ID was searched for is before all others, and only on the first page.
      const isFirst = after === undefined && msgId === text.trim();
      const position = isFirst ? Number.MAX_SAFE_INTEGER : id;
      hits.push({ position, botChat, msgId, senderId: partsOf(sender).id, senderName, time, text: lineOf(parts) });
    }
    cursor = page.next;
  } while (cursor && hits.length < limit);
  const found = hits.slice(0, limit);
  const next = found.length < hits.length ? found.at(-1)?.position : cursor?.below;
  return { hits: found, next, chats: searched };
}

/** The excerpts of a message on one line. */
function lineOf({ said, buttons, author, quoted }: FoundParts): string {
  const texts = [said, ...buttons, author, quoted].map(
    ({ text, isCutBefore, isCutAfter }) => `${isCutBefore ? '…' : ''}${text}${isCutAfter ? '…' : ''}`,
  );
  return texts.filter(Boolean).join(' · ');
}

/** The keys of all senders with an ID: a bot and a person may have the same one. */
async function sendersWithId(archive: ArchiveThread['archive'], id: string): Promise<string[]> {
  const { senders } = await archive.filters();
  return senders.map(({ sender }) => sender).filter((sender) => partsOf(sender).id === id);
}
