import { commands, TabInputText, window, workspace } from 'vscode';

/** Closes all editors; what was typed into untitled ones goes, and nobody is asked. */
export async function closeEditors(): Promise<void> {
  const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = new Set(tabs().map(({ input }) => (input instanceof TabInputText ? String(input.uri) : '')));
  while (tabs().length > 0) await commands.executeCommand('workbench.action.closeAllEditors');
  // The next untitled document may get the name of one of these, and would be taken for it while that is known here.
  while (workspace.textDocuments.some(({ uri, isUntitled }) => isUntitled && shown.has(String(uri)))) {
    await new Promise<void>((resolve) => {
      const listening = workspace.onDidCloseTextDocument(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}
