import type { Disposable } from 'vscode';
import { systemClock } from '../service/clock.ts';

/** Creates disposables in a later turn of the event loop, so that activation doesn't wait for them: each provider takes time. */
export function defer(create: () => readonly Disposable[]): Disposable {
  let created: readonly Disposable[] = [];
  const cancel = systemClock.after(0, () => {
    created = create();
  });
  return {
    dispose: () => {
      cancel();
      for (const one of created) one.dispose();
    },
  };
}
