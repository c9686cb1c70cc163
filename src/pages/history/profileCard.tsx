/** The profile of a sender, next to the name. Loaded when the first one is shown. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { Profile } from '../../protocol/history.ts';

/** Distance from the name and from the edges of the page, in pixels. */
const MARGIN = 6;
const ID = 'profile';

interface Props {
  profile: Profile;
  anchor: Element;
  /** The pointer entered or left the card, or the card is dismissed. */
  hover(state: 'enter' | 'leave' | 'dismiss'): void;
}

export function ProfileCard({ profile, anchor, hover }: Props) {
  const card = useRef<HTMLElement>(null);
  const latestHover = useRef(hover);
  latestHover.current = hover;
  useLayoutEffect(() => {
    anchor.setAttribute('aria-describedby', ID);
    const abort = new AbortController();
    const { signal } = abort;
    const dismiss = () => latestHover.current('dismiss');
    addEventListener('scroll', dismiss, { capture: true, signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && dismiss(), { capture: true, signal });
    return () => {
      abort.abort();
      anchor.removeAttribute('aria-describedby');
    };
  }, [anchor]);
  useLayoutEffect(() => {
    const { current: element } = card;
    if (!element) return;
    const { left, top, bottom } = anchor.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = element;
    const below = bottom + MARGIN;
    const fits = below + offsetHeight < innerHeight;
    element.style.top = `${fits ? below : Math.max(MARGIN, top - MARGIN - offsetHeight)}px`;
    element.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - offsetWidth - MARGIN))}px`;
  });
  return (
    <aside
      ref={card}
      id={ID}
      class="profile"
      aria-label={escapeInvisible(profile.name)}
      onMouseEnter={() => hover('enter')}
      onMouseLeave={() => hover('leave')}
    >
      <strong>{escapeInvisible(profile.name)}</strong>
      {profile.trouble && <p>{profile.trouble}</p>}
      <dl>
        {profile.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{escapeInvisible(value)}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
