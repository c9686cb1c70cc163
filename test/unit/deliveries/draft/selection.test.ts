import assert from 'node:assert/strict';
import { Selection, Uri, window, workspace } from 'vscode';
import { selectionDraft } from '../../../../src/deliveries/draft/selection.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { closeDocuments } from '../../vscode-editors.ts';

describe('A draft of the selection', () => {
  afterEach(() => {
    closeDocuments();
    Object.assign(workspace, { workspaceFolders: undefined });
  });

  const open = async (content: string, language: string) =>
    window.showTextDocument(await workspace.openTextDocument({ content, language }));
  const text = () => {
    const { content } = selectionDraft().message;
    return 'text' in content ? content.text : undefined;
  };

  it('is Markdown as it stands, and none without a selection', async () => {
    const editor = await open('# Not this\n\n**This** and\nthis\n', 'markdown');
    editor.selection = new Selection(2, 0, 3, 4);
    assert.match(selectionDraft().name, /^selection of Untitled-\d+$/);
    assert.equal(text(), '**This** and\nthis');
    editor.selection = new Selection(0, 0, 0, 0);
    assert.throws(selectionDraft, { message: 'Nothing is selected.' });
    closeDocuments();
    assert.throws(selectionDraft, { message: 'Nothing is selected.' });
  });

  it('has several selections in the order of the document, as copying has', async () => {
    const editor = await open('One\nTwo\nThree', 'markdown');
    editor.selections = [new Selection(2, 5, 2, 0), new Selection(0, 0, 0, 3), new Selection(1, 1, 1, 1)];
    assert.equal(text(), 'One\nThree');
  });

  it('warns of what is not as it looks: bold text whose stars stay, and braces in plain text', async () => {
    const bold = await open('**注意：**明天', 'markdown');
    bold.selection = new Selection(0, 0, 0, 9);
    assert.match(selectionDraft().problems?.join() ?? '', /^\*\*注意：\*\* isn't bold: /);
    const braces = await open('Hi {{name}}', 'plaintext');
    braces.selection = new Selection(0, 0, 0, 11);
    const { problems, message } = selectionDraft();
    assert.deepEqual(message.content, { text: 'Hi {{name}}' });
    assert.match(problems?.join() ?? '', /^Sent with their braces, as they are: \{\{name\}\}\./);
  });

  it('can have variables of the profile, and no others, as no file belongs to it', async () => {
    const select = async (content: string) => {
      const editor = await open(content, 'markdown');
      editor.selection = new Selection(0, 0, 0, content.length);
    };
    await select('Hi {{nickname|you}}');
    const { message, variables } = selectionDraft();
    assert.deepEqual(message, { contentType: 'markdown', content: { text: 'Hi {{nickname|you}}' } });
    assert.deepEqual(variables, ['nickname']);
    await select('Hi {{nickname}}, {{shift}}');
    assert.throws(selectionDraft, /\{\{shift\}\}/);
    await select('Write \\{{nickname}}');
    const { message: escaped, variables: none } = selectionDraft();
    assert.deepEqual(escaped, { contentType: 'markdown', content: { text: 'Write {{nickname}}' } });
    assert.equal(none, undefined);
  });

  it('never includes a chat block, unless as an example', async () => {
    const content = '---\nchat:\n  groups: [big]\n---\n\nHi\n';
    const editor = await open(content, 'markdown');
    editor.selection = new Selection(0, 0, 6, 0);
    assert.throws(selectionDraft, { message: "The selection includes a chat: block, which isn't part of a message." });
    editor.selection = new Selection(5, 0, 6, 0);
    assert.equal(text(), 'Hi\n');
    const example = await open(`\`\`\`yaml\n${content}\`\`\``, 'markdown');
    example.selection = new Selection(0, 0, 8, 3);
    assert.match(`${text()}`, /^```yaml\n---\nchat:/);
  });

  it('has code as blocks, with the name of the file but not where it is on the computer', async () => {
    const folder = Uri.file(temporaryPath('code'));
    Object.assign(workspace, { workspaceFolders: [{ uri: folder }] });
    const lines = ['def main():', '\tif a:', '\t\tb()', '\telse:', 'pass', 'c'];
    for (const [file, name] of [
      [Uri.joinPath(folder, 'src/main.py'), 'src/main.py'],
      [Uri.joinPath(Uri.file(temporaryPath('elsewhere')), 'main.py'), 'main.py'],
    ] as const) {
      await workspace.fs.writeFile(file, new TextEncoder().encode(lines.join('\r\n')));
      const editor = await window.showTextDocument(file);
      editor.selections = [new Selection(5, 0, 5, 1), new Selection(3, 6, 1, 1)];
      assert.equal(text(), `\`${name}\`\n\n\`\`\`python\nif a:\n\tb()\nelse:\n\`\`\`\n\n\`\`\`python\nc\n\`\`\``);
    }
    const untitled = await open('  a = 1', 'python');
    untitled.selection = new Selection(0, 0, 0, 7);
    assert.equal(text(), '```python\na = 1\n```');
  });
});
