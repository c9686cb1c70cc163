/** The tabs and editors that show documents as text. */
import { type Tab, TabInputText, type TextDocument, Uri, window, workspace } from 'vscode';

/** The scheme of texts that are in no file. */
const SCHEME = 'bot-chats-text';

/** All tabs of the window that show a document as text, with their documents, which VS Code may not have opened yet. */
export function textTabs(): { tab: Tab; uri: Uri }[] {
  return window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap((tab) => (tab.input instanceof TabInputText ? [{ tab, uri: tab.input.uri }] : [])),
  );
}

/** The tab that shows a document, the one in front of the others if there are several. */
export function tabOf(document: Uri): Tab | undefined {
  const tabs = textTabs().filter(({ uri }) => uri.toString() === document.toString());
  return (tabs.find(({ tab }) => tab.isActive) ?? tabs[0])?.tab;
}

/** False for documents such as old versions and reports. */
export const isEditable = ({ uri: { scheme } }: Pick<TextDocument, 'uri'>) =>
  scheme === 'untitled' || workspace.fs.isWritableFileSystem(scheme) === true;

/** Opens a text that is in no file, read-only in an editor. `name` is its title. */
export async function showReadOnly(name: string, text: string): Promise<void> {
  // Each text has an address of its own, or VS Code would show the one that it opened before.
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
