/** Polls the watched chats of the service in use, and reports their new messages: see {@link Watcher}. */
import type { SentMessages } from '../../platform/chatEvents.ts';
import type { Service } from '../../platform/service.ts';
import type { Mark } from '../../platform/store.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { Timer } from '../../service/clock.ts';
import type { Chat } from '../../service/model.ts';
import { TaskQueue } from '../../service/taskQueue.ts';
import type { ChatWatch, WatchEntry } from './chatWatch.ts';
import { LARGE_PAGE_SIZE, NEWEST_PAGE_SIZE, type UnreadCount } from './unread.ts';
import type { WatchContext, WatchListener } from './watchContext.ts';
import { WatchList, type WatchState } from './watchList.ts';

/** A watched chat and its state. */
export interface WatchedChat {
  readonly chat: Chat;
  readonly state: WatchState;
}

/** A chat to watch, as this bot reads it. */
interface WatchRequest {
  readonly chat: Chat;
  readonly botId: string;
  /** What was known of the chat when watching stopped, if that is undone: what was unread still is. */
  readonly before?: WatchEntry | undefined;
}

const MAX_IN_FLIGHT = 2;
const MINUTE = 60_000;
/** Minutes between polls by the number of failures in a row. The last one applies to all further failures. */
const INTERVALS = [1, 1, 2, 4, 8, 15] as const;

/**
 * Polls each watched chat once a minute while the window has the focus, and less often while polls fail, which is part
 * of the state of their chat.
 */
export class Watcher {
  readonly #context: WatchContext;
  readonly #listener: WatchListener;
  readonly #queue = new TaskQueue(MAX_IN_FLIGHT, (run) => queueMicrotask(run));
  /** The service in use and what is watched in it; undefined until it's opened. */
  #current: { readonly service: Service; readonly list: WatchList } | undefined;
  readonly #nextDue: Timer;
  #serviceChanges = 0;
  #taskCount = 0;
  #isDisposed = false;

  constructor(context: WatchContext, listener: WatchListener) {
    this.#context = context;
    this.#listener = listener;
    this.#nextDue = new Timer(() => this.#schedule(), context.clock);
  }

  /** Starts polling the watched chats of the service in use. Can be called repeatedly. */
  async start(): Promise<void> {
    // The tree shows why a service can't be opened.
    await this.#open().catch(() => {});
    this.wake();
  }

  /** The service has changed. */
  async restart(): Promise<void> {
    this.#serviceChanges++;
    this.#close();
    await this.start();
  }

