/** Who somebody is, beside their name; loaded when the first one is shown. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { Profile } from '../../protocol/history.ts';

/** Distance from the name, and from the edges of the page, in pixels. */
const APART = 6;
const ID = 'profile';

interface Props {
  profile: Profile;
  beside: Element;
  /** The pointer comes to the card, leaves it, or the card is to go. */
  hover(state: 'on' | 'off' | 'gone'): void;
}

export function ProfileCard({ profile, beside, hover }: Props) {
  const card = useRef<HTMLElement>(null);
  const gone = useRef(hover);
  gone.current = hover;
  useLayoutEffect(() => {
    beside.setAttribute('aria-describedby', ID);
    const until = new AbortController();
    const { signal } = until;
    const go = () => gone.current('gone');
    addEventListener('scroll', go, { capture: true, signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && go(), { capture: true, signal });
    return () => {
      until.abort();
      beside.removeAttribute('aria-describedby');
    };
  }, [beside]);
  useLayoutEffect(() => {
    const { current: element } = card;
    if (!element) return;
    const { left, top, bottom } = beside.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = element;
    const below = bottom + APART;
    const fits = below + offsetHeight < innerHeight;
    element.style.top = `${fits ? below : Math.max(APART, top - APART - offsetHeight)}px`;
    element.style.left = `${Math.max(APART, Math.min(left, innerWidth - offsetWidth - APART))}px`;
  });
  return (
    <aside
      ref={card}
      id={ID}
      class="profile"
      aria-label={escapeInvisible(profile.name)}
      onMouseEnter={() => hover('on')}
      onMouseLeave={() => hover('off')}
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
