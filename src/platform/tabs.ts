/** The tabs of the window that show documents as text. */
import { type Tab, TabInputText, type Uri, window } from 'vscode';

/** All of them, with their documents, which VS Code may not have opened yet. */
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
