/** One watched chat: its read mark, the newest page, the unread count, and when the next poll is due. */
import type { Mark } from '../../platform/store.ts';
import type { Listed } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { EMPTY_MARK, isLater, newestMark, type UnreadCount, unreadOf } from './unread.ts';
import type { WatchEntry } from './watchStore.ts';

const MINUTE = 60_000;
/** Minutes between polls by the number of failures in a row. The last one applies to all further failures. */
const INTERVALS = [1, 1, 2, 4, 8, 15] as const;

const NONE_UNREAD: UnreadCount = { unread: 0, more: false };

export class ChatPoller {
  readonly chat: Chat;
  readonly botId: string;
  readonly #abort = new AbortController();
  /** The newest message that the user has seen. */
  #seen: Mark | undefined;
  /** The newest message that any window has found. */
  #newest: Mark | undefined;
  /** The last message before those that aren't announced yet. */
  #announcedUpTo: Mark | undefined;
  #page: readonly Listed[] = [];
  #unread = NONE_UNREAD;
  #failures = 0;
  #error: unknown;
  #due = Number.NEGATIVE_INFINITY;
  /** The poll that is running or queued. */
  pending: { readonly taskId: string; readonly done: Promise<void> } | undefined;
  /** The user has requested the pending poll, so it runs even without the focus. */
  isRequested = false;

  constructor({ kind, id, botId, seen, heard }: WatchEntry) {
    this.chat = { kind, id };
    this.botId = botId;
    this.#seen = seen;
    this.#newest = heard;
  }

  /** The entry to store. */
  get entry(): WatchEntry {
    return { ...this.chat, botId: this.botId, seen: this.#seen, heard: this.#newest };
  }

  get unread(): UnreadCount {
    return this.#unread;
  }

  /** Why the last poll failed; undefined if it succeeded. */
  get error(): unknown {
    return this.#error;
  }

  /** When the next poll is due, in milliseconds of the clock. */
  get due(): number {
    return this.#due;
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

  /** Applies an entry that another window has saved. */
  merge({ seen, heard }: WatchEntry): void {
    if (seen) this.markSeen(seen);
    if (heard) this.#setNewest(heard);
  }

  /** Handles the page of a poll that started at this time. Returns whether the entry has changed. */
  handlePage(page: readonly Listed[], at: number): boolean {
    this.#page = page;
    this.#failures = 0;
    this.#error = undefined;
    this.#setDue(at);
    const newest = newestMark(page) ?? (page.length === 0 ? EMPTY_MARK : undefined);
    // The messages of the first poll count as seen.
    const isFirst = !this.#seen && newest !== undefined && this.markSeen(newest);
    this.#count();
    this.#announcedUpTo ??= this.#newest ?? this.#seen;
    const hasNewer = newest !== undefined && this.#setNewest(newest);
    return isFirst || hasNewer;
  }

  handleError(error: unknown, now: number): void {
    this.#failures++;
    this.#error = error;
    this.#setDue(now);
  }

  /** Makes the next poll due now if the last one failed. */
  retry(now: number): void {
    if (this.#failures > 0) this.#due = now;
  }

  /** The number of messages that are neither announced nor seen. They count as announced from now on. */
  takeNewCount(): number {
    const [announced, seen] = [this.#announcedUpTo, this.#seen];
    this.#announcedUpTo = undefined;
    if (!announced || !seen) return 0;
    return unreadOf(this.#page, isLater(seen, announced, this.#page) ? seen : announced, this.botId).unread;
  }

  #setNewest(mark: Mark): boolean {
    if (this.#newest && !isLater(mark, this.#newest, this.#page)) return false;
    this.#newest = mark;
    return true;
  }

  #count(): void {
    if (!this.#seen) return;
    const { unread, more } = unreadOf(this.#page, this.#seen, this.botId);
    // Messages that were counted before are still unread, even if they are older than the page.
    this.#unread = { unread: more ? Math.max(unread, this.#unread.unread) : unread, more };
  }

  #setDue(now: number): void {
    this.#due = now + (INTERVALS[this.#failures] ?? 15) * MINUTE;
  }
}
