import type { Disposable } from 'vscode';

/** Makes what VS Code does not wait for once it has gone on with its start, and disposes of it. */
export function later(make: () => readonly Disposable[]): Disposable {
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
