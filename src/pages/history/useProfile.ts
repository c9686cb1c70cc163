import { useEffect, useRef, useState } from 'preact/hooks';
import type { Profile } from '../../protocol/history.ts';
import type { Message } from '../../service/message.ts';
import { postToHost } from '../common/host.ts';

/** How long the pointer must rest on a name before the profile is requested, in milliseconds. */
const HOVER_DELAY = 350;

/**
 * The sender whose profile is shown, and the profile once the host has sent it. `hover` reports that the pointer entered
 * or left the card, or that the card is dismissed.
 */
export function useProfile(profile: Profile | undefined) {
  const [target, setTarget] = useState<{ readonly id: string; readonly anchor: Element }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const afterDelay = (act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, HOVER_DELAY);
  };
  const show = ({ senderId, senderType }: Message, anchor: Element | undefined) =>
    afterDelay(() => {
      setTarget(anchor?.isConnected ? { id: senderId, anchor } : undefined);
      if (anchor && senderId)
        postToHost({ type: 'profile', kind: senderType === 'bot' ? 'bot' : 'user', id: senderId });
    });
  const hover = (state: 'enter' | 'leave' | 'dismiss') => {
    clearTimeout(timer.current);
    if (state === 'dismiss') setTarget(undefined);
    else if (state === 'leave') afterDelay(() => setTarget(undefined));
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const known = target && profile?.id === target.id ? profile : undefined;
  return { shown: target && { anchor: target.anchor, profile: known }, show, hover };
}
