import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  commands,
  type Diagnostic,
  type Hover,
  languages,
  type MarkdownString,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { startService, type TestService } from '../unit/test-service.ts';
import { closeEditors, once, openUntitled } from './editors.ts';

const BOT = '30481126';
const GROUP = '518204736';

describe('The editor of drafts', () => {
  let service: TestService;

  before(async () => {
    service = await startService({ groups: [{ id: GROUP, label: 'The shop' }, 'big'], bots: [BOT] });
  });
  after(() => service.close());

  afterEach(async () => {
    await closeEditors();
    service.requests.splice(0);
  });

  const openWithBlock = (...lines: string[]) =>
    openUntitled(['---', 'chat:', ...lines.map((line) => `  ${line}`), '---', '', 'Hi'].join('\n'), 'markdown');

  /** Resolves to the messages of a document, or of another file, once it has this many problems. */
  async function problemsOf(uri: Uri, count: number): Promise<Diagnostic[]> {
    const all = languages.getDiagnostics(uri).filter(({ source }) => source === 'Bot Chats');
    if (all.length === count) return all;
    await once(languages.onDidChangeDiagnostics);
    return problemsOf(uri, count);
  }

  async function replace(document: TextDocument, text: string, by: string): Promise<void> {
    const start = document.getText().indexOf(text);
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(document.positionAt(start), document.positionAt(start + text.length)), by);
    await workspace.applyEdit(edit);
  }

  it('shows what is wrong until it is fixed, or the document is closed', async () => {
    const document = await openWithBlock('bots: 1', 'groups: [big, big]');
    assert.deepEqual(
      (await problemsOf(document.uri, 2)).map(({ message, severity, range }) => [
        message,
        severity,
        document.getText(range),
      ]),
      [
        ['Unknown key bots.', 0, 'bots'],
        ['big is listed twice. Only one message is sent.', 1, 'big'],
      ],
    );
    await replace(document, 'bots', 'bot');
    await problemsOf(document.uri, 1);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await problemsOf(document.uri, 0);
    assert.deepEqual(service.requests, []);
  });

  it('offers completions, explanations, CodeLenses and quick fixes', async () => {
    const document = await openWithBlock('groups: [', 'buttons: []', 'tipe: text');
    const { uri } = document;
    const endOf = (text: string) => document.positionAt(document.getText().indexOf(text) + text.length);
    const list: CompletionList = await commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      uri,
      endOf('groups: ['),
    );
    assert.deepEqual(
      list.items.filter(({ insertText }) => insertText === `[${GROUP}`).map(({ label }) => label),
      [{ label: 'The shop', description: GROUP }],
    );
    await replace(document, 'groups: [', `groups: [${GROUP}, big]`);
    const hovers: Hover[] = await commands.executeCommand('vscode.executeHoverProvider', uri, endOf('butt'));
    const [text] = hovers.flatMap(({ contents }) => contents.map((content) => (content as MarkdownString).value));
    assert.match(text ?? '', /^Rows of buttons below the message/);
    const lenses = async () => {
      const all: CodeLens[] = await commands.executeCommand('vscode.executeCodeLensProvider', uri, 9);
      return all.map(({ command }) => [command?.title, command?.command]);
    };
    assert.deepEqual((await lenses())[0], ['1 problem', 'workbench.actions.view.problems']);
    await problemsOf(uri, 1);
    const at = endOf('tipe');
    const actions: CodeAction[] = await commands.executeCommand(
      'vscode.executeCodeActionProvider',
      uri,
      new Range(at, at),
    );
    const fix = actions.find(({ title }) => title === 'Rename to type');
    assert.ok(fix?.edit, `not among ${actions.map(({ title }) => title).join(', ')}`);
    await workspace.applyEdit(fix.edit);
    await problemsOf(uri, 0);
    assert.deepEqual(await lenses(), [
      ['Send to 2 groups', 'botChats.sendActiveMarkdown'],
      ['Preview', 'botChats.preview'],
    ]);
    assert.deepEqual(service.requests, []);
  });

  it('opens a new message whose recipients and text are filled in one after the other', async () => {
    await commands.executeCommand('botChats.newMessage');
    const editor = window.activeTextEditor ?? assert.fail('no editor');
    const typed = ['518204736', '7058314', 'Hello'];
    for (const [at, text] of typed.entries()) {
      if (at > 0) await commands.executeCommand('jumpToNextSnippetPlaceholder');
      await commands.executeCommand('type', { text });
    }
    assert.match(
      editor.document.getText(),
      /^---\nchat:\n(?: {2}bot: .*\n)? {2}groups: \[518204736\]\n {2}people: \[7058314\]\n {2}# recipients: .*\n {2}# kind: person\n {2}# buttons: .*\n---\n\nHello$/,
    );
  });

  it('opens a new message to the recipients in a CSV file, which is saved beside it without a question', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'drafts-'));
    await writeFile(join(folder, 'shifts.csv'), 'id,shift\n7058314,early');
    await commands.executeCommand('botChats.newMessageFromFile', Uri.file(join(folder, 'shifts.csv')));
    const { document } = window.activeTextEditor ?? assert.fail('no editor');
    assert.deepEqual([document.isUntitled, document.languageId], [true, 'markdown']);
    await document.save();
    assert.match(
      await readFile(join(folder, 'shifts.md'), 'utf8'),
      /^---\nchat:\n(?: {2}bot: .*\n)? {2}recipients: "shifts.csv"\n {2}kind: person\n---\n\n\{\{shift\}\}$/,
    );
  });
});
