/** Polls the watched chats of one service for new messages: see {@link ServiceWatcher}. */
import type { Mark } from '../../platform/store.ts';
import type { Clock } from '../../service/clock.ts';
import type { Listed } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { TaskQueue } from '../../service/taskQueue.ts';
import { ChatPoller } from './chatPoller.ts';
import type { UnreadCount } from './unread.ts';
import { WatchList, type WatchState } from './watchList.ts';
import type { WatchStorage } from './watchStore.ts';

/** The number of messages in a chat that are neither announced nor seen. */
export interface NewMessages {
  readonly chat: Chat;
  readonly count: number;
}

/** A watched chat and its state. */
export interface WatchedChat {
  readonly chat: Chat;
  readonly state: WatchState;
}

/** What the watcher needs from the service and the window. */
export interface WatchContext extends WatchStorage {
  /** The newest page of a chat, of `NEWEST_PAGE_SIZE` messages, as a bot reads it. */
  readNewest(chat: Chat, botId: string, signal: AbortSignal): Promise<readonly Listed[]>;
  /** Whether the window has the focus. */
  isActive(): boolean;
  /** A predicate for the chats that are in the sidebar now. Others are neither polled nor counted. */
  listed(): (chat: Chat) => boolean;
  readonly clock: Clock;
}

export interface WatchListener {
  /** The state of a chat has changed, and perhaps the total. */
  chatChanged(chat: Chat): void;
  /** Messages have arrived. Called once for all chats that were polled together. */
  newMessages(arrived: readonly NewMessages[]): void;
}

const MAX_IN_FLIGHT = 2;

/**
 * Polls each watched chat once a minute while the window has the focus, and less often while polls fail. No method
 * rejects: an error is part of the state of its chat.
 */
export class ServiceWatcher {
  readonly #context: WatchContext;
  readonly #listener: WatchListener;
  readonly #list: WatchList;
  readonly #queue = new TaskQueue(MAX_IN_FLIGHT, (run) => queueMicrotask(run));
  #sleep: AbortController | undefined;
  #taskCount = 0;
  #isDisposed = false;

  /** Makes no request before {@link wake}. */
  constructor(context: WatchContext, listener: WatchListener) {
    this.#context = context;
    this.#listener = listener;
    this.#list = new WatchList(context, (chat) => listener.chatChanged(chat));
  }

  /** The state of a chat; undefined if it isn't watched. */
  state(chat: Chat): WatchState | undefined {
    return this.#list.state(chat);
  }

