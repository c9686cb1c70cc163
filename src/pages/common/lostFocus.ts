/** Focus that is lost because what had it is gone: keys would lead nowhere, and a screen reader would say nothing. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Calls back when a part of the page was rendered and the element in it that had the focus has lost it. Not while something else
 * in VS Code has the focus, such as an editor, from which it would be taken.
 */
export function useLostFocus(part: RefObject<Element | null>, onLost: (element: HTMLElement) => void): void {
  const { activeElement } = document;
  const hadFocus = part.current?.contains(activeElement);
  useLayoutEffect(() => {
    const isLost = hadFocus && document.activeElement === document.body && document.hasFocus();
    if (isLost && activeElement instanceof HTMLElement) onLost(activeElement);
  });
}
