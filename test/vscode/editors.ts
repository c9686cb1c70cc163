import { commands, window, workspace } from 'vscode';

/** Closes all editors and untitled documents, discarding changes without a prompt. */
export async function closeEditors(): Promise<void> {
  // Reverts rather than closes: a closed untitled document can stay in memory for minutes, and a new one with the same
  // name would be taken for it.
  const untitled = () => workspace.textDocuments.filter(({ isUntitled }) => isUntitled);
  for (const document of untitled()) {
    if (document.isClosed) continue;
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await commands.executeCommand('workbench.action.closeAllEditors');
  while (untitled().length > 0) {
    await new Promise<void>((resolve) => {
      const listening = workspace.onDidCloseTextDocument(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}
