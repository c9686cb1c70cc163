/** What activation leaves for later. */
import { type Disposable, type WebviewPanel, window } from 'vscode';
import { systemClock } from '../service/clock.ts';
import type { Commands } from './commands.ts';

/** A promise that is created on first use, and again after a failure. */
export interface Once<T> {
  (): Promise<T>;
  /** Undefined until it's used. */
  readonly loaded: Promise<T> | undefined;
}

/** Calls `create` once, unless it fails: one failed import mustn't disable a feature until the window is reloaded. */
export function once<T>(create: () => Promise<T>): Once<T> {
  let loaded: Promise<T> | undefined;
  const get = () => {
    if (!loaded) {
      loaded = create();
      loaded.catch(() => {
        loaded = undefined;
      });
    }
    return loaded;
  };
  return Object.defineProperty(get, 'loaded', { get: () => loaded }) as Once<T>;
}

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

/**
 * Restores panels of a type when VS Code shows their tabs after a reload. Closes one that can't be restored: VS Code would keep
 * its tab, and `OpenPanels.find` would wait for it forever.
 */
export const restorePanels = (
  viewType: string,
  panels: () => Promise<{ restore(panel: WebviewPanel, state: unknown): unknown }>,
  commands: Pick<Commands, 'report'>,
): Disposable =>
  window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: (panel, state) =>
      commands.report(async () => {
        try {
          await (await panels()).restore(panel, state);
        } catch (error) {
          panel.dispose();
          throw error;
        }
      }),
  });
