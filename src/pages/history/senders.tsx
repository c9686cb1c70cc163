/** The senders of messages: their avatars, and the profile of a sender, next to the name. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { IdActionName, Profile, Sender } from '../../protocol/history.ts';
import { systemClock } from '../../service/clock.ts';
import type { Message } from '../../service/message.ts';
import { l10n, postToHistory, request } from '../common/host.ts';
import { Avatar, senderName } from '../common/sender.tsx';

/** The most senders whose avatars a page requests. */
const MAX_AVATARS = 200;

/** The sender of a message. A sender of an unknown type is taken for a user. */
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
    // The avatars of all new rows are requested at once.
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
interface ProfileTarget {
  readonly sender: Sender;
  /** The name that came with the message. */
  readonly name: string;
  /** The element next to which the card is. */
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

/** Distance from the name and from the edges of the page, in pixels. */
const MARGIN = 6;
const TITLE = 'profile-title';

interface CardProps {
  target: ProfileTarget;
  /** The profile; undefined while it's loading. */
  profile: Profile | undefined;
  /** The avatar, as a `data:` URI. */
  avatar: string | undefined;
  stay(): void;
  leave(): void;
  close(): void;
}

export function ProfileCard({ target, profile, avatar, stay, leave, close }: CardProps) {
  const { sender, anchor, isModal } = target;
  const [isCopied, setCopied] = useState(false);
  const card = useRef<HTMLDialogElement>(null);
  const latestClose = useRef(close);
  latestClose.current = close;
  useLayoutEffect(() => {
    const { current: dialog } = card;
    return dialog ? (isModal ? openModal(dialog, latestClose) : openHover(dialog, latestClose)) : undefined;
  }, [isModal]);
  useLayoutEffect(() => {
    if (card.current && anchor.isConnected) placeNextTo(anchor, card.current);
  });
  const act = (action: IdActionName) => {
    // The command itself would also say that the ID is copied.
    if (action === 'copyId') {
      request({ type: 'copy', text: sender.id });
      return setCopied(true);
    }
    postToHistory({ type: 'act', action, ...sender });
    close();
  };
  const name = profile && !profile.failure ? profile.name : target.name;
  return (
    <dialog ref={card} class="profile" tabIndex={-1} aria-labelledby={TITLE} onMouseEnter={stay} onMouseLeave={leave}>
      <div class="profile-content">
        <div class="profile-head">
          <Avatar id={sender.id} name={name} uri={avatar} />
          <strong id={TITLE}>{escapeAllInvisible(name)}</strong>
          <button type="button" class="icon" title={l10n.t('Close')} aria-label={l10n.t('Close')} onClick={close}>
            ✕
          </button>
        </div>
        {!profile && <p role="status">{l10n.t('Loading…')}</p>}
        {profile?.failure && <p>{profile.failure}</p>}
        {/* Before the facts, which may have to be scrolled. */}
        <div class="profile-actions">
          {profile?.actions.map(({ name: action, label }) => (
            <button key={action} type="button" class="link" onClick={() => act(action)}>
              {label}
            </button>
          ))}
          <span role="status">{isCopied && l10n.t('Copied')}</span>
        </div>
        <dl>
          {profile?.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{escapeInvisible(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}

/** Shows the dialog alone, and takes the focus. Returns it where it was when the dialog closes. */
function openModal(dialog: HTMLDialogElement, close: { current(): void }) {
  const abort = new AbortController();
  const { signal } = abort;
  dialog.showModal();
  dialog.focus();
  // Escape cancels the dialog.
  dialog.addEventListener('close', () => close.current(), { signal });
  // The content covers the dialog: a click on the dialog itself is one outside of it.
  dialog.addEventListener('click', ({ target }) => target === dialog && close.current(), { signal });
  return () => {
    abort.abort();
    dialog.close();
  };
}

/** Shows the dialog without the focus until the user scrolls or presses Escape. */
function openHover(dialog: HTMLDialogElement, close: { current(): void }) {
  const abort = new AbortController();
  const { signal } = abort;
  dialog.open = true;
  addEventListener('scroll', () => close.current(), { capture: true, signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && close.current(), { capture: true, signal });
  return () => {
    abort.abort();
    dialog.open = false;
  };
}

/** Places the card below the anchor or above it, but always in view: the anchor may have scrolled away. */
function placeNextTo(anchor: Element, { style, offsetWidth, offsetHeight }: HTMLElement): void {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const below = bottom + MARGIN;
  const above = top - MARGIN - offsetHeight;
  const inView = (at: number, size: number, room: number) => Math.max(MARGIN, Math.min(at, room - size - MARGIN));
  style.top = `${inView(below + offsetHeight < innerHeight ? below : above, offsetHeight, innerHeight)}px`;
  style.left = `${inView(left, offsetWidth, innerWidth)}px`;
}
