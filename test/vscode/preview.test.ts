import assert from 'node:assert/strict';
import { commands, TabInputWebview, window } from 'vscode';
import { closeEditors, openUntitled } from './editors.ts';

describe('The preview of a draft', () => {
  afterEach(closeEditors);

  const previews = () =>
    window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
      tabs.flatMap(({ input, label }) =>
        input instanceof TabInputWebview && input.viewType.endsWith('botChats.preview') ? [[label, viewColumn]] : [],
      ),
    );
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        const listening = window.tabGroups.onDidChangeTabs(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  };
  const untilPreviews = (count: number) => until(() => previews().length === count);

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

  it('shows the draft that takes the place of its own in the editor', async () => {
    const [one, two] = await Promise.all([1, 2].map((n) => openUntitled(`---\nchat:\n---\n${n}`, 'markdown')));
    assert.ok(one && two);
    await window.showTextDocument(one);
    await commands.executeCommand('botChats.preview', one.uri);
    await untilPreviews(1);
    await window.showTextDocument(two, { preview: false, viewColumn: 1 });
    await until(() => previews()[0]?.[0] === `Preview ${two.uri.path}`);
    assert.equal(previews().length, 1);
  });
});
