/** The tabs of the window. */
import { TabInputText, type Uri, window } from 'vscode';

/** The tab that shows a document as text, the one in front of the others if there are several. */
export function tabOf(document: Uri) {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(({ input }) => input instanceof TabInputText && `${input.uri}` === `${document}`);
  return shown.find(({ isActive }) => isActive) ?? shown[0];
}
