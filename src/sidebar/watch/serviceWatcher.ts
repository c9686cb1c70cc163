/** Looks at the watched chats for new messages, gently: see {@link Watching}. */

import type { Mark } from '../../platform/store.ts';
import type { Clock } from '../../service/clock.ts';
import type { Listed } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { TaskQueue } from '../../service/taskQueue.ts';
import { ChatPoller } from './chatPoller.ts';
import type { Unread } from './unread.ts';
import { WatchList, type WatchState } from './watchList.ts';
import type { WatchMemory } from './watchStore.ts';

export type { WatchState } from './watchList.ts';

/** How many messages came to a chat that were neither told before nor seen. */
export interface News {
  readonly chat: Chat;
  readonly fresh: number;
}

export interface WatchNeeds extends WatchMemory {
  /** The newest page of a chat, of `PAGE` messages, as a bot reads it. */
  read(chat: Chat, botId: string, signal: AbortSignal): Promise<readonly Listed[]>;
  /** Whether the window has the focus. */
  isActive(): boolean;
  /** Tells which chats are in the sidebar now. Others have no row to stop it on: they are neither looked at nor counted. */
  listed(): (chat: Chat) => boolean;
  clock: Clock;
  /** The state of a chat, and with it perhaps the total, is another. */
  changed(chat: Chat): void;
  /** Messages came: told once for all chats that were looked at together. */
  news(arrived: readonly News[]): void;
}

/** How many looks are under way at once. */
const IN_FLIGHT = 2;

/**
 * While the window has the focus, each watched chat is looked at once a minute, and less and less often while that
 * fails. No method rejects: what goes wrong is in the state of the chat.
 */
export class Watching {
  readonly #needs: WatchNeeds;
  readonly #list: WatchList;
  readonly #lineup = new TaskQueue(IN_FLIGHT, queueMicrotask);
  #sleep: AbortController | undefined;
  #turns = 0;
  #isDisposed = false;

  /** Makes no request before {@link wake}. */
  constructor(needs: WatchNeeds) {
    this.#needs = needs;
    this.#list = new WatchList(needs, (chat) => needs.changed(chat));
  }

  /** Undefined where the chat is not watched. */
  state(chat: Chat): WatchState | undefined {
    return this.#list.state(chat);
  }

  /** Of all watched chats together. */
  total(): Unread {
    const isListed = this.#needs.listed();
    const all = this.#list.lookouts.filter(({ chat }) => isListed(chat)).map(({ unread }) => unread);
    return { unread: all.reduce((sum, { unread }) => sum + unread, 0), more: all.some(({ more }) => more) };
  }

  /** Watches a chat from now on, as this bot reads it. Resolves after the first look, which may have failed. */
  async watch({ type, id }: Chat, botId: string): Promise<void> {
    this.#list.sync();
    if (this.#isDisposed) return;
    const chat: Chat = { type, id };
    const isNew = this.#list.get(chat)?.botId !== botId;
    const saved = isNew ? this.#list.change(chat, new ChatPoller({ ...chat, botId })) : undefined;
    await Promise.all([saved, this.look(chat)]);
  }

  /** Watches a chat no longer. */
  async unwatch(chat: Chat): Promise<void> {
    this.#list.sync();
    const lookout = this.#list.get(chat);
    if (!lookout) return;
    const saved = this.#list.change(lookout.chat, undefined);
    this.#next();
    await saved;
  }

  /** The person has seen a chat up to this message. An older one than was seen before changes nothing. */
  async seen(chat: Chat, newest: Mark): Promise<void> {
    this.#list.sync();
    const lookout = this.#list.get(chat);
    if (lookout?.see(newest)) await this.#list.change(lookout.chat, lookout);
  }

  /** Looks at a watched chat now, whether or not it is due. Resolves when that is done. */
  async look(chat: Chat): Promise<void> {
    const lookout = this.#list.get(chat);
    if (!lookout) return;
    lookout.isAsked = true;
    if (lookout.look) this.#lineup.prioritize(lookout.look.turn);
    await this.#look(lookout);
    this.#tellNews([lookout]);
    this.#next();
  }

  /**
   * To be called when the window gets or loses the focus, or what is stored has changed: looks at the chats that are
   * due. With `retry` (a token has changed, say) those that failed are due.
   */
  wake({ retry = false } = {}): void {
    if (retry) for (const lookout of this.#list.lookouts) lookout.retry(this.#needs.clock.now());
    this.#next();
  }

  /** Cancels what is under way. Nothing is called back after it. */
  dispose(): void {
    this.#isDisposed = true;
    this.#sleep?.abort();
    this.#list.close();
  }

  /** Looks at the chats that are due, and sleeps until another one is. */
  #next(): void {
    this.#list.sync();
    this.#sleep?.abort();
    if (this.#list.lookouts.length === 0 || !this.#needs.isActive()) return;
    const isListed = this.#needs.listed();
    const idle = this.#list.lookouts.filter(({ look, chat }) => !look && isListed(chat));
    const now = this.#needs.clock.now();
    const [due = [], others = []] = [true, false].map((isDue) =>
      idle.filter((lookout) => lookout.due <= now === isDue),
    );
    if (others.length > 0) void this.#sleepFor(Math.min(...others.map((lookout) => lookout.due)) - now);
    if (due.length > 0) void this.#round(due.sort((one, other) => one.due - other.due));
  }

  async #sleepFor(ms: number): Promise<void> {
    this.#sleep = new AbortController();
    try {
      await this.#needs.clock.sleep(ms, this.#sleep.signal);
    } catch {
      return;
    }
    this.#next();
  }

  async #round(due: readonly ChatPoller[]): Promise<void> {
    await Promise.all(due.map((lookout) => this.#look(lookout)));
    this.#tellNews(due);
    void this.#list.saveAgain();
    this.#next();
  }

  /** Joins the look at a chat that is under way, or puts one in line. */
  #look(lookout: ChatPoller): Promise<void> {
    // A name of its own: a chat may be watched anew while its former look still waits.
    const turn = `${this.#turns++}`;
    // All looks of a round count from its beginning, so that the next one is theirs together again.
    const at = this.#needs.clock.now();
    lookout.look ??= {
      turn,
      done: this.#lineup.add(turn, () =>
        this.#read(lookout, at).finally(() => {
          lookout.look = undefined;
          lookout.isAsked = false;
        }),
      ),
    };
    return lookout.look.done;
  }

  async #read(lookout: ChatPoller, at: number): Promise<void> {
    const { chat, botId, signal } = lookout;
    this.#list.sync();
    // The focus may be gone since the look was put in line.
    if (signal.aborted || !(lookout.isAsked || this.#needs.isActive())) return;
    let page: readonly Listed[] | undefined;
    let failure: unknown;
    try {
      page = await this.#needs.read(chat, botId, signal);
    } catch (error) {
      failure = error;
    }
    // Another window may have unwatched it, or have set the first mark.
    this.#list.sync();
    if (signal.aborted) return;
    if (!page) lookout.failed(failure, this.#needs.clock.now());
    else if (lookout.arrived(page, at)) void this.#list.change(chat, lookout);
    this.#list.tell(chat);
  }

  #tellNews(lookouts: readonly ChatPoller[]): void {
    const watched = lookouts.filter(({ signal }) => !signal.aborted);
    const arrived = watched.map((lookout) => ({ chat: lookout.chat, fresh: lookout.takeNews() }));
    const news = arrived.filter(({ fresh }) => fresh > 0);
    if (news.length > 0) this.#needs.news(news);
  }
}
