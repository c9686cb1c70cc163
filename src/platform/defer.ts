import type { Disposable } from 'vscode';

/** Creates disposables in a later turn of the event loop, so that activation doesn't wait for them. */
export function defer(create: () => readonly Disposable[]): Disposable {
  let created: readonly Disposable[] = [];
  const timer = setTimeout(() => {
    created = create();
  });
  return {
    dispose: () => {
      clearTimeout(timer);
      for (const one of created) one.dispose();
    },
  };
}