  /** Uses this service. Makes no request before {@link wake}. */
  use(service: Service): void {
    this.#close();
    const list = new WatchList(this.#context.storage(service), (chat) => this.#listener.chatChanged(chat));
    this.#current = { service, list };
  }

  /** The state of a chat; undefined if it isn't watched. */
  state(chat: Chat): WatchState | undefined {
    return this.#current?.list.state(chat);
  }

  /** The watched chats of a service; none if another service is in use meanwhile. Makes no request. */
  async watched(service: Service): Promise<WatchedChat[]> {
    return (await this.#open()) === service ? this.#watched() : [];
  }

  /** The service whose chats are watched; undefined until it's opened. */
  get service(): Service | undefined {
    return this.#current?.service;
  }

  /** The watched chats that are in the sidebar, with what is known of each. Makes no request. */
  get watches(): readonly ChatWatch[] {
    if (!this.#current) return [];
    const isListed = this.#context.listed(this.#current.service);
    return this.#current.list.all.filter(({ chat }) => isListed(chat));
  }

  /** What is known of a watched chat, whether it's in the sidebar or not. */
  get(chat: Chat): ChatWatch | undefined {
    return this.#current?.list.get(chat);
  }

  /** The unread messages of all watched chats. */
  total(): UnreadCount {
    const all = this.#watched().map(({ state }) => state);
    return { unread: all.reduce((sum, { unread }) => sum + unread, 0), more: all.some(({ more }) => more) };
  }

  /**
   * Starts watching chats of a service. Resolves after their first polls, which may have failed. Does nothing if another
   * service is in use meanwhile.
   */
  async watch(service: Service, chats: readonly WatchRequest[]): Promise<void> {
    if ((await this.#open()) !== service) return;
    const started = this.#current?.list.start(chats.map(({ chat, botId, before }) => ({ ...before, ...chat, botId })));
    await Promise.all([started, ...chats.map(({ chat }) => this.poll(chat))]);
  }

  /** Stops watching chats. */
  async unwatch(...chats: readonly Chat[]): Promise<void> {
    await this.#open();
    const stopped = this.#current?.list.stop(chats);
    this.#schedule();
    await stopped;
  }

  /** The user has seen chats, each as a bot reads it, up to these messages. */
  async markSeen(marks: readonly (readonly [BotChat, Mark])[]): Promise<void> {
    const seen = marks.flatMap(([{ service, kind, id, botId }, mark]) => {
      const chat: Chat = { kind, id };
      // A group is the same for all bots, but a user has a separate conversation with each.
      const isSame = kind === 'group' || this.state(chat)?.botId === botId;
      return isSame && this.#current?.service.address === service ? [[chat, mark] as const] : [];
    });
    await this.#current?.list.markSeen(seen);
  }

  /** The outbox has sent these messages, as any bot: they're no news. */
  async markSent({ service, messages }: SentMessages): Promise<void> {
    if (this.#current?.service.address === service) await this.#current.list.markSent(messages);
  }

  /** Polls a watched chat now, even if it isn't due. Resolves when that is done. */
  async poll(chat: Chat): Promise<void> {
    const watch = this.#current?.list.get(chat);
    if (!watch) return;
    const { polling } = watch;
    polling.isRequested = true;
    if (polling.pending) this.#queue.prioritize(polling.pending.taskId);
    await this.#poll(watch);
    this.#report([watch]);
    this.#schedule();
  }

  /**
   * Polls the chats that are due. Call it when the window gets or loses the focus or the stored entries have changed.
   * With `retry`, for example after a token has changed, chats whose last poll failed are due.
   */
  wake({ retry = false } = {}): void {
    const failed = retry ? this.#current?.list.all.filter(({ polling }) => polling.failures > 0) : [];
    for (const { polling } of failed ?? []) polling.due = this.#context.clock.now();
    this.#schedule();
  }

  /** Cancels all polls. The listener isn't called afterwards. */
  dispose(): void {
    this.#isDisposed = true;
    this.#close();
  }

  /** The service in use; undefined if that changes meanwhile. */
  async #open(): Promise<Service | undefined> {
    const changes = this.#serviceChanges;
    const service = await this.#context.open();
    if (this.#isDisposed || changes !== this.#serviceChanges) return undefined;
    if (!this.#current) this.use(service);
    return this.#current?.service;
  }

  #close(): void {
    this.#nextDue.stop();
    this.#current?.list.dispose();
    this.#current = undefined;
  }

  #watched(): WatchedChat[] {
    return this.watches.flatMap(({ chat }) => {
      const state = this.state(chat);
      return state ? [{ chat, state }] : [];
    });
  }

  /** Polls the chats that are due, and waits until another one is. */
  #schedule(): void {
    this.#current?.list.sync();
    // The timer is set after the listeners, because they may call back.
    this.#nextDue.stop();
    if (!this.#current || !this.#context.isActive()) return;
    const isListed = this.#context.listed(this.#current.service);
    const idle = this.#current.list.all.filter(({ chat, polling }) => !polling.pending && isListed(chat));
    const now = this.#context.clock.now();
    const dueAt = ({ polling }: ChatWatch) => polling.due;
    const due = idle.filter((watch) => dueAt(watch) <= now);
    const others = idle.filter((watch) => dueAt(watch) > now);
    if (others.length > 0) this.#nextDue.start(Math.min(...others.map(dueAt)) - now);
    if (due.length > 0) void this.#pollAll(due.sort((one, other) => dueAt(one) - dueAt(other)));
  }

  async #pollAll(due: readonly ChatWatch[]): Promise<void> {
    await Promise.all(due.map((watch) => this.#poll(watch)));
    this.#report(due);
    void this.#current?.list.retrySave();
    this.#schedule();
  }

  /** Joins the pending poll of a chat, or queues one. Never rejects. */
  #poll(watch: ChatWatch): Promise<void> {
    const { polling } = watch;
    // The ID isn't the chat's key: a chat may be watched again while an earlier poll is still queued.
    const taskId = `${this.#taskCount++}`;
    // Chats that are polled together become due together.
    const at = this.#context.clock.now();
    polling.pending ??= {
      taskId,
      done: this.#queue.add(taskId, () =>
        this.#read(watch, at).finally(() => {
          polling.pending = undefined;
          polling.isRequested = false;
        }),
      ),
    };
    return polling.pending.done;
  }

  async #read(watch: ChatWatch, at: number): Promise<void> {
    this.#current?.list.sync();
    const { chat, botId, polling, signal } = watch;
    // The window may have lost the focus since the poll was queued.
    const mayRead = () => !signal.aborted && (polling.isRequested || this.#context.isActive());
    if (!this.#current || !mayRead()) return;
    const { service, list } = this.#current;
    const read = (count: number) =>
      this.#context.readNewest({ service: service.address, ...chat, botId }, signal, count).then(
        (page) => ({ page }),
        (error: unknown) => ({ error }),
      );
    const result = await read(NEWEST_PAGE_SIZE);
    polling.failures = 'error' in result ? polling.failures + 1 : 0;
    const from = 'error' in result ? this.#context.clock.now() : at;
    polling.due = from + (INTERVALS[polling.failures] ?? 15) * MINUTE;
    list.handlePoll(watch, result);
    if ('error' in result || !mayRead() || !watch.startLookingBack()) return;
    const larger = await read(LARGE_PAGE_SIZE);
    watch.endLookingBack('page' in larger);
    // A service that lists fewer at once may refuse this. The poll itself has succeeded.
    if ('page' in larger) list.handlePoll(watch, larger);
  }

  #report(watches: readonly ChatWatch[]): void {
    const polled = watches.filter(({ signal }) => !signal.aborted);
    if (polled.length > 0) this.#listener.polled(polled);
    const arrived = polled
      .map((watch) => ({ chat: watch.chat, botId: watch.botId, messages: watch.takeNew() }))
      .filter(({ messages }) => messages.length > 0);
    // The chats that are still watched are of the service in use.
    if (arrived.length > 0 && this.#current) this.#listener.newMessages(this.#current.service, arrived);
  }
}
