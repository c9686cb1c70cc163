/** What watching needs from the window and the service in use, and what it tells of new messages. */
import { window } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import type { WatchedChat as StoredChat } from '../../platform/store.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import type { Listed } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import type { ChatWatch, WatchEntry } from './chatWatch.ts';
import type { WatchStorage } from './watchList.ts';

export interface WatchContext {
  /** The service in use. @throws SetupError */
  open(): Promise<Service>;
  storage(service: Service): WatchStorage;
  /** A predicate for the chats that are in the sidebar now. Others are neither polled nor counted. */
  listed(service: Service): (chat: Chat) => boolean;
  /** The newest messages of a chat, up to a number. */
  readNewest(chat: BotChat, signal: AbortSignal, count: number): Promise<readonly Listed[]>;
  /** Whether the window has the focus. */
  isActive(): boolean;
  readonly clock: Clock;
}

/** Messages of a watched chat, oldest first and without the bot's own, that the user hasn't seen. */
export interface NewMessages {
  readonly chat: Chat;
  /** The bot that read them. */
  readonly botId: string;
  readonly messages: readonly Listed[];
}

export interface WatchListener {
  /** The state of a chat has changed, and perhaps the total. */
  chatChanged(chat: Chat): void;
  /** Chats were polled together, which may have failed. */
  polled(watches: readonly ChatWatch[]): void;
  /** Messages have arrived. Called once, in one window, for all chats that were polled together. */
  newMessages(service: Service, arrived: readonly NewMessages[]): void;
}

/** Watches the chats in the sidebar of this window. */
export function watchContext(
  host: Pick<Host, 'chatEvents' | 'connection' | 'lists' | 'store' | 'tokens'>,
  clock: Clock = systemClock,
): WatchContext {
  const { connection, lists, store } = host;
  return {
    clock,
    open: () => connection.open(),
    isActive: () => window.state.focused,
    listed: (service) => {
      const listed = new Set(lists.chats(service).map(chatKey));
      return (chat) => listed.has(chatKey(chat));
    },
    readNewest: (chat, signal, count) => new BotChatClient(chat, host).list({ latest: count }, signal),
    storage: ({ address }) => {
      let all: readonly StoredChat[] | undefined;
      let own: readonly WatchEntry[] = [];
      return {
        load: () => {
          const stored = store.get('watched');
          if (stored !== all) own = stored.filter((entry) => entry.service === address);
          all = stored;
          return own;
        },
        save: (entries) => {
          const others = store.get('watched').filter((entry) => entry.service !== address);
          return store.set('watched', [...others, ...entries.map((entry) => ({ service: address, ...entry }))]);
        },
      };
    },
  };
}
