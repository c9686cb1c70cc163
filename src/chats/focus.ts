import { commands, type TreeView } from 'vscode';

/**
 * What a key is pressed on: the selection if the focus is in it, and else the one node that has the focus, as in every
 * tree of VS Code. It tells extensions only of the selection; what has the focus shows when that is toggled and back.
 */
export async function focusedNodes<T>(view: TreeView<T>): Promise<readonly T[]> {
  const selected = view.selection;
  await commands.executeCommand('list.toggleSelection');
  const toggled = view.selection;
  await commands.executeCommand('list.toggleSelection');
  const added = toggled.find((node) => !selected.includes(node));
  return added === undefined ? selected : [added];
}
