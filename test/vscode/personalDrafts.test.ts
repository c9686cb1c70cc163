import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  commands,
  type Hover,
  languages,
  type MarkdownString,
  Position,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { type TestService, useService } from '../unit/test-service.ts';
import { closeEditors } from './editors.ts';

describe('The editor of a draft with variables', () => {
  let service: TestService;
  let folder: string;

  before(async () => {
    service = await useService({ people: ['7058314'] });
  });

  after(() => service.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drafts-'));
  });

  afterEach(async () => {
    await closeEditors();
    service.requests.splice(0);
  });

  const write = (...rows: string[]) => writeFile(join(folder, 'customers.csv'), rows.join('\n'));
  const open = async (...lines: string[]) => {
    const path = join(folder, 'order.md');
    await writeFile(path, lines.join('\n'));
    const document = await workspace.openTextDocument(Uri.file(path));
    await window.showTextDocument(document);
    return document;
  };
  const csv = () => Uri.file(join(folder, 'customers.csv'));
  const messagesOf = (uri: Uri) =>
    languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === 'Bot Chats')
      .map(({ message, severity, range }) => `${severity} ${range.start.line + 1}: ${message}`);

  /** Resolves once a document has these diagnostics. */
  async function shows(uri: Uri, ...expected: string[]): Promise<void> {
    while (JSON.stringify(messagesOf(uri)) !== JSON.stringify(expected)) {
      await new Promise<void>((resolve) => {
        const listening = languages.onDidChangeDiagnostics(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  }

  const HEAD = ['---', 'chat:', '  recipients: customers.csv', '  kind: person', '---', ''];

  it('shows what is wrong with the variables and with each row, and notices changes of the file', async () => {
    await write('id,name,order,city', '7058314,Ann,,Bonn', 'x y,Bo,2,Rome', '7102649,Cy,3,Oslo');
    const document = await open(...HEAD, 'Dear {{name}}, {{order}} {{nmae}}');
    await shows(
      document.uri,
      "0 3: customers.csv has a row that can't be used, on line 3.",
      '2 3: Never used in this document: city.',
      '1 7: {{order}} is empty for 1 recipient, on line 2.',
      '0 7: Unknown variable {{nmae}}. To send the braces as they are, put a backslash before them.',
    );
    await shows(
      csv(),
      "0 3: This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
    );
    await replaceAndSave(await workspace.openTextDocument(csv()), 'id,name,order\n7058314,Ann,1\n7102649,Cy,3');
    await shows(
      document.uri,
      '0 7: Unknown variable {{nmae}}. To send the braces as they are, put a backslash before them.',
    );
    await shows(csv());
    assert.deepEqual(service.requests, []);
  });

  async function replaceAndSave(document: TextDocument, text: string): Promise<void> {
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
    await workspace.applyEdit(edit);
    await document.save();
  }

  it('offers quick fixes', async () => {
    await write('id,name,order', '7058314,Ann,1', '7102649,,2');
    const document = await open('---', 'chat:', '  recipients: customers.csv', '---', '', '{{name}} {{oder}} {{x}}');
    await shows(
      document.uri,
      "0 3: customers.csv doesn't say whether its IDs are those of people or of groups. Add kind.",
      '2 3: Never used in this document: order.',
      '0 6: Unknown variable {{oder}}. To send the braces as they are, put a backslash before them.',
      '0 6: Unknown variable {{x}}. To send the braces as they are, put a backslash before them.',
    );
    await fix(document, 'customers.csv', 'Add kind: person');
    await fix(document, '{{oder}}', 'Rename to order');
    await fix(document, '{{x}}', 'Send the braces as they are');
    assert.equal(
      document.getText(),
      ['---', 'chat:', '  recipients: customers.csv', '  kind: person', '---', '', '{{name}} {{order}} \\{{x}}'].join(
        '\n',
      ),
    );
    await shows(document.uri, '1 7: {{name}} is empty for 1 recipient, on line 3.');
    await fix(document, '{{name}}', 'Add a default text');
    assert.match(document.getText(), /\{\{name\|\}\}/);
  });

  async function fix(document: TextDocument, text: string, title: string): Promise<void> {
    const at = document.positionAt(document.getText().indexOf(text));
    const actions: CodeAction[] = await commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      new Range(at, at.translate(0, 1)),
    );
    const action = actions.find((one) => one.title === title);
    assert.ok(action?.edit, `${title} is not among ${actions.map((one) => one.title).join(', ')}`);
    await workspace.applyEdit(action.edit);
  }

  it('completes variables, kinds and files, and says what a variable stands for', async () => {
    await write('id,name,order', '7058314,Ann,1', '7102649,,2', '7230581,Cy,3', '7315926,Di,4');
    const document = await open('---', 'chat:', '  recipients: ', '  kind: ', '---', '', 'Dear {{}}');
    const complete = async (line: number, character: number) => {
      const list: CompletionList = await commands.executeCommand(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new Position(line, character),
      );
      return list.items.map(({ label, insertText }) => [typeof label === 'string' ? label : label.label, insertText]);
    };
    assert.deepEqual((await complete(2, 14))[0], ['customers.csv', 'customers.csv']);
    const kinds = (await complete(3, 8)).map(([label]) => label);
    assert.ok(kinds.includes('person') && kinds.includes('group'));
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, new Position(2, 14), 'customers.csv');
    edit.insert(document.uri, new Position(3, 8), 'person');
    await workspace.applyEdit(edit);
    assert.deepEqual((await complete(6, 7)).slice(0, 4), [
      ['id', 'id'],
      ['name', 'name'],
      ['order', 'order'],
      ['nickname', 'nickname'],
    ]);
    const more = new WorkspaceEdit();
    more.insert(document.uri, new Position(6, 7), 'name|friend');
    await workspace.applyEdit(more);
    const hovers: Hover[] = await commands.executeCommand(
      'vscode.executeHoverProvider',
      document.uri,
      new Position(6, 9),
    );
    const text = hovers.flatMap(({ contents }) => contents.map((one) => (one as MarkdownString).value)).join('\n');
    const plain = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    assert.match(
      plain,
      /A column of the recipient file\.\s+Ann: Ann\s+7102649: friend\s+Cy: Cy\s+… and 1 more\s+If it is empty: friend/,
    );
  });

  it('says in its CodeLens how many people get the message', async () => {
    await write('id,name,city', ...Array.from({ length: 1_204 }, (_, at) => `${7_000_000 + at},A,B`));
    const document = await open(...HEAD, 'Dear {{name}}');
    await shows(document.uri, '2 3: Never used in this document: city.');
    const lenses: CodeLens[] = await commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 9);
    assert.equal(lenses[0]?.command?.title, 'Send to 1,204 people');
    assert.deepEqual(service.requests, []);
  });
});
