/** Opens a text that is in no file, read-only in an editor. */
import { Uri, window, workspace } from 'vscode';

const SCHEME = 'bot-chats-text';

/** `name` is the title of the editor. */
export async function showReadOnly(name: string, text: string): Promise<void> {
  // Its own address, or VS Code would show the text that it opened before.
  const uri = Uri.from({ scheme: SCHEME, path: `/${name}`, query: crypto.randomUUID() });
  const provider = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (asked) => (asked.toString() === uri.toString() ? text : undefined),
  });
  try {
    await window.showTextDocument(uri);
  } finally {
    // The editor keeps the text that it got.
    provider.dispose();
  }
}
