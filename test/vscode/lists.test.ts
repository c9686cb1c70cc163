import assert from 'node:assert/strict';
import { Range, Uri, WorkspaceEdit, workspace } from 'vscode';
import { addEntries } from '../../src/platform/idLists.ts';
import { ListSettings } from '../../src/platform/listSettings.ts';
import { configure, configureWorkspace, written } from '../unit/test-service.ts';

const service = {};
const settings = new ListSettings();

describe('The lists in settings', () => {
  afterEach(async () => {
    await configureWorkspace('groups', undefined);
    await configure({ groups: undefined });
  });

  it('say why they cannot be written, and recover once that is fixed', async () => {
    // What the service of another file left in the user's settings would be edited instead of the workspace's.
    await configure({ groups: undefined });
    await configureWorkspace('groups', ['w']);
    const [folder] = workspace.workspaceFolders ?? [];
    assert(folder);
    const file = await workspace.openTextDocument(Uri.joinPath(folder.uri, '.vscode/settings.json'));
    const sound = file.getText();
    await rewrite(file.uri, `${sound} }`);
    const add = () => settings.edit('group', service, (lists) => addEntries(lists, [{ id: 'a' }]));
    try {
      await assert.rejects(add, /settings/i);
      assert.deepEqual(written('groups'), { workspace: ['w'], user: undefined });
    } finally {
      await rewrite(file.uri, sound);
    }
    await add();
    assert.deepEqual(written('groups'), { workspace: ['w', 'a'], user: undefined });
  });
});

/** Replaces a file's text in the editor and saves it, so that VS Code reads it again. */
async function rewrite(uri: Uri, text: string): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  const edit = new WorkspaceEdit();
  edit.replace(uri, new Range(0, 0, document.lineCount, 0), text);
  await workspace.applyEdit(edit);
  await document.save();
}
