/** The senders of messages: their avatars, and the profile of one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Profile, Sender } from '../../protocol/history.ts';
import { systemClock } from '../../service/clock.ts';
import type { Message } from '../../service/message.ts';
import { postToHistory } from '../common/host.ts';
import { senderName } from '../common/sender.tsx';

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
    postToHistory({ type: 'avatars', senders: this.#next });
    this.#next = [];
  }
}

/** How long the pointer must rest on a name before the profile is requested, in milliseconds. */
const HOVER_DELAY = 350;

/** The sender whose profile card is shown. */
export interface ProfileTarget {
  readonly sender: Sender;
  /** The name that came with the message. */
  readonly name: string;
  /** The card is next to it. */
  readonly anchor: Element;
  /** Whether the card has the focus, rather than only appearing while the pointer rests on the name. */
  readonly isModal: boolean;
}

/** The sender whose profile card is shown, and the profile once the host has sent it. */
export function useProfile(profile: Profile | undefined) {
  const [target, setTarget] = useState<ProfileTarget>();
  const cancel = useRef(() => {});
  const afterDelay = (act: () => void) => {
    cancel.current();
    cancel.current = systemClock.after(HOVER_DELAY, act);
  };
  const show = (message: Message, anchor: Element, isModal: boolean) => {
    cancel.current();
    const sender = senderOf(message);
    if (!anchor.isConnected || !sender.id) return;
    setTarget({ sender, name: senderName(message), anchor, isModal });
    postToHistory({ type: 'profile', ...sender });
  };
  useEffect(() => () => cancel.current(), []);
  const isKnown = target && profile && senderKey(profile) === senderKey(target.sender);
  return {
    target,
    profile: isKnown ? profile : undefined,
    /** Shows the card while the pointer is on a name or on the card. */
    hover: (message: Message, anchor: Element) => afterDelay(() => show(message, anchor, false)),
    leave: () => afterDelay(() => setTarget((shown) => (shown?.isModal ? shown : undefined))),
    stay: () => cancel.current(),
    /** Shows the card with the focus in it, until {@link close}. */
    open: (message: Message, anchor: Element) => show(message, anchor, true),
    close() {
      cancel.current();
      setTarget(undefined);
    },
  };
}
