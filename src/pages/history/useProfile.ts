import { useEffect, useRef, useState } from 'preact/hooks';
import type { Profile } from '../../protocol/history.ts';
import type { Message } from '../../service/message.ts';
import { postToHost } from '../shared/host.ts';

/** How long the pointer rests on a name before anybody is asked who that is, in milliseconds. */
const REST = 350;

/**
 * Whoever is asked about, and what is known of them once the host has said it. `hover` is told whether the pointer is on
 * that, or it is to go.
 */
export function useProfile(profile: Profile | undefined) {
  const [asked, setAsked] = useState<{ readonly id: string; readonly beside: Element }>();
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const after = (act: () => void) => {
    clearTimeout(rest.current);
    rest.current = setTimeout(act, REST);
  };
  const ask = ({ senderId, senderType }: Message, beside: Element | undefined) =>
    after(() => {
      setAsked(beside?.isConnected ? { id: senderId, beside } : undefined);
      if (beside && senderId)
        postToHost({ type: 'profile', kind: senderType === 'bot' ? 'bot' : 'user', id: senderId });
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
