import { type Cast, conversation, fromBot } from './conversation.ts';
import { messageId, positionOf } from './messageId.ts';
import type { Reply } from './replies.ts';
import type { Bot, Content, Message } from './resources.ts';

/** A group chat, or the chat of a user with a bot. */
export interface Chat {
  /** The index of a message, or undefined if it isn't in this chat. */
  find(msgId: string): number | undefined;
  /** The messages that a query selects, newest first, contract 4.4. */
  list(query: PageQuery): Message[];
  /** Adds a message of a bot, sent at `sendTime` (Unix milliseconds), and returns it. */
  add(bot: Bot, content: Content, sendTime: number): Message;
}

/** What people answer to the message of a bot with an index in its chat, as time goes by (Unix milliseconds). */
export interface Answering {
  now(): number;
  repliesTo(cast: Cast, sent: Message, index: number): Reply[];
}

/** A chat with `length` initial messages, generated on demand, the messages that are added, and the answers to these. */
export function createChat(cast: Cast, length: number, answering?: Answering): Chat {
  const read = conversation(cast, length);
  const added: Message[] = [];
  /** Answers that are still to come, in the order of their times. */
  let coming: { message: Reply['message']; arrive(): void }[] = [];
  const size = () => {
    const time = answering?.now() ?? 0;
    for (const { arrive } of coming.filter((one) => one.message.sendTime <= time)) arrive();
    coming = coming.filter((one) => one.message.sendTime > time);
    return length + added.length;
  };
  const append = (message: Omit<Message, 'msgId' | 'parentId'>, parentId = '') => {
    const msgId = messageId({ chat: cast.chat, index: length + added.length, run });
    const whole = { ...message, msgId, parentId } as Message;
    added.push(whole);
    return whole;
  };
  // Added messages aren't stored. A later sandbox must not reuse their IDs.
  const [run = 1] = crypto.getRandomValues(new Uint32Array(1));

  return {
    find(msgId) {
      const position = positionOf(msgId);
      if (position?.chat !== cast.chat || position.index >= size()) return undefined;
      return position.run === (position.index < length ? 0 : run) ? position.index : undefined;
    },
    list(query) {
      const { from, to } = rangeOf(size(), query);
      const newestFirst: Message[] = [];
      for (let index = to - 1; index >= from; index--) newestFirst.push(added[index - length] ?? read(index));
      return newestFirst;
    },
    add(bot, content, sendTime) {
      const index = size();
      const sent = append({ ...fromBot(bot), ...content, sendTime, commandName: '', commandId: 0 });
      const ids: string[] = [];
      for (const [number, { to, message }] of (answering?.repliesTo(cast, sent, index) ?? []).entries()) {
        const parentId = () => (to === 'sent' ? sent.msgId : ids[to ?? -1]);
        coming.push({
          message,
          arrive: () => {
            ids[number] = append(message, parentId()).msgId;
          },
        });
      }
      coming.sort((one, other) => one.message.sendTime - other.message.sendTime);
      return sent;
    },
  };
}

/** The indexes of a page, oldest first, excluding `to`. */
interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The query of a message list, contract 4.4. `anchor` is the index of message-id, or undefined if that's missing. */
interface PageQuery {
  readonly anchor: number | undefined;
  readonly before: number;
  readonly after: number;
}

/** The part of a chat of `length` messages that a query selects by rules 1 to 4 of contract 4.4. */
function rangeOf(length: number, { anchor, before, after }: PageQuery): IndexRange {
  if (anchor === undefined) return { from: Math.max(0, length - before), to: length };
  return { from: Math.max(0, anchor - before), to: Math.min(length, anchor + 1 + after) };
}
