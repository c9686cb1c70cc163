/** How far the user has read a chat. */
import type { Host } from '../platform/host.ts';
import type { Mark } from '../platform/store.ts';
import type { BotChat } from '../protocol/botChat.ts';

export class ReadMark {
  /** The mark when the panel was opened. */
  readonly whenOpened: Mark | undefined;
  readonly #botChat: BotChat;
  readonly #host: Pick<Host, 'chatEvents' | 'store'>;

  constructor(botChat: BotChat, host: Pick<Host, 'chatEvents' | 'store'>) {
    this.#botChat = botChat;
    this.#host = host;
    this.whenOpened = this.#saved();
  }

  /** Moves the mark to a message that is on the screen. */
  move(newest: Mark): void {
    if (this.#saved()?.msgId !== newest.msgId) void this.#host.store.remember('readMarks', this.#botChat, newest);
    this.#host.chatEvents.read(this.#botChat, newest);
  }

  #saved(): Mark | undefined {
    return this.#host.store.find('readMarks', this.#botChat);
  }
}
