/** Who somebody is, beside their name, while the pointer rests there or the focus is there. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../service/message.ts';
import type { Profile } from '../protocol.ts';
import { tell } from './host.ts';
import { visible } from './visible.ts';

/** Distance from the name, and from the edges of the page, in pixels. */
const APART = 6;
const ID = 'profile';

/** How long the pointer rests on a name before anybody is asked who that is, in milliseconds. */
const REST = 350;

/**
 * Whoever is asked about, and what is known of them once the host has said it. `hover` is told whether the pointer is on
 * that, or it is to go.
 */
export function useAsked(profile: Profile | undefined) {
  const [asked, setAsked] = useState<{ readonly id: string; readonly beside: Element }>();
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const after = (act: () => void) => {
    clearTimeout(rest.current);
    rest.current = setTimeout(act, REST);
  };
  const ask = ({ senderId, senderType }: Message, beside: Element | undefined) =>
    after(() => {
      setAsked(beside?.isConnected ? { id: senderId, beside } : undefined);
      if (beside && senderId) tell({ type: 'profile', kind: senderType === 'bot' ? 'bot' : 'user', id: senderId });
    });
  const hover = (state: 'on' | 'off' | 'gone') => {
    clearTimeout(rest.current);
    if (state === 'gone') setAsked(undefined);
    else if (state === 'off') after(() => setAsked(undefined));
  };
  useEffect(() => () => clearTimeout(rest.current), []);
  const known = asked && profile?.id === asked.id ? profile : undefined;
  return { asked: asked && { beside: asked.beside, profile: known }, ask, hover };
}

interface Props {
  profile: Profile;
  beside: Element;
  /** The pointer comes to the card, leaves it, or the card is to go. */
  hover(state: 'on' | 'off' | 'gone'): void;
}

export function ProfileCard({ profile, beside, hover }: Props) {
  const card = useRef<HTMLDivElement>(null);
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
    <div
      ref={card}
      id={ID}
      class="profile"
      role="tooltip"
      onMouseEnter={() => hover('on')}
      onMouseLeave={() => hover('off')}
    >
      <strong>{visible(profile.name)}</strong>
      {profile.trouble && <p>{profile.trouble}</p>}
      <dl>
        {profile.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
