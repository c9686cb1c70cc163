import {
  commands,
  type Event,
  languages,
  Position,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';

let opened = 0;

/** Opens an untitled document whose name is never used again: VS Code may take a new one for a closed one of its name. */
export async function openUntitled(content: string, language: string): Promise<TextDocument> {
  const uri = Uri.from({ scheme: 'untitled', path: `Untitled-${1000 + ++opened}` });
  const document = await languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), language);
  const edit = new WorkspaceEdit();
  edit.insert(uri, new Position(0, 0), content);
  await workspace.applyEdit(edit);
  return document;
}

/** Closes all editors and untitled documents, discarding changes without a prompt. */
export async function closeEditors(): Promise<void> {
  const untitled = () => workspace.textDocuments.find(({ isUntitled }) => isUntitled);
  // Reverts rather than closes: a closed untitled document can stay in memory for minutes. Until there is none, because
  // another editor may become active meanwhile and be reverted instead.
  for (let document = untitled(); document; document = untitled()) {
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await commands.executeCommand('workbench.action.closeAllEditors');
}

/** Resolves when an event happens for the next time. */
export function once(event: Event<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const listening = event(() => {
      listening.dispose();
      resolve();
    });
  });
}
