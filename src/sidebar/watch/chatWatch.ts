/** What is known of one watched chat, from its newest page and from what all windows have found and seen. */
import type { Mark, WatchedChat } from '../../platform/store.ts';
import type { Listed, Message } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import {
  EMPTY_MARK,
  isDeleted,
  isLater,
  newerMessages,
  newestMark,
  sentMessages,
  type UnreadCount,
  unreadOf,
} from './unread.ts';

/** A watched chat of one service, as it's stored. */
export type WatchEntry = Readonly<Omit<WatchedChat, 'service'>>;

export const NONE_UNREAD: UnreadCount = { unread: 0, more: false };

/** How many messages of the bot itself, and of this outbox as other bots, are remembered in a chat. */
const MAX_SENT = 100;

/** When a chat is polled. */
interface Polling {
  /** When the next poll is due, in milliseconds of the clock. */
  due: number;
  /** The number of failures in a row. */
  failures: number;
  /** The poll that is running or queued. */
  pending?: { readonly taskId: string; readonly done: Promise<void> } | undefined;
  /** The user has requested the pending one, so it runs even without the focus. */
  isRequested: boolean;
}

/** One watched chat: what the user has seen of it, what any window has found in it, and its newest page. */
export class ChatWatch {
  readonly chat: Chat;
  readonly botId: string;
  /** Kept by the watcher. */
  readonly polling: Polling = { due: Number.NEGATIVE_INFINITY, failures: 0, isRequested: false };
  /** Why the last poll failed; undefined if it succeeded. */
  error: unknown;
  readonly #abort = new AbortController();
  /** The newest message that the user has seen. */
  #seen: Mark | undefined;
  /** The newest message that any window has found. */
  #newest: Mark | undefined;
  /** The last message before those that aren't announced yet. */
  #announcedUpTo: Mark | undefined;
  #page: readonly Listed[] = [];
  /** Whether this window has read the page. */
  #isRead = false;
  /** The IDs of the latest messages of the bot itself, and of those that this outbox sent as others. */
  #sent: readonly string[];
  #unread = NONE_UNREAD;
  /** When messages before the newest page were last needed: the newest one then, and whether they were read. */
  #lookedBack: { readonly msgId: string | undefined; readonly isRead: boolean } | undefined;

  constructor({ kind, id, botId, seen, heard, sent = [] }: WatchEntry) {
    this.chat = { kind, id };
    this.botId = botId;
    this.#seen = seen;
    this.#newest = heard;
    this.#sent = sent;
  }

  /** The entry to store. */
  get entry(): WatchEntry {
    const sent = this.#sent.length > 0 && { sent: [...this.#sent] };
    return { ...this.chat, botId: this.botId, seen: this.#seen, heard: this.#newest, ...sent };
  }

  get unread(): UnreadCount {
    return this.#unread;
  }

  /** The newest message that any window has found. */
  get newest(): Mark | undefined {
    return this.#newest;
  }

  /** The messages of the newest page that the user hasn't seen, oldest first and without the bot's own. */
  get unreadMessages(): readonly Listed[] {
    return this.#seen ? newerMessages(this.#page, this.#seen, this.botId, this.#sent) : [];
  }

  /** Whether a message that was found before isn't there any more. After a failed check, another window may know better. */
  isDeleted(mark: Mark): boolean {
    return this.#isRead && this.error === undefined && isDeleted(mark, this.#page);
  }

  /** Whether this outbox has sent a message, as any bot. */
  hasSent({ msgId }: Mark): boolean {
    return this.#sent.includes(msgId);
  }

  /** Whether the user has seen a message. Before the first poll, everything counts as seen. */
  hasSeen(mark: Mark): boolean {
    return !this.#seen || !isLater(mark, this.#seen, this.#page);
  }

  /** Whether a message replies to one that is known to be the bot's own, or this outbox's. */
  isReplyToBot({ parentId }: Message): boolean {
    return this.#sent.includes(parentId);
  }

  /** Aborted when the chat is no longer watched. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  dispose(): void {
    this.#abort.abort();
  }

  /** The user has seen the chat up to this message. Returns whether that changes the entry. */
  markSeen(mark: Mark): boolean {
    if (this.#seen && !isLater(mark, this.#seen, this.#page)) return false;
    this.#seen = mark;
    this.#unread = NONE_UNREAD;
    this.#count();
    return true;
  }

  /** This outbox has sent a message, as any bot. Returns whether that changes the entry. */
  markSent(msgId: string): boolean {
    const isNew = this.#remember([msgId, ...this.#sent]);
    if (isNew) this.#count();
    return isNew;
  }

  /** Applies an entry that another window has saved. */
  merge({ seen, heard, sent = [] }: WatchEntry): void {
    this.#remember([...sent, ...this.#sent]);
    if (seen) this.markSeen(seen);
    if (heard) this.#setNewest(heard);
  }

  /** Applies the newest page. Returns whether that changes the entry. */
  handlePage(page: readonly Listed[]): boolean {
    this.#page = page;
    this.#isRead = true;
    this.error = undefined;
    const newest = newestMark(page) ?? EMPTY_MARK;
    // The messages of the first poll count as seen.
    const isFirst = !this.#seen && this.markSeen(newest);
    this.#count();
    // The bot's own messages needn't be seen. Soon, they would fill the page.
    const isOwn = this.#unread.unread === 0 && !this.#unread.more && this.markSeen(newest);
    this.#announcedUpTo ??= this.#newest ?? this.#seen;
    const hasNewer = this.#setNewest(newest);
    const hasSent = this.#remember([...sentMessages(page, this.botId), ...this.#sent]);
    return isFirst || isOwn || hasNewer || hasSent;
  }

  /**
   * Whether messages before the newest page are needed: the bot itself has filled it, so that those of others may be before
   * it. Call {@link endLookingBack} once they are read or can't be; they are needed again only after a newer message.
   */
  startLookingBack(): boolean {
    const { unread, more } = this.#unread;
    const last = this.#lookedBack;
    const msgId = this.#newest?.msgId;
    if (unread > 0 || !more || (last && last.msgId === msgId)) return false;
    // All that has come since then is in the page.
    const isRead =
      last?.isRead === true && this.#page.some((entry) => entry.readable && entry.message.msgId === last.msgId);
    this.#lookedBack = { msgId, isRead };
    return !isRead;
  }

  endLookingBack(isRead: boolean): void {
    this.#lookedBack = { msgId: this.#lookedBack?.msgId, isRead };
  }

  /** The messages that are neither announced nor seen, oldest first. They count as announced from now on. */
  takeNew(): readonly Listed[] {
    const [announced, seen] = [this.#announcedUpTo, this.#seen];
    this.#announcedUpTo = undefined;
    if (!announced || !seen) return [];
    return newerMessages(this.#page, isLater(seen, announced, this.#page) ? seen : announced, this.botId, this.#sent);
  }

  #setNewest(mark: Mark): boolean {
    if (this.#newest && !isLater(mark, this.#newest, this.#page)) return false;
    this.#newest = mark;
    return true;
  }

  /** Remembers the first of these messages of the bot. Returns whether they are others than before. */
  #remember(sent: readonly string[]): boolean {
    const before = this.#sent;
    this.#sent = [...new Set(sent)].slice(0, MAX_SENT);
    return this.#sent.join() !== before.join();
  }

  #count(): void {
    if (!this.#seen) return;
    const { unread, more } = unreadOf(this.#page, this.#seen, this.botId, this.#sent);
    // Messages that were counted before are still unread, even if they are older than the page.
    this.#unread = { unread: more ? Math.max(unread, this.#unread.unread) : unread, more };
  }
}
