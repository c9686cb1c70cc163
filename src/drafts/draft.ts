/** A draft: what is about to be sent. */
import type { Outgoing } from '../service/message.ts';
import type { Chat } from '../service/model.ts';

export interface Draft {
  /** What the person knows the document by. */
  name: string;
  /** Address of the document, where it has one. */
  source?: string | undefined;
  message: Outgoing;
  /** The bot that it names, if any. */
  botId?: string | undefined;
  /** Those whom it names. */
  chats: readonly Chat[];
}
