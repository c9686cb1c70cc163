import assert from 'node:assert/strict';
import {
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  commands,
  type Diagnostic,
  type Hover,
  languages,
  type MarkdownString,
  Position,
  Range,
  type SnippetString,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { DraftCache, DraftReader } from '../../src/drafts/draftReader.ts';
import { codeLenses } from '../../src/drafts/editing/codeLens.ts';
import { completionItems } from '../../src/drafts/editing/completion.ts';
import { createEditing } from '../../src/drafts/editing/createEditing.ts';
import { registerEditing } from '../../src/drafts/editing/index.ts';
import { newHost } from '../unit/test-host.ts';
import { configure, newConnection, type TestService, useService } from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

const BOT = '30481126';
const GROUP = '518204736';

let opened = 0;

/** Names each document uniquely, because VS Code may reuse the text of an earlier one with the same name. */
async function open(...lines: string[]): Promise<TextDocument> {
  const uri = Uri.from({ scheme: 'untitled', path: `/draft-${++opened}.md` });
  const document = await workspace.openTextDocument(uri);
  const edit = new WorkspaceEdit();
  edit.insert(uri, new Position(0, 0), lines.join('\n'));
  await workspace.applyEdit(edit);
  return document;
}
const openWithBlock = (...lines: string[]) =>
  open('---', 'chat:', ...lines.map((line) => `  ${line}`), '---', '', 'Hi');

const diagnosticsOf = (uri: Uri): Diagnostic[] =>
  languages.getDiagnostics(uri).filter(({ source }) => source === 'Bot Chats');

/** Resolves to a document's diagnostics once it has this many. */
async function waitForDiagnostics({ uri }: TextDocument, count: number): Promise<Diagnostic[]> {
  while (diagnosticsOf(uri).length !== count) {
    await new Promise<void>((resolve) => {
      const listening = languages.onDidChangeDiagnostics(() => {
        listening.dispose();
        resolve();
      });
    });
  }
  return diagnosticsOf(uri);
}

async function replace(document: TextDocument, text: string, by: string): Promise<void> {
  const start = document.getText().indexOf(text);
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(start), document.positionAt(start + text.length)), by);
  await workspace.applyEdit(edit);
}

