/** The senders of messages, and requests for their avatars. */
import type { Sender } from '../../protocol/history.ts';
import type { Message } from '../../service/message.ts';
import { postToHost } from '../common/host.ts';

/** The most senders whose avatars a page requests. */
const MAX_AVATARS = 200;

/** The sender of a message. One of an unknown type is taken for a user. */
export const senderOf = ({ senderId, senderType }: Message): Sender => ({
  kind: senderType === 'bot' ? 'bot' : 'user',
  id: senderId,
});

/** Identifies a sender: a bot and a user may have the same ID. */
export const senderKey = ({ kind, id }: Sender) => `${kind} ${id}`;

/** Requests the avatar of each sender once. */
export class AvatarRequests {
  readonly #requested = new Set<string>();
  #next: Sender[] = [];

  request(sender: Sender): void {
    const key = senderKey(sender);
    if (!sender.id || this.#requested.has(key) || this.#requested.size === MAX_AVATARS) return;
    this.#requested.add(key);
    // Those of all new rows at once.
    if (this.#next.push(sender) === 1) queueMicrotask(() => this.#post());
  }

  #post(): void {
    postToHost({ type: 'avatars', senders: this.#next });
    this.#next = [];
  }
}
