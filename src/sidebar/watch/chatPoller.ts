/** One watched chat: what was seen of it, what the last look found, and when the next one is due. */

import type { Mark } from '../../platform/store.ts';
import type { Listed } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { isLater, NOTHING, newestMark, type Unread, unreadOf } from './unread.ts';
import type { Watched } from './watchStore.ts';

const MINUTE = 60_000;
/** Minutes from a look to the next, after so many failures in a row; the last holds for all beyond. */
const WAITS = [1, 1, 2, 4, 8, 15] as const;

const NO_NEWS: Unread = { unread: 0, more: false };

export class ChatPoller {
  readonly chat: Chat;
  readonly botId: string;
  readonly #abort = new AbortController();
  #seen: Mark | undefined;
  #heard: Mark | undefined;
  /** What came after it was not told yet. */
  #untold: Mark | undefined;
  #page: readonly Listed[] = [];
  #unread = NO_NEWS;
  #failures = 0;
  #error: unknown;
  #due = Number.NEGATIVE_INFINITY;
  /** The look that is under way or waits for its turn. */
  look: { readonly turn: string; readonly done: Promise<void> } | undefined;
  /** The person waits for that look. */
  isAsked = false;

  constructor({ type, id, botId, seen, heard }: Watched) {
    this.chat = { type, id };
    this.botId = botId;
    this.#seen = seen;
    this.#heard = heard;
  }

  /** As it is stored. */
  get watched(): Watched {
    return { ...this.chat, botId: this.botId, seen: this.#seen, heard: this.#heard };
  }

  get unread(): Unread {
    return this.#unread;
  }

  /** Why the last look failed; undefined where it did not. */
  get error(): unknown {
    return this.#error;
  }

  /** When the next look is due, in the milliseconds of the clock. */
  get due(): number {
    return this.#due;
  }

  /** Aborted when the chat is not watched any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(): void {
    this.#abort.abort();
  }

  /** The person saw the chat up to this message. True where that is news. */
  see(mark: Mark): boolean {
    if (this.#seen && !isLater(mark, this.#seen, this.#page)) return false;
    this.#seen = mark;
    this.#unread = NO_NEWS;
    this.#count();
    return true;
  }

  /** Takes over what another window stored. */
  adopt({ seen, heard }: Watched): void {
    if (seen) this.see(seen);
    if (heard) this.#hear(heard);
  }

  /** A look that began `at` this time found this page. True where what is stored of the chat has become another. */
  arrived(page: readonly Listed[], at: number): boolean {
    this.#page = page;
    this.#failures = 0;
    this.#error = undefined;
    this.#setDue(at);
    const newest = newestMark(page) ?? (page.length === 0 ? NOTHING : undefined);
    // What is there at the first look is no news.
    const isFirst = !this.#seen && newest !== undefined && this.see(newest);
    this.#count();
    this.#untold ??= this.#heard ?? this.#seen;
    const isHeard = newest !== undefined && this.#hear(newest);
    return isFirst || isHeard;
  }

  failed(error: unknown, now: number): void {
    this.#failures++;
    this.#error = error;
    this.#setDue(now);
  }

  /** After a failure: the next look is due now. */
  retry(now: number): void {
    if (this.#failures > 0) this.#due = now;
  }

  /** How many messages came that were neither told by this nor seen; they count as told from now on. */
  takeNews(): number {
    const [untold, seen] = [this.#untold, this.#seen];
    this.#untold = undefined;
    if (!untold || !seen) return 0;
    return unreadOf(this.#page, isLater(seen, untold, this.#page) ? seen : untold, this.botId).unread;
  }

  #hear(mark: Mark): boolean {
    if (this.#heard && !isLater(mark, this.#heard, this.#page)) return false;
    this.#heard = mark;
    return true;
  }

  #count(): void {
    if (!this.#seen) return;
    const { unread, more } = unreadOf(this.#page, this.#seen, this.botId);
    // What was counted and lies before the page now is still unread.
    this.#unread = { unread: more ? Math.max(unread, this.#unread.unread) : unread, more };
  }

  #setDue(now: number): void {
    this.#due = now + (WAITS[this.#failures] ?? 15) * MINUTE;
  }
}
