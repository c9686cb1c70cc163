import { addChatAgent } from '../host/chatAgent.ts';
import type { Settings } from '../host/profile.ts';
import { type Editor, startEditor, type Window, type WindowOptions } from '../host/window.ts';
import { share } from '../shared.ts';

/** No automatic refresh, and nothing that moves or is drawn without need. */
export const testSettings: Settings = {
  'botChats.history.refreshSeconds': 0,
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'workbench.reduceMotion': 'on',
};

let editor: Promise<Editor> | undefined;

/** Opens a window in the VS Code that all test files of a process share. Close the previous one first. */
export async function openWindow({ settings, ...options }: WindowOptions = {}): Promise<Window> {
  editor ??= start();
  return (await editor).open({ ...options, settings: { ...testSettings, ...settings } });
}

async function start(): Promise<Editor> {
  const started = await startEditor({ prepare: addChatAgent });
  // A worker of Mocha keeps it for its next file. It ends with the worker.
  if (!process.env.MOCHA_WORKER_ID)
    share({
      close() {
        editor = undefined;
        return started.close();
      },
    });
  return started;
}
