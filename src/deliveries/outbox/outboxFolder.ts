/** What can be known about the outbox without loading what reads it. */
import { Uri, workspace } from 'vscode';
import { isBrowser } from '../../platform/node.ts';

/** Whether there are files for deliveries that are being sent, or that are scheduled. Reads as little as possible. */
export async function hasFiles(outbox: Uri, name: 'running' | 'scheduled'): Promise<boolean> {
  // In a browser, everything is loaded already.
  if (isBrowser()) return true;
  return workspace.fs.readDirectory(Uri.joinPath(outbox, name)).then(
    // A window that was killed may have left a temporary file, whose name has a dot.
    (files) => files.some(([name]) => !name.includes('.')),
    () => false,
  );
}
