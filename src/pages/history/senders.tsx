/** The profile of a sender, next to the name. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { IdActionName, Profile } from '../../protocol/history.ts';
import { l10n, postToHistory, request } from '../common/host.ts';
import { Avatar } from '../common/sender.tsx';
import type { ProfileTarget } from './senders.ts';

/** Distance from the name and from the edges of the page, in pixels. */
const MARGIN = 6;
const TITLE = 'profile-title';

interface Props {
  target: ProfileTarget;
  /** Undefined while it's loading. */
  profile: Profile | undefined;
  /** A `data:` URI. */
  avatar: string | undefined;
  stay(): void;
  leave(): void;
  close(): void;
}

export function ProfileCard({ target, profile, avatar, stay, leave, close }: Props) {
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
    // The command would say a second time that it's copied.
    if (action === 'copyId') {
      request({ type: 'copy', text: sender.id });
      return setCopied(true);
    }
    postToHistory({ type: 'act', action, ...sender });
    close();
  };
  const name = profile && !profile.trouble ? profile.name : target.name;
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
        {profile?.trouble && <p>{profile.trouble}</p>}
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
  // Escape.
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
