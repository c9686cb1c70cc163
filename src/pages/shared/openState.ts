/** What a person opened stays open while its message is scrolled out of the page and back. */
import { useState } from 'preact/hooks';

const opened = new WeakMap<object, Set<string>>();

/** A state of a message's content, by a name: whether it is on, and what turns it. */
export function useOpenState(content: object, name: string): [boolean, (isOn: boolean) => void] {
  const [, repaint] = useState(0);
  const turn = (isOn: boolean) => {
    const names = opened.get(content) ?? new Set();
    if (isOn) names.add(name);
    else names.delete(name);
    opened.set(content, names);
    repaint((count) => count + 1);
  };
  return [opened.get(content)?.has(name) ?? false, turn];
}

/** What was opened of a content is open in the one that takes its place. */
export function carryOpenState(before: object, after: object): void {
  const names = opened.get(before);
  if (names) opened.set(after, names);
}
