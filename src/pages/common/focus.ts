/** The focus in a page. Where it's lost, keys lead nowhere, and a screen reader says nothing. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Whether the page has the focus, and nothing in it. If another part of VS Code has the focus, such as an editor, it isn't
 * taken from that.
 */
const isLost = () => document.activeElement === document.body && document.hasFocus();

/**
 * Gives the focus back to the element that had it. VS Code focuses the frame around a page first, often once more after the
 * page has loaded. If a button is gone that was pressed, the element around it gets the focus.
 */
export function keepFocus(): void {
  /** The element that had the focus last, and the elements around it, the innermost first. */
  let last: EventTarget[] = [];
  document.addEventListener('focusin', (event) => {
    last = event.composedPath();
  });
  const takesFocus = (one: EventTarget, index: number) =>
    one instanceof HTMLElement && one.isConnected && (index === 0 || one.matches('[tabindex]'));
  const giveBack = () => {
    if (last.length === 0 || !isLost()) return;
    const heir = last.find(takesFocus) ?? document.querySelector('main');
    if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
  };
  addEventListener('focus', giveBack);
  const isGone = () => last[0] instanceof Node && !last[0].isConnected;
  new MutationObserver(() => isGone() && giveBack()).observe(document.body, { subtree: true, childList: true });
}

/**
 * Gives the focus as soon as the page is the part of VS Code that has it: the page may be shown beside the editor that the
 * user types in. If an element of the page has the focus then, that stays.
 */
export function focusOnReturn(give: () => void): void {
  const giveIfLost = () => isLost() && give();
  if (document.hasFocus()) giveIfLost();
  else addEventListener('focus', giveIfLost, { once: true });
}

/** Calls back when a part of the page was rendered and the element in it that had the focus has lost it. */
export function useLostFocus(part: RefObject<Element | null>, onLost: (element: HTMLElement) => void): void {
  const { activeElement } = document;
  const hadFocus = part.current?.contains(activeElement);
  useLayoutEffect(() => {
    if (hadFocus && isLost() && activeElement instanceof HTMLElement) onLost(activeElement);
  });
}
