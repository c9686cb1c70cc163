/** The watched chats of the service in use. They are remembered over restarts. */
import { window } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import type { Mark } from '../../platform/store.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../../service/model.ts';
import { type NewMessages, ServiceWatcher, type WatchedChat } from './serviceWatcher.ts';
import { NEWEST_PAGE_SIZE, type UnreadCount } from './unread.ts';
import type { WatchState } from './watchList.ts';
import type { WatchEntry } from './watchStore.ts';

type WatcherHost = Pick<Host, 'chatEvents' | 'connection' | 'lists' | 'store' | 'tokens'>;

interface WatcherListener {
  /** The unread count or the error of a chat has changed. */
  chatChanged(chat: Chat): void;
  newMessages(service: Service, arrived: readonly NewMessages[]): void;
}

interface Current {
  readonly service: Service;
  readonly watcher: ServiceWatcher;
}

/** A chat to watch, as this bot reads it. */
export interface WatchRequest {
  readonly chat: Chat;
  readonly botId: string;
}

export class Watcher {
  readonly #host: WatcherHost;
  readonly #listener: WatcherListener;
  readonly #clock: Clock;
  #opening: Promise<Current> | undefined;
  #current: Current | undefined;
  #isDisposed = false;

  constructor(host: WatcherHost, listener: WatcherListener, clock: Clock = systemClock) {
    this.#host = host;
    this.#listener = listener;
    this.#clock = clock;
  }

  /** Starts polling the watched chats of the service in use. Can be called repeatedly. */
  async start(): Promise<void> {
    if ((await this.#host.connection.state()) === 'none' || this.#isDisposed) return;
    // The tree shows why a service can't be opened.
    const current = await this.#open().catch(() => undefined);
    current?.watcher.wake();
  }

  /** The service has changed. */
  async restart(): Promise<void> {
    this.#close();
    await this.start();
  }

  state(chat: Chat): WatchState | undefined {
    return this.#current?.watcher.state(chat);
  }

  /** The watched chats of a service; none if another service is in use meanwhile. Makes no request. */
  async watched(service: Service): Promise<WatchedChat[]> {
    const current = await this.#open();
    return current.service === service ? current.watcher.watched() : [];
  }

  total(): UnreadCount {
    return this.#current?.watcher.total() ?? { unread: 0, more: false };
  }

  /** Starts watching chats of a service. Does nothing if another service is in use meanwhile. */
  async watch(service: Service, chats: readonly WatchRequest[]): Promise<void> {
    const current = await this.#open();
    if (current.service !== service) return;
    await Promise.all(chats.map(({ chat, botId }) => current.watcher.watch(chat, botId)));
  }

  async unwatch(chat: Chat): Promise<void> {
    await (await this.#open()).watcher.unwatch(chat);
  }

  /** Polls a watched chat now. */
  async poll(chat: Chat): Promise<void> {
    if (this.state(chat)) await this.#current?.watcher.poll(chat);
  }

  /** The user has seen a chat of a service, as this bot reads it, up to this message. */
  async markSeen({ service, kind, id, botId }: BotChat, mark: Mark): Promise<void> {
    const chat: Chat = { kind, id };
    // A group is the same for all bots, but a user has a separate conversation with each.
    const isSame = kind === 'group' || this.state(chat)?.botId === botId;
    if (isSame && this.#current?.service.address === service) await this.#current.watcher.markSeen(chat, mark);
  }

  /** The window got or lost the focus; with `retry`, failed polls may succeed now. */
  wake(options?: { retry: boolean }): void {
    this.#current?.watcher.wake(options);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#close();
  }

  #close(): void {
    this.#current?.watcher.dispose();
    this.#current = undefined;
    this.#opening = undefined;
  }

  #open(): Promise<Current> {
    if (!this.#opening) {
      const opening = this.#host.connection
        .open()
        .then((service) => ({ service, watcher: this.#createWatcher(service) }));
      this.#opening = opening;
      opening.then(
        (current) => {
          // The service may have changed meanwhile.
          if (this.#opening === opening) this.#current = current;
          else current.watcher.dispose();
        },
        () => {
          if (this.#opening === opening) this.#opening = undefined;
        },
      );
    }
    return this.#opening;
  }

  #createWatcher(service: Service): ServiceWatcher {
    const { lists, store } = this.#host;
    const { address } = service;
    const context = {
      clock: this.#clock,
      isActive: () => window.state.focused,
      listed: () => {
        const keys = CHAT_KINDS.flatMap((kind) =>
          lists.read(kind, service).entries.map(({ id }) => chatKey({ kind, id })),
        );
        const listed = new Set(keys);
        return (chat: Chat) => listed.has(chatKey(chat));
      },
      readNewest: ({ kind, id }: Chat, botId: string, signal: AbortSignal) =>
        new BotChatClient({ service: address, kind, id, botId }, this.#host).list({ latest: NEWEST_PAGE_SIZE }, signal),
      load: () => store.get('watched').filter((entry) => entry.service === address),
      save: (entries: readonly WatchEntry[]) => {
        const others = store.get('watched').filter((entry) => entry.service !== address);
        return store.set('watched', [...others, ...entries.map((entry) => ({ service: address, ...entry }))]);
      },
    };
    return new ServiceWatcher(context, {
      chatChanged: (chat) => this.#listener.chatChanged(chat),
      newMessages: (arrived) => this.#listener.newMessages(service, arrived),
    });
  }
}
