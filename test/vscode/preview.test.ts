import assert from 'node:assert/strict';
import { commands, TabInputWebview, window } from 'vscode';
import { closeEditors, once, openUntitled } from './editors.ts';

describe('The preview of a draft', () => {
  afterEach(closeEditors);

  const previews = () =>
    window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
      tabs.flatMap(({ input, label }) =>
        input instanceof TabInputWebview && input.viewType.endsWith('botChats.preview') ? [[label, viewColumn]] : [],
      ),
    );
  const untilPreviews = async (count: number) => {
    while (previews().length !== count) await once(window.tabGroups.onDidChangeTabs);
  };

  it('opens once beside its document, which keeps the focus, and closes with it', async () => {
    const document = await openUntitled('Hello', 'markdown');
    await window.showTextDocument(document);
    for (let times = 0; times < 2; times++) await commands.executeCommand('botChats.preview', document.uri);
    await untilPreviews(1);
    assert.deepEqual(previews(), [[`Preview ${document.uri.path}`, 2]]);
    assert.equal(window.activeTextEditor?.document, document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await untilPreviews(0);
  });
});
