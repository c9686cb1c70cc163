/** What the sidebar does for other features. */
import type { BotChat } from '../protocol/botChat.ts';
import type { Chat } from '../service/model.ts';

/** A message of a watched chat that may need the user. */
export interface ActivityEntry extends BotChat {
  readonly msgId: string;
  readonly senderId: string;
  readonly sender: string;
  /** When the message was sent (Unix ms). */
  readonly sendTime: number;
  /** An excerpt of the message. */
  readonly text: string;
  readonly isUnread: boolean;
  /** Whether the message replies to one of the bot that reads the chat. */
  readonly isReply: boolean;
  /** The user's words that the message contains. */
  readonly words: readonly string[];
}

/** A watched chat, and why its last check failed if it did. */
export interface CheckedChat extends Chat {
  readonly error?: unknown;
}

/** The activity that the user sees. Makes no request. */
export interface ActivityReader {
  /** The messages, newest first, and the chats that are watched. Rejects if the service can't be opened. */
  list(): Promise<{ items: readonly ActivityEntry[]; watched: readonly CheckedChat[] }>;
}
