import { commands, window } from 'vscode';

/** Closes all editors; what was typed into untitled ones goes, and nobody is asked. */
export async function closeEditors(): Promise<void> {
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