  /** All watched chats. Makes no request. */
  watched(): WatchedChat[] {
    const isListed = this.#context.listed();
    return this.#list.pollers.flatMap(({ chat }) => {
      const state = this.#list.state(chat);
      return state && isListed(chat) ? [{ chat, state }] : [];
    });
  }

  /** The unread messages of all watched chats. */
  total(): UnreadCount {
    const all = this.watched().map(({ state }) => state);
    return { unread: all.reduce((sum, { unread }) => sum + unread, 0), more: all.some(({ more }) => more) };
  }

  /** Starts watching a chat as this bot reads it. Resolves after the first poll, which may have failed. */
  async watch({ kind, id }: Chat, botId: string): Promise<void> {
    this.#list.sync();
    if (this.#isDisposed) return;
    const chat: Chat = { kind, id };
    const isNew = this.#list.get(chat)?.botId !== botId;
    const saved = isNew ? this.#list.change(chat, new ChatPoller({ ...chat, botId })) : undefined;
    await Promise.all([saved, this.poll(chat)]);
  }

  /** Stops watching a chat. */
  async unwatch(chat: Chat): Promise<void> {
    this.#list.sync();
    const poller = this.#list.get(chat);
    if (!poller) return;
    const saved = this.#list.change(poller.chat, undefined);
    this.#schedule();
    await saved;
  }

  /** The user has seen a chat up to this message. Ignored if a later one was seen before. */
  async markSeen(chat: Chat, newest: Mark): Promise<void> {
    this.#list.sync();
    const poller = this.#list.get(chat);
    if (poller?.markSeen(newest)) await this.#list.change(poller.chat, poller);
  }

  /** Polls a watched chat now, even if it isn't due. Resolves when that is done. */
  async poll(chat: Chat): Promise<void> {
    const poller = this.#list.get(chat);
    if (!poller) return;
    poller.isRequested = true;
    if (poller.pending) this.#queue.prioritize(poller.pending.taskId);
    await this.#poll(poller);
    this.#announce([poller]);
    this.#schedule();
  }

  /**
   * Polls the chats that are due. Call it when the window gets or loses the focus or the stored entries have changed.
   * With `retry`, for example after a token has changed, chats whose last poll failed are due.
   */
  wake({ retry = false } = {}): void {
    if (retry) for (const poller of this.#list.pollers) poller.retry(this.#context.clock.now());
    this.#schedule();
  }

  /** Cancels all polls. The listener isn't called afterwards. */
  dispose(): void {
    this.#isDisposed = true;
    this.#sleep?.abort();
    this.#list.dispose();
  }

  /** Polls the chats that are due, and sleeps until another one is. */
  #schedule(): void {
    this.#list.sync();
    this.#sleep?.abort();
    if (this.#list.pollers.length === 0 || !this.#context.isActive()) return;
    const isListed = this.#context.listed();
    const idle = this.#list.pollers.filter(({ pending, chat }) => !pending && isListed(chat));
    const now = this.#context.clock.now();
    const due = idle.filter((poller) => poller.due <= now);
    const others = idle.filter((poller) => poller.due > now);
    if (others.length > 0) void this.#sleepFor(Math.min(...others.map((poller) => poller.due)) - now);
    if (due.length > 0) void this.#pollAll(due.sort((one, other) => one.due - other.due));
  }

  async #sleepFor(ms: number): Promise<void> {
    this.#sleep = new AbortController();
    try {
      await this.#context.clock.sleep(ms, this.#sleep.signal);
    } catch {
      return;
    }
    this.#schedule();
  }

  async #pollAll(due: readonly ChatPoller[]): Promise<void> {
    await Promise.all(due.map((poller) => this.#poll(poller)));
    this.#announce(due);
    void this.#list.retrySave();
    this.#schedule();
  }

  /** Joins the pending poll of a chat, or queues one. */
  #poll(poller: ChatPoller): Promise<void> {
    // Not the chat's key: a chat may be watched again while an earlier poll is still queued.
    const taskId = `${this.#taskCount++}`;
    // Chats that are polled together become due together.
    const at = this.#context.clock.now();
    poller.pending ??= {
      taskId,
      done: this.#queue.add(taskId, () =>
        this.#read(poller, at).finally(() => {
          poller.pending = undefined;
          poller.isRequested = false;
        }),
      ),
    };
    return poller.pending.done;
  }

  async #read(poller: ChatPoller, at: number): Promise<void> {
    const { chat, botId, signal } = poller;
    this.#list.sync();
    // The window may have lost the focus since the poll was queued.
    if (signal.aborted || !(poller.isRequested || this.#context.isActive())) return;
    let page: readonly Listed[] | undefined;
    let failure: unknown;
    try {
      page = await this.#context.readNewest(chat, botId, signal);
    } catch (error) {
      failure = error;
    }
    // Another window may have stopped watching the chat or set its first mark.
    this.#list.sync();
    if (signal.aborted) return;
    if (!page) poller.handleError(failure, this.#context.clock.now());
    else if (poller.handlePage(page, at)) void this.#list.change(chat, poller);
    this.#list.notifyIfChanged(chat);
  }

  #announce(pollers: readonly ChatPoller[]): void {
    const arrived = pollers
      .filter(({ signal }) => !signal.aborted)
      .map((poller) => ({ chat: poller.chat, count: poller.takeNewCount() }))
      .filter(({ count }) => count > 0);
    if (arrived.length > 0) this.#listener.newMessages(arrived);
  }
}
