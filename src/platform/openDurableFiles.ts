import type { Uri } from 'vscode';
import { databaseFiles } from './databaseFiles.ts';
import { diskFiles } from './diskFiles.ts';
import type { DurableFiles } from './durableFiles.ts';
import { isBrowser } from './node.ts';

/** The durable files in a folder of the extension, which need not exist yet. */
export function openDurableFiles(folder: Uri): DurableFiles {
  // Other extensions share the browser's databases, so the name is the full address.
  return isBrowser() ? databaseFiles(folder.toString()) : diskFiles(folder.fsPath);
}
