/** The focus in a page. Where it's lost, keys lead nowhere, and a screen reader says nothing. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Whether the page has the focus, and nothing in it. If something else in VS Code has it, such as an editor, it isn't taken from that. */
const isLost = () => document.activeElement === document.body && document.hasFocus();

/**
 * Gives the focus back to what had it. VS Code focuses the frame around a page first, often once more after the page has loaded.
 * Where a button is gone that was pressed, what is around it gets the focus.
 */
export function keepFocus(): void {
  /** What had the focus last, and what that is in, the innermost first. */
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
 * Gives the focus as soon as the page is the part of VS Code that has it: the page may be shown beside what the user types in.
 * Not if something in the page has it then.
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
