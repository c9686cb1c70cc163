/** How far the user has read a chat. */
import type { Host } from '../../platform/host.ts';
import type { Mark } from '../../platform/store.ts';
import { type BotChat, isSameChat } from '../../protocol/botChat.ts';

export class ReadMark {
  /** The mark when the panel was opened: that of the watch, if the chat wasn't read in a history yet. */
  readonly whenOpened: Mark | undefined;
  readonly #botChat: BotChat;
  readonly #host: Pick<Host, 'chatEvents' | 'store'>;
  /** The ID of the last message that {@link move} got. */
  #newest: string | undefined;

  constructor(botChat: BotChat, host: Pick<Host, 'chatEvents' | 'store'>) {
    this.#botChat = botChat;
    this.#host = host;
    this.whenOpened = this.#saved() ?? this.#watched();
  }

  /**
   * Moves the mark to a message that is on the screen: the newest one, or during an outage the newest in the archive, which
   * may be behind what was read before. While that is the same message, another window may have moved the mark further.
   */
  move(newest: Mark, isOutage: boolean): void {
    const saved = this.#saved();
    if (isOutage && saved && saved.sendTime > newest.sendTime) return;
    const isNews = newest.msgId !== this.#newest || !saved || saved.sendTime < newest.sendTime;
    this.#newest = newest.msgId;
    if (newest.msgId !== '' && saved?.msgId !== newest.msgId && isNews)
      void this.#host.store.remember('readMarks', this.#botChat, newest);
    this.#host.chatEvents.read(this.#botChat, newest);
  }

  #saved(): Mark | undefined {
    return this.#host.store.find('readMarks', this.#botChat);
  }

  /** What the watch of the chat counts as seen. */
  #watched(): Mark | undefined {
    return this.#host.store.get('watched').find((one) => isSameChat(one, this.#botChat))?.seen;
  }
}
