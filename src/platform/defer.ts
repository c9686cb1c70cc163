import type { Disposable } from 'vscode';

/** Makes what start-up need not wait for in a later turn of the event loop, and disposes of it. */
export function defer(make: () => readonly Disposable[]): Disposable {
  let made: readonly Disposable[] = [];
  const waiting = setTimeout(() => {
    made = make();
  });
  return {
    dispose: () => {
      clearTimeout(waiting);
      for (const one of made) one.dispose();
    },
  };
}
