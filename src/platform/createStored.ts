import type { Memento, Uri } from 'vscode';
import { Audiences } from './audiences.ts';
import type { Stored } from './host.ts';
import { ListSettings } from './listSettings.ts';
import { openDurableFiles } from './openDurableFiles.ts';
import { Store } from './store.ts';

/** Creates what features share and activation doesn't need. `folder` is the extension's storage folder. */
export function createStored(memento: Memento, folder: Uri): Stored {
  return {
    audiences: new Audiences(),
    files: openDurableFiles(folder),
    lists: new ListSettings(),
    store: new Store(memento),
  };
}
