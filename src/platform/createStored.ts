import type { Memento, Uri } from 'vscode';
import { Audiences } from './audiences.ts';
import type { Stored } from './host.ts';
import { ListSettings } from './listSettings.ts';
import { openDurableFiles } from './openDurableFiles.ts';
import { Store } from './store.ts';

/**
 * Creates what features share and activation doesn't need. `folder` is the extension's storage folder. Only the schemas of
 * settings and tokens are loaded with activation: compiling the pattern of an ID would take half as long again.
 */
export function createStored(memento: Memento, folder: Uri): Stored {
  return {
    audiences: new Audiences(),
    files: openDurableFiles(folder),
    lists: new ListSettings(),
    store: new Store(memento),
  };
}
