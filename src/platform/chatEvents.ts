/** Events of chats that one feature raises for others. */
import { EventEmitter } from 'vscode';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Listed } from '../service/message.ts';
import type { Chat } from '../service/model.ts';
import type { Service } from './service.ts';
import type { Mark } from './store.ts';

/** Resolves when the listener has shown the messages. */
type ArrivalListener = (service: Service, chats: readonly Chat[]) => Promise<unknown>;

/** A page that the service has listed, in its order. */
export interface ReadPage {
  readonly chat: BotChat;
  readonly page: Page;
  readonly entries: readonly Listed[];
}

/** Messages that this outbox has sent, as any bot. */
export interface SentMessages {
  /** Address of the service. */
  readonly service: string;
  readonly messages: readonly (Chat & { readonly msgId: string })[];
}

export class ChatEvents {
  readonly #pageRead = new EventEmitter<ReadPage>();
  readonly #read = new EventEmitter<{ chat: BotChat; newest: Mark }>();
  readonly #sent = new EventEmitter<SentMessages>();
  readonly #arrivalListeners = new Set<ArrivalListener>();

  /** Fires when the user has read a chat up to a message. */
  readonly onDidRead = this.#read.event;

  /** The newest message of this chat is on the screen. */
  read(chat: BotChat, newest: Mark): void {
    this.#read.fire({ chat, newest });
  }

  /** Fires when messages were read from the service, for whatever reason. */
  readonly onDidReadPage = this.#pageRead.event;

  /** The service has listed a page. */
  pageRead(page: ReadPage): void {
    this.#pageRead.fire(page);
  }

  /** Fires when messages of the outbox are known to have arrived. */
  readonly onDidSend = this.#sent.event;

  sent(messages: SentMessages): void {
    this.#sent.fire(messages);
  }

  /** Calls back when messages may have arrived because the extension sent or found them. */
  onDidArrive(listener: ArrivalListener) {
    this.#arrivalListeners.add(listener);
    return { dispose: () => void this.#arrivalListeners.delete(listener) };
  }

  /** Messages may have arrived in these chats. Resolves when all listeners have shown them. */
  async arrived(service: Service, chats: readonly Chat[]): Promise<void> {
    await Promise.all([...this.#arrivalListeners].map((listener) => listener(service, chats)));
  }

  dispose(): void {
    this.#pageRead.dispose();
    this.#read.dispose();
    this.#sent.dispose();
    this.#arrivalListeners.clear();
  }
}
