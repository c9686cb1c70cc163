import assert from 'node:assert/strict';
import { commands, window } from 'vscode';
import { showReadOnly } from '../../src/presentation/textEditors.ts';

describe('A text that is in no file', () => {
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  it('is shown whole in an editor that takes no changes', async () => {
    const first = '好\n'.repeat(25_000);
    for (const text of [first, 'second']) {
      await showReadOnly('Error', text);
      const editor = window.activeTextEditor;
      assert.equal(editor?.document.getText(), text);
      await commands.executeCommand('type', { text: 'x' });
      assert.equal(editor?.document.getText(), text);
      assert.equal(editor?.document.isDirty, false);
    }
  });
});
