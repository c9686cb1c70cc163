/** The watched chats of the service that is used now, kept over a restart. */
import { l10n, window } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import type { Mark } from '../../platform/store.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import type { BotChat } from '../../protocol/history.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { NEWEST_PAGE_SIZE } from './unread.ts';
import { Watching, type WatchState } from './serviceWatcher.ts';

type WatcherHost = Pick<Host, 'connection' | 'lists' | 'store' | 'tokens'>;

interface WatchListener {
  /** The count of a chat has changed, or the error that it shows. */
  changed(chat: Chat): void;
  /** Chats have new messages. */
  news(service: Service, arrived: readonly { chat: Chat; fresh: number }[]): void;
}

interface Current {
  readonly service: Service;
  readonly watching: Watching;
}

/** A chat that is to be watched, as this bot reads it. */
export interface Watch {
  readonly chat: Chat;
  readonly botId: string;
}

export class Watcher {
  readonly #host: WatcherHost;
  readonly #listener: WatchListener;
  readonly #clock: Clock;
  #opening: Promise<Current> | undefined;
  #current: Current | undefined;
  #isDisposed = false;

  constructor(host: WatcherHost, listener: WatchListener, clock: Clock = systemClock) {
    this.#host = host;
    this.#listener = listener;
    this.#clock = clock;
  }

  /** Watches what the person chose to, of the service that is used now. May be repeated. */
  async start(): Promise<void> {
    if ((await this.#host.connection.state()) === 'none' || this.#isDisposed) return;
    // An address that cannot be used is told of in place of the rows.
    const current = await this.#open().catch(() => undefined);
    current?.watching.wake();
  }

  /** Another service is used. */
  async restart(): Promise<void> {
    this.#close();
    await this.start();
  }

  state(chat: Chat): WatchState | undefined {
    return this.#current?.watching.state(chat);
  }

  total(): { unread: number; more: boolean } {
    return this.#current?.watching.total() ?? { unread: 0, more: false };
  }

  /** Watches chats of a service from now on. Nothing is done where another service is used meanwhile. */
  async watch(service: Service, chats: readonly Watch[]): Promise<void> {
    const current = await this.#open();
    if (current.service !== service) return;
    await Promise.all(chats.map(({ chat, botId }) => current.watching.watch(chat, botId)));
  }

  async unwatch(chat: Chat): Promise<void> {
    await (await this.#open()).watching.unwatch(chat);
  }

  /** Looks at a watched chat now. */
  async look(chat: Chat): Promise<void> {
    if (this.state(chat)) await this.#current?.watching.look(chat);
  }

  /** The person has seen a chat of a service, as this bot reads it, up to this message. */
  async seen({ service, type, id, botId }: BotChat, mark: Mark): Promise<void> {
    const chat: Chat = { type, id };
    // A group is the same for all who read it; with each bot a person has another conversation.
    const isSame = type === 'group' || this.state(chat)?.botId === botId;
    if (isSame && this.#current?.service.address === service) await this.#current.watching.seen(chat, mark);
  }

  /** The window got or lost the focus; with `retry` what failed before may succeed now. */
  wake(options?: { retry: boolean }): void {
    this.#current?.watching.wake(options);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#close();
  }

  #close(): void {
    this.#current?.watching.dispose();
    this.#current = undefined;
    this.#opening = undefined;
  }

  #open(): Promise<Current> {
    if (!this.#opening) {
      const opening = this.#host.connection
        .open()
        .then((service) => ({ service, watching: this.#watchingOf(service) }));
      this.#opening = opening;
      opening.then(
        (current) => {
          // Another service may be used meanwhile.
          if (this.#opening === opening) this.#current = current;
          else current.watching.dispose();
        },
        () => {
          if (this.#opening === opening) this.#opening = undefined;
        },
      );
    }
    return this.#opening;
  }

  #watchingOf(service: Service): Watching {
    const { lists, store, tokens } = this.#host;
    const { changed, news } = this.#listener;
    const { address } = service;
    return new Watching({
      read: async ({ type, id }, botId, signal) => {
        const token = await tokens.get(service, botId);
        if (!token) throw new UserFacingError(l10n.t('No token is saved for the bot {0}.', botId));
        return service.client.messages(token, { type, id }, { latest: NEWEST_PAGE_SIZE }, signal);
      },
      stored: () => store.get('watched').filter((one) => one.service === address),
      store: (watched) => {
        const others = store.get('watched').filter((one) => one.service !== address);
        return store.set('watched', [...others, ...watched.map((one) => ({ service: address, ...one }))]);
      },
      isActive: () => window.state.focused,
      listed: () => {
        const listed = (['group', 'user'] as const).flatMap((type) =>
          lists.read(type, service).entries.map(({ id }) => chatKey({ type, id })),
        );
        const keys = new Set(listed);
        return (chat) => keys.has(chatKey(chat));
      },
      clock: this.#clock,
      changed,
      news: (arrived) => news(service, arrived),
    });
  }
}
