import { commands, window, workspace } from 'vscode';

/** Closes all editors and untitled documents; what was typed into them goes, and nobody is asked. */
export async function closeEditors(): Promise<void> {
  // The next untitled document may get the name of one of these, and would be taken for it while that is known here:
  // one that is only closed may stay known for minutes, one that is reverted is gone.
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