describe('The draft editor', () => {
  let service: TestService;

  before(async () => {
    service = await useService({
      groups: [{ id: GROUP, label: 'The shop' }, 'big'],
      bots: [BOT],
      people: ['7058314', '9999999'],
    });
  });

  after(() => service.close());

  afterEach(async () => {
    await closeEditors();
    service.requests.splice(0);
  });

  it('shows diagnostics where the problems are, and removes them once fixed', async () => {
    const document = await openWithBlock('bots: 1', 'groups: [big, big]');
    const shown = await waitForDiagnostics(document, 2);
    assert.deepEqual(
      shown.map(({ message, severity, range }) => [message, severity, document.getText(range)]),
      [
        ['Unknown key bots.', 0, 'bots'],
        ['big is listed twice. Only one message is sent.', 1, 'big'],
      ],
    );
    assert.equal(shown[1]?.range.start.character, 16);
    await replace(document, 'bots', 'bot');
    await waitForDiagnostics(document, 1);
    await replace(document, ', big', '');
    await waitForDiagnostics(document, 0);
    assert.deepEqual(service.requests, []);
  });

  it('opens a new message to a chat, with the cursor at its end and the preview beside it', async () => {
    await commands.executeCommand('botChats.newMessage', { kind: 'group', id: GROUP, botId: BOT });
    const { document, selection } = window.activeTextEditor ?? assert.fail('no editor');
    assert.match(
      document.getText(),
      /^---\nchat:\n {2}bot: "30481126"\n {2}groups:\n {4}- "518204736"( # .+)?\n---\n\n$/,
    );
    assert.deepEqual([selection.active.line, selection.active.character], [7, 0]);
    const isPreviewed = () =>
      window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => /^Preview /.test(label)));
    while (!isPreviewed()) {
      await new Promise<void>((resolve) => {
        const listening = window.tabGroups.onDidChangeTabs(() => {
          listening.dispose();
          resolve();
        });
      });
    }
    const problems = await waitForDiagnostics(document, 1);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['emptyBody'],
    );
  });

  it('shows nothing in a document without a chat block', async () => {
    const others = [
      await open('# Read me', '', '![a](b.png)'),
      await open('---', 'title: [', '---', '![a](b.png)'),
      await open('---', '', 'chat: a rule, and no end', '', '![a](b.png)'),
      await openUntitled('---\nchat: a\n---\n', 'plaintext'),
    ];
    await waitForDiagnostics(await openWithBlock('wat: 1'), 1);
    for (const other of others) assert.deepEqual(diagnosticsOf(other.uri), []);
  });

  it('clears the diagnostics of a document that was closed or lost its block', async () => {
    const document = await openWithBlock('wat: 1');
    await waitForDiagnostics(document, 1);
    await replace(document, 'chat', 'other');
    await waitForDiagnostics(document, 0);
    await replace(document, 'other', 'chat');
    await waitForDiagnostics(document, 1);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await waitForDiagnostics(document, 0);
  });

  it('warns about recipients known not to exist, without sending requests', async () => {
    const document = await openWithBlock('people: [9999999, 7058314, 9999999]');
    await waitForDiagnostics(document, 1);
    assert.deepEqual(service.requests, []);
    const at = document.positionAt(document.getText().indexOf('9999999') + 1);
    await commands.executeCommand('vscode.executeHoverProvider', document.uri, at);
    const messages = (await waitForDiagnostics(document, 2)).map(({ message }) => message);
    assert.ok(messages.includes("Person 9999999 doesn't exist."), messages.join('\n'));
    assert.equal(service.requests.length, 1);
  });

  it('offers quick fixes', async () => {
    const document = await openWithBlock('to: [1]', 'type: md', 'people:', '  - 7058314', '  - 7058314');
    await waitForDiagnostics(document, 3);
    const fixes = async (text: string) => {
      const at = document.positionAt(document.getText().lastIndexOf(text));
      const range = new Range(at, at.translate(0, 1));
      const actions: CodeAction[] = await commands.executeCommand(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      return actions.filter(({ edit, kind }) => edit && kind?.value === 'quickfix');
    };
    const applyFix = async (text: string, title: string) => {
      const action = (await fixes(text)).find((one) => one.title === title);
      assert.ok(action?.edit, title);
      await workspace.applyEdit(action.edit);
    };
    assert.deepEqual(await fixes('Hi'), []);
    await applyFix('to', 'Rename to groups');
    await applyFix('md', 'Replace with markdown');
    await applyFix('7058314', 'Remove from the list');
    const block = ['chat:', '  groups: [1]', '  type: markdown', '  people:', '    - 7058314'];
    assert.equal(document.getText(), ['---', ...block, '---', '', 'Hi'].join('\n'));
    await waitForDiagnostics(document, 0);
  });

  const completions = async (document: TextDocument, before: string) => {
    const at = document.positionAt(document.getText().indexOf(before) + before.length);
    const { items }: CompletionList = await commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at,
    );
    // VS Code also suggests snippets and words of the document.
    return items.filter(({ kind }) => kind !== CompletionItemKind.Text && kind !== CompletionItemKind.Snippet);
  };
  const labels = (items: readonly Pick<CompletionItem, 'label'>[]) =>
    items.map(({ label }) => (typeof label === 'string' ? label : label.label));

  it('completes keys that are not used yet', async () => {
    const document = await openWithBlock('bot: 1', 'gr', 'buttons:', '  - - text: a', '      o');
    const inBlock = await completions(document, '  gr');
    assert.deepEqual(labels(inBlock), [
      'groups',
      'people',
      'audiences',
      'recipients',
      'kind',
      'type',
      'imageKey',
      'fileName',
      'fileUrl',
    ]);
    const [{ insertText } = {}] = inBlock;
    assert.equal((insertText as SnippetString).value, 'groups:\n  - $0');
    assert.deepEqual(labels(await completions(document, '      o')), ['opens', 'copies', 'reports']);
  });

  it('completes types and the IDs in the sidebar, with known names', async () => {
    const document = await openWithBlock('type: ', 'groups:', '  - ', 'bot: ');
    assert.deepEqual(labels(await completions(document, 'type: ')), ['file', 'html', 'image', 'markdown', 'text']);
    const groups = await completions(document, '  - ');
    assert.deepEqual(
      groups.map(({ label, insertText }) => [label, insertText]),
      [
        [{ label: 'big', description: '' }, 'big'],
        [{ label: 'The shop', description: GROUP }, GROUP],
      ],
    );
    assert.deepEqual(labels(await completions(document, 'bot: ')), [BOT]);
    assert.deepEqual(service.requests, []);
  });

  it('completes IDs by looked-up names, and audiences by their names', async () => {
    const connection = newConnection();
    try {
      const { directory } = await connection.open();
      await directory.get('user', '7058314');
      await directory.get('group', GROUP);
      service.requests.splice(0);
      await configure({ audiences: { customers: { people: ['1'] }, 'two words': { people: ['2'] } } });
      const host = newHost({ connection });
      const document = await openWithBlock('people: [', 'groups: [', 'audiences: [');
      const at = (line: number) => completionItems(document, document.lineAt(line).range.end, host);
      const shown = async (line: number) => {
        const items = (await at(line)) ?? [];
        return labels(items).map((label, index) => [label, items[index]?.insertText, items[index]?.filterText]);
      };
      assert.deepEqual(await shown(2), [
        ['Alice Fernhollow', '7058314', '7058314 Alice Fernhollow'],
        ['9999999', '9999999', '9999999 9999999'],
      ]);
      assert.equal((await shown(3))[0]?.[0], 'The shop · Fern & Kettle: the shop team');
      assert.deepEqual(
        (await shown(4)).map(([label, text]) => [label, text]),
        [
          ['customers', 'customers'],
          ['two words', '"two words"'],
        ],
      );
      assert.deepEqual(service.requests, []);
    } finally {
      connection.dispose();
    }
  });

  it('completes nothing outside the block', async () => {
    const document = await open('---', 'title: x', 'chat:', '  bot: 1', '---', '', 'type: ');
    assert.deepEqual(await completions(document, 'title: '), []);
    assert.deepEqual(await completions(document, '\ntype: '), []);
  });

  it('explains a key on hover', async () => {
    const document = await openWithBlock('type: text', 'buttons: []');
    const hover = async (text: string): Promise<string> => {
      const position = document.positionAt(document.getText().indexOf(text) + 1);
      const hovers: Hover[] = await commands.executeCommand('vscode.executeHoverProvider', document.uri, position);
      return hovers.flatMap(({ contents }) => contents.map((content) => (content as MarkdownString).value)).join('\n');
    };
    assert.match(await hover('buttons'), /^Rows of buttons below the message/);
    assert.equal(await hover('text'), '');
    assert.equal(await hover('Hi'), '');
  });

  const lenses = async ({ uri }: TextDocument) => {
    const all: CodeLens[] = await commands.executeCommand('vscode.executeCodeLensProvider', uri, 9);
    return all.map(({ command, range }) => [command?.title, command?.command, range.start.line, command?.arguments]);
  };

  it('shows CodeLenses to send, with the number of chats, and to preview', async () => {
    const document = await openWithBlock(`groups: [${GROUP}, big, big]`, 'people: [7058314]');
    const { uri } = document;
    assert.deepEqual(
      (await lenses(document)).map(([title, command, line, args]) => [title, command, line, String(args)]),
      [
        ['Send to 3 chats', 'botChats.sendActiveMarkdown', 0, String(uri)],
        ['Preview', 'botChats.preview', 0, String(uri)],
      ],
    );
    assert.deepEqual((await lenses(await openWithBlock('type: text')))[0]?.[0], 'Send…');
    assert.deepEqual((await lenses(await openWithBlock('groups: [big]')))[0]?.[0], 'Send to 1 group');
    assert.deepEqual(await lenses(await open('---', 'title: x', '---', 'Hi')), []);
    assert.deepEqual(service.requests, []);
  });

  it('shows a CodeLens for the problems instead of sending', async () => {
    const [first] = await lenses(await openWithBlock('wat: 1', 'wot: 1', 'imageKey: k'));
    assert.deepEqual(first?.slice(0, 2), ['2 problems', 'workbench.actions.view.problems']);
    assert.deepEqual((await lenses(await openWithBlock('wat: 1')))[0]?.[0], '1 problem');
  });

  it('updates the CodeLenses after each check of a document', async () => {
    const registered = Object.getOwnPropertyDescriptor(languages, 'registerCodeLensProvider') ?? {};
    const changed = new Promise<void>((resolve) => {
      const value: typeof languages.registerCodeLensProvider = (_, { onDidChangeCodeLenses }) =>
        onDidChangeCodeLenses?.(() => resolve()) ?? assert.fail('they never change');
      Object.defineProperty(languages, 'registerCodeLensProvider', { ...registered, value });
    });
    const host = newHost();
    const disposables = registerEditing(host, async () => ({ createEditing, stored: host }));
    try {
      await openWithBlock('wat: 1');
      await changed;
    } finally {
      Object.defineProperty(languages, 'registerCodeLensProvider', registered);
      for (const one of disposables) one.dispose();
    }
  });

  it('counts each recipient once, including those in audiences', async () => {
    await configure({ audiences: { customers: { people: ['1'], groups: ['2'] } } });
    const document = await openWithBlock('people: [1, 3]', 'audiences: [customers]');
    const reader = new DraftReader(newHost());
    assert.equal(codeLenses(document, new DraftCache(reader), reader)[0]?.command?.title, 'Send to 3 chats');
    await configure({ audiences: undefined });
  });

  it('follows the front matter setting immediately', async () => {
    const document = await openWithBlock('type: text');
    const drafts = new DraftCache(new DraftReader(newHost()));
    await replace(document, 'chat', 'title: x\nchat');
    assert.deepEqual(drafts.get(document).message?.content, { text: 'Hi' });
    await configure({ 'sending.frontMatter': 'keep' });
    drafts.clear();
    assert.deepEqual(drafts.get(document).message?.content, { text: '---\ntitle: x\n---\n\nHi' });
    await configure({ 'sending.frontMatter': undefined });
  });

  it('completes IDs from the settings, without requests, while not connected', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    const document = await openWithBlock('bot: ');
    assert.deepEqual(labels(await completions(document, 'bot: ')), [BOT]);
    assert.deepEqual(service.requests, []);
  });
});
