import { type Cast, conversation, fromBot } from './conversation.ts';
import { messageId, positionOf } from './messageId.ts';
import { rangeOf } from './paging.ts';
import type { Bot, Content, Message } from './resources.ts';

/** A group chat, or the chat of a user with a bot. */
export interface Chat {
  /** The place of a message of this chat, undefined when it holds no such message. */
  find(msgId: string): number | undefined;
  /** The messages that a question asks for, newest first, contract 4.4. */
  list(question: Parameters<typeof rangeOf>[1]): Message[];
  /** Adds a message of a bot, sent at `sendTime` (Unix milliseconds), and returns it. */
  add(bot: Bot, content: Content, sendTime: number): Message;
}

/** A chat that begins with a conversation of `length` messages, made when they are read, and keeps what is added. */
export function createChat(cast: Cast, length: number): Chat {
  const read = conversation(cast, length);
  const added: Message[] = [];
  const size = () => length + added.length;
  // What was sent to a sandbox is gone with it: another one must not give its IDs to other messages.
  const [run = 1] = crypto.getRandomValues(new Uint32Array(1));

  return {
    find(msgId) {
      const place = positionOf(msgId);
      if (place?.chat !== cast.chat || place.index >= size()) return undefined;
      return place.run === (place.index < length ? 0 : run) ? place.index : undefined;
    },
    list(question) {
      const { from, to } = rangeOf(size(), question);
      const newestFirst: Message[] = [];
      for (let index = to - 1; index >= from; index--) newestFirst.push(added[index - length] ?? read(index));
      return newestFirst;
    },
    add(bot, content, sendTime) {
      const msgId = messageId({ chat: cast.chat, index: size(), run });
      const message = { msgId, parentId: '', ...fromBot(bot), ...content, sendTime, commandName: '', commandId: 0 };
      added.push(message);
      return message;
    },
  };
}
