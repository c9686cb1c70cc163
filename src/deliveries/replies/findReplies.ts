/**
 * Which messages answer a delivered one. Pure.
 *
 * - In a group: those that reply to it, those that reply to these, and so on. What its bot writes in between leads on to
 *   answers, but isn't one. What other bots reply is listed, but answers for nobody. What replies to nothing isn't found,
 *   whatever it says.
 * - With a person: all that the person wrote after it, until the bot's next message to them from this outbox. What else the
 *   bot wrote ends nothing: nobody knows what it was for.
 * - Who answers a reminder has answered the message that it follows: also a person who got another message in between.
 *
 * Messages of the system answer nothing. The order of the list decides what is later; clocks decide only where the
 * delivered message itself is gone (`replyReader.ts`).
 */
import { isSentBy, type Listed, type Message } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';

/** A message that has reached its recipient. */
export interface Delivered {
  readonly chat: Chat;
  readonly botId: string;
  readonly msgId: string;
  /** The IDs of what other deliveries of the bot sent to the chat. */
  readonly others: ReadonlySet<string>;
  /** The IDs of what reminded the chat of it. */
  readonly reminders?: ReadonlySet<string>;
}

/** Whether a message is an automatic answer. */
export const isByBot = ({ senderType }: Message) => senderType === 'bot';

export type ReadableEntry = Extract<Listed, { readable: true }>;

export interface FoundReplies {
  readonly answers: ReadableEntry[];
  /** The IDs of messages that aren't answers, but lead on to them or end them, in order. */
  readonly links: string[];
}

export class ReplyFinder {
  readonly #delivered: Delivered;
  /** The delivered message, its answers, and what leads on to more of them. */
  readonly #thread: Set<string>;
  /** The reminders that are still to come. */
  readonly #reminders: Set<string>;
  /** Whether another message was sent to the person since. */
  #isClosed = false;

  /** `thread` are the IDs of answers and links that were found before, the latter in order. */
  constructor(delivered: Delivered, thread: Iterable<string> = []) {
    this.#delivered = delivered;
    this.#reminders = new Set(delivered.reminders);
    this.#thread = new Set([...this.#reminders, delivered.msgId]);
    for (const id of thread) {
      this.#thread.add(id);
      this.#isTurn(id);
    }
  }

  /** Whether nothing that follows can be an answer. */
  get isEnded(): boolean {
    return this.#isClosed && this.#reminders.size === 0;
  }

  /** Finds the answers among the next messages, oldest first. */
  next(entries: readonly Listed[]): FoundReplies {
    const found: FoundReplies = { answers: [], links: [] };
    for (const entry of entries) {
      if (this.isEnded) break;
      if (!entry.readable) continue;
      const { message } = entry;
      if (this.#isTurn(message.msgId)) found.links.push(message.msgId);
      else if (!this.#isClosed && this.#isInThread(message)) {
        this.#thread.add(message.msgId);
        if (isSentBy(message, this.#delivered.botId)) found.links.push(message.msgId);
        else found.answers.push(entry);
      }
    }
    return found;
  }

  /** Whether from this message on, a person answers something else, or the delivered message again. */
  #isTurn(msgId: string): boolean {
    const { chat, others } = this.#delivered;
    if (this.#reminders.delete(msgId)) this.#isClosed = false;
    else if (chat.kind === 'user' && others.has(msgId)) this.#isClosed = true;
    else return false;
    return true;
  }

  #isInThread(message: Message): boolean {
    const { chat, botId, msgId: delivered } = this.#delivered;
    const { msgId, parentId, contentType } = message;
    if (msgId === delivered || contentType === 'tip') return false;
    if (chat.kind === 'group') return parentId !== '' && this.#thread.has(parentId);
    return !isSentBy(message, botId) && !isByBot(message);
  }
}
