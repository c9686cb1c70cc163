/** Focus that is lost because what had it is gone: keys would lead nowhere, and a screen reader would say nothing. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Calls back when a part of the page was rendered and the element in it that had the focus has lost it. */
export function useLostFocus(part: RefObject<Element | null>, onLost: (element: HTMLElement) => void): void {
  const { activeElement } = document;
  const hadFocus = part.current?.contains(activeElement);
  useLayoutEffect(() => {
    if (hadFocus && activeElement instanceof HTMLElement && document.activeElement === document.body)
      onLost(activeElement);
  });
}
