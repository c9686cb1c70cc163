/** What features share, from storage and settings. */
import type { Memento, Uri } from 'vscode';
import { Audiences } from './audiences.ts';
import { databaseFiles } from './databaseFiles.ts';
import { diskFiles } from './diskFiles.ts';
import type { DurableFiles } from './durableFiles.ts';
import type { Stored } from './host.ts';
import { ListSettings } from './listSettings.ts';
import { NeverList } from './neverList.ts';
import { isBrowser } from './node.ts';
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
    never: new NeverList(),
    store: new Store(memento),
  };
}

/** The durable files in a folder of the extension, which need not exist yet. */
export function openDurableFiles(folder: Uri): DurableFiles {
  // Other extensions share the browser's databases, so the name is the full address.
  return isBrowser() ? databaseFiles(folder.toString()) : diskFiles(folder.fsPath);
}
