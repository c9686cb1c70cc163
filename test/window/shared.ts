import type { Settings } from '../host/profile.ts';
import { type Editor, startEditor, type Window, type WindowOptions } from '../host/window.ts';
import { share } from '../shared.ts';

/** Cards and lists are there at once, or gone; nobody but the test hurries. */
const calm: Settings = { 'workbench.reduceMotion': 'on', 'botChats.history.refreshSeconds': 0 };

/** For a walk of many steps (milliseconds): only what hangs takes so long. */
export const MINUTES = 180_000;

let editor: Promise<Editor> | undefined;

/** Opens a window in the VS Code that walks share. The one before has to be closed. */
export async function openWindow({ settings, ...options }: WindowOptions = {}): Promise<Window> {
  editor ??= start();
  return (await editor).open({ ...options, settings: { ...calm, ...settings } });
}

async function start(): Promise<Editor> {
  const started = await startEditor();
  share({
    close() {
      editor = undefined;
      return started.close();
    },
  });
  return started;
}
