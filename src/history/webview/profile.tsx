/** Who somebody is, beside their name, while the pointer rests there or the focus is there. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Profile } from '../protocol.ts';
import { visible } from './visible.ts';

/** Distance from the name, and from the edges of the page, in pixels. */
const APART = 6;

export function ProfileCard({ profile, beside }: { profile: Profile; beside: Element }) {
  const card = useRef<HTMLDivElement>(null);
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
    <div ref={card} class="profile" role="tooltip">
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
