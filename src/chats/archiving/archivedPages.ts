/** Keeps the pages of archived chats that are read anyway, and reads the archive for other features, which don't know its numbers. */
import type { ReadPage } from '../../platform/chatEvents.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { FoundParts } from '../../protocol/search.ts';
import type { Page } from '../../service/client.ts';
import { systemClock } from '../../service/clock.ts';
import { type Listed, oldestFirst } from '../../service/message.ts';
import { anchoredPage, withoutDuplicates } from '../../service/messagePages.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { jsonsOf } from '../archive/archiver.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';
import { parseListed, partsOf } from '../archive/messageTable.ts';
import type { ArchivedPage, FirstSince } from '../archive/pageReader.ts';
import type { Cursor, SearchRequest } from '../archive/search.ts';
import type { ArchiveQuery, MessageArchive, MessageSearch, SearchHit } from '../contract.ts';
import type { ArchiveThread } from './archiveThread.ts';

type Thread = Pick<ArchiveThread, 'archive' | 'exists'>;

export class ArchivedPages implements MessageArchive {
  readonly #thread: Thread;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Keeps a page if its chat is archived. Resolves to the number of new messages. Rejects as the archive does. */
  async keep({ chat: botChat, page, entries }: ReadPage): Promise<number> {
    const { archive } = this.#thread;
    const ordered = inOrder(page, entries);
    if (!ordered || ordered.length === 0 || !(await this.#thread.exists())) return 0;
    const at = systemClock.wall();
    const chat = await archive.numberOf(botChat);
    if (chat === undefined) return 0;
    const jsons = await jsonsOf(ordered);
    return 'latest' in page ? archive.addLatest(chat, jsons, at) : archive.addPage(chat, jsons);
  }

  async list(botChat: BotChat, page: Page): Promise<Listed[] | undefined> {
    if (!(await this.#thread.exists())) return undefined;
    const { archive } = this.#thread;
    const chat = await archive.numberOf(botChat);
    if (chat === undefined) return undefined;
    const { before = 0, after = 0 } = 'latest' in page ? {} : page;
    const found =
      'latest' in page
        ? await archive.latest(chat, page.latest)
        : await archive.around(chat, page.anchor, before, after);
    const entries: Listed[] = [];
    await new TimeSlices().each(found?.jsons ?? [], (json) => entries.push(parseListed(json)));
    return found && answers(page, entries, found) ? entries : undefined;
  }

  async firstSince(botChat: BotChat, time: number): Promise<FirstSince | undefined> {
    const chat = await this.chat(botChat);
    if (!chat || chat.openGaps + chat.lostGaps > 0 || time < (chat.since ?? -Infinity)) return undefined;
    return this.#thread.archive.firstSince(chat.number, time);
  }

  async beforeGap(botChat: BotChat, msgId: string): Promise<string | undefined> {
    const chat = await this.chat(botChat);
    return chat && this.#thread.archive.beforeGap(chat.number, msgId);
  }

  async checkedAt(botChat: BotChat): Promise<number | undefined> {
    return (await this.chat(botChat))?.checkedAt;
  }

  namesOf(botChat: BotChat): Promise<ArchivedChat | undefined> {
    return this.chat(botChat);
  }

  /** An archived chat; undefined if it isn't. */
  async chat(botChat: BotChat): Promise<ArchivedChat | undefined> {
    if (!(await this.#thread.exists())) return undefined;
    const { archive } = this.#thread;
    const number = await archive.numberOf(botChat);
    return (await archive.chats()).find((chat) => chat.number === number);
  }

  /** See {@link MessageSearch}. Rejects as the archive does. */
  async search(
    { text, includes, senderId, since, until }: ArchiveQuery,
    limit: number,
    signal: AbortSignal,
    after?: number,
  ): ReturnType<MessageSearch['search']> {
    const { archive } = this.#thread;
    const chats = (await this.#thread.exists())
      ? (await archive.chats()).filter(({ botChat }) => includes(botChat))
      : [];
    const senders = senderId === undefined || chats.length === 0 ? undefined : await sendersWithId(archive, senderId);
    const byNumber = new Map(chats.map((chat) => [chat.number, chat.botChat]));
    // A space ends the last word, which would find longer words, too: it isn't being typed.
    const request: SearchRequest = {
      text: `${text} `,
      chats: [...byNumber.keys()],
      senders,
      since,
      until,
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
    // Without an index, a search takes several steps.
    do {
      signal.throwIfAborted();
      const page = await archive.search(request, Math.max(limit - hits.length, 1), cursor);
      for (const { id, chat, msgId, sender, senderName, time, parts } of page.found) {
        const botChat = byNumber.get(chat);
        if (!botChat) continue;
        // A message whose ID was sought comes before all others, on the first page only.
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
}

/** The entries, oldest first; undefined if the page lacks its anchor, so that its order isn't known. */
function inOrder(page: Page, entries: readonly Listed[]): Listed[] | undefined {
  if ('latest' in page) return withoutDuplicates(oldestFirst(entries));
  const { before = 0, after = 0 } = page;
  const side = after === 0 ? ('older' as const) : before === 0 ? ('newer' as const) : undefined;
  return anchoredPage(entries, page.anchor, side)?.entries;
}

/**
 * Whether entries, newest first, answer as the service would. A page with nothing new says that the chat ends there, and so
 * does one with fewer of the latest messages than were asked for. Only the beginning of a chat is known to be an end.
 */
function answers(page: Page, entries: readonly Listed[], { older }: ArchivedPage): boolean {
  if ('latest' in page) return entries.length === page.latest || (entries.length > 0 && older === 'end');
  const { anchor, before = 0, after = 0 } = page;
  const at = entries.findIndex((entry) => entry.readable && entry.message.msgId === anchor);
  // The stored entry of the anchor may be damaged.
  if (at < 0) return false;
  const hasMore = (side: readonly Listed[]) => side.some(({ readable }) => readable);
  if (before > 0 && after > 0) return true;
  return before > 0 ? older === 'end' || hasMore(entries.slice(at + 1)) : hasMore(entries.slice(0, at));
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
