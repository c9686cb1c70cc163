import assert from 'node:assert/strict';
import {
  commands,
  type DocumentLink,
  type Hover,
  languages,
  MarkdownString,
  Position,
  Range,
  Selection,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { LANGUAGES } from '../../src/ids/findIds.ts';
import { answer, onLists, onMessages, restore } from '../unit/answers.ts';
import { startService, type TestService } from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

describe('IDs in documents', () => {
  let service: TestService;

  before(async () => {
    service = await startService({ groups: ['518204736', 'big'], bots: ['30481126'], people: ['7058314'] });
  });
  after(() => service.close());

  afterEach(async () => {
    restore();
    await closeEditors();
    service.requests.splice(0);
  });

  const show = async (content: string, language = 'plaintext') => {
    const document = await openUntitled(content, language);
    await window.showTextDocument(document);
    return document;
  };

  it('have a card in every language, with links that run only commands of their own', async () => {
    const known = await languages.getLanguages();
    assert.ok(LANGUAGES.filter((language) => known.includes(language)).length > 10);
    for (const language of ['markdown', 'json', 'python']) {
      const { uri } = await openUntitled('Ask 7058314', language);
      const [shown] = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, new Position(0, 5));
      const [head, actions, rest] = shown?.contents ?? [];
      assert.ok(head instanceof MarkdownString && head.value.includes('Alice Fernhollow'), language);
      for (const card of [head, rest])
        assert.ok(card instanceof MarkdownString && !card.isTrusted && !card.supportHtml);
      assert.ok(actions instanceof MarkdownString && !actions.supportHtml);
      // A listed ID can't be added again.
      const names = ['openHistory', 'newMessage', 'send', 'showDeliveries', 'copyId'].map((name) => `botChats.${name}`);
      assert.deepEqual(actions.isTrusted, { enabledCommands: names });
      const links = [...actions.value.matchAll(/\(command:(botChats\.\w+)\?([^)]*)\)/g)];
      assert.deepEqual(
        links.map(([, command, query]) => [command, JSON.parse(decodeURIComponent(decodeURIComponent(query ?? '')))]),
        names.map((name) => [name, [{ kind: 'user', id: '7058314' }]]),
      );
    }
    assert.equal(service.requests.length, 1);
  });

  it('are links near the screen, wherever it is scrolled to', async () => {
    const document = await show(`${'7058314\n'.repeat(3_000)}518204736`);
    const linked = async (text: string): Promise<DocumentLink> => {
      const all = await commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', document.uri);
      // VS Code may have called a provider that was just replaced.
      return all.find(({ range }) => document.getText(range) === text) ?? linked(text);
    };
    assert.equal((await linked('7058314')).target?.path, 'botChats.lookUp');
    window.activeTextEditor?.revealRange(new Range(3_000, 0, 3_000, 0));
    assert.equal((await linked('518204736')).target?.path, 'botChats.openHistory');
    assert.deepEqual(service.requests, []);
  });

  /** Looks up the IDs in the selection, and replaces them with names. */
  const replaceNames = async (document: TextDocument, selection: Selection) => {
    const editor = await window.showTextDocument(document);
    // VS Code may still report the new editor's initial cursor.
    await new Promise<void>((resolve) => {
      const listening = window.onDidChangeTextEditorSelection(({ selections: [now] }) => {
        if (!now?.isEqual(selection)) return;
        listening.dispose();
        resolve();
      });
      editor.selection = selection;
    });
    onLists(({ label }) => label.endsWith(' Replace with Names'));
    answer('showQuickPick', (async (items: { label: string }[]) =>
      items.find(({ label }) => label.endsWith(' Replace with Name'))) as unknown as typeof window.showQuickPick);
    await commands.executeCommand('botChats.lookUp');
  };

  it('are replaced with names in one undo step', async () => {
    const document = await openUntitled('7058314 and 518204736', 'markdown');
    await replaceNames(document, new Selection(0, 0, 0, 21));
    assert.equal(document.getText(), 'Alice Fernhollow and Fern & Kettle: the shop team');
    await commands.executeCommand('undo');
    assert.equal(document.getText(), '7058314 and 518204736');
  });

  it('stay as they are in a read-only editor, which is said', async () => {
    const told = onMessages();
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const document = await workspace.openTextDocument(Uri.joinPath(folder.uri, 'announcement.md'));
    const text = document.getText();
    await window.showTextDocument(document);
    const at = document.positionAt(text.indexOf('7058314'));
    await commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    try {
      await replaceNames(document, new Selection(at, at.translate(0, 7)));
      assert.equal(document.getText(), text);
      assert.deepEqual(told, ["The document couldn't be changed."]);
    } finally {
      await commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
    }
  });
});
