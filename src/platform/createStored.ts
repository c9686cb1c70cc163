/** What features share of settings, secrets and storage. */
import type { Memento, SecretStorage, Uri } from 'vscode';
import { Audiences } from './audiences.ts';
import { databaseFiles } from './databaseFiles.ts';
import { diskFiles } from './diskFiles.ts';
import type { DurableFiles } from './durableFiles.ts';
import type { Stored } from './host.ts';
import { ListSettings } from './listSettings.ts';
import { NeverList } from './neverList.ts';
import { isBrowser } from './node.ts';
import { Settings } from './settings.ts';
import { Store } from './store.ts';
import { Tokens } from './tokens.ts';

/** Creates what features share and activation doesn't need. `storageUri` is the folder where the extension stores files. */
export function createStored(memento: Memento, storageUri: Uri, secrets: SecretStorage): Stored {
  return {
    audiences: new Audiences(),
    files: openDurableFiles(storageUri),
    lists: new ListSettings(),
    never: new NeverList(),
    settings: new Settings(),
    store: new Store(memento),
    tokens: new Tokens(secrets, memento),
  };
}

/** The durable files in a folder of the extension, which need not exist yet. */
export function openDurableFiles(folder: Uri): DurableFiles {
  // Other extensions share the browser's databases, so the name is the full address.
  return isBrowser() ? databaseFiles(folder.toString()) : diskFiles(folder.fsPath);
}
