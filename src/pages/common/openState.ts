/** Remembers what the user expanded while its message is scrolled out of the page and back. */
import { useState } from 'preact/hooks';

/** Names of the open parts, by message content. */
const openParts = new WeakMap<object, Set<string>>();

/** Whether a named part of a content is open, and a function to set that. */
export function useOpenState(content: object, name: string): [boolean, (isOpen: boolean) => void] {
  const [, repaint] = useState(0);
  const setOpen = (isOpen: boolean) => {
    const names = openParts.get(content) ?? new Set();
    if (isOpen) names.add(name);
    else names.delete(name);
    openParts.set(content, names);
    repaint((count) => count + 1);
  };
  return [openParts.get(content)?.has(name) ?? false, setOpen];
}

/** Copies the open state of a content to its replacement. */
export function carryOpenState(before: object, after: object): void {
  const names = openParts.get(before);
  if (names) openParts.set(after, names);
}
