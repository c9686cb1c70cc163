import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  DataTransferItem,
  Diagnostic,
  EventEmitter,
  FileType,
  l10n,
  languages,
  MarkdownString,
  Position,
  Range,
  Selection,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { temporaryPath } from '../host/temporary.ts';
import { openUntitled } from '../vscode/editors.ts';
import { configure, configureWorkspace } from './test-service.ts';

/** What tests rely on in `vscode`. Run in VS Code and against the stub, so that they stay alike. */
export function behavesAsVsCode(): void {
  it('merges objects of user, workspace and default settings, and nothing else', async () => {
    const get = (name: string) => workspace.getConfiguration('botChats').get(name);
    await configure({ audiences: { a: { groups: ['1'] }, b: { people: ['2'] } }, groups: ['1'] });
    await configureWorkspace('audiences', { b: { groups: ['3'] } });
    await configureWorkspace('groups', ['2']);
    try {
      assert.deepEqual(get('audiences'), { a: { groups: ['1'] }, b: { people: ['2'], groups: ['3'] } });
      assert.deepEqual([get('groups'), get('sending.batchSize')], [['2'], 200]);
      const { defaultValue, globalValue, workspaceValue } =
        workspace.getConfiguration().inspect('botChats.groups') ?? {};
      assert.deepEqual([defaultValue, globalValue, workspaceValue], [[], ['1'], ['2']]);
    } finally {
      for (const name of ['audiences', 'groups']) await configureWorkspace(name, undefined);
      await configure({ audiences: undefined, groups: undefined });
    }
    assert.deepEqual(get('groups'), []);
  });

  it('fires for a written setting, by its name and by every prefix', async () => {
    const told: boolean[][] = [];
    const listening = workspace.onDidChangeConfiguration(({ affectsConfiguration: affects }) =>
      told.push(
        ['botChats', 'botChats.sending', 'botChats.sending.batchSize', 'botChats.send'].map((part) => affects(part)),
      ),
    );
    try {
      await configure({ 'sending.batchSize': 7 });
      assert.deepEqual(told, [[true, true, true, false]]);
    } finally {
      listening.dispose();
      await configure({ 'sending.batchSize': undefined });
    }
  });

  it('rejects settings that are not in the manifest', async () => {
    await assert.rejects(configure({ nosuch: 1 }), /not a registered configuration/);
  });

  it('knows which ranges are within a range', () => {
    const range = new Range(1, 5, 3, 2);
    const within = [range, new Range(1, 5, 1, 9), new Range(2, 0, 3, 2)].map((one) => range.contains(one));
    assert.deepEqual(within, [true, true, true]);
    const beyond = [new Range(1, 4, 2, 0), new Range(2, 0, 3, 3), new Range(0, 9, 4, 0)];
    assert.deepEqual(
      beyond.map((one) => range.contains(one)),
      [false, false, false],
    );
  });

  it('orders and compares places in texts', () => {
    const [early, late] = [new Position(1, 5), new Position(3, 2)];
    const range = new Range(late, early);
    assert.deepEqual([range.start.isEqual(early), range.end.isEqual(late), range.isEmpty], [true, true, false]);
    assert.deepEqual([early.compareTo(late), late.compareTo(early), early.compareTo(early)], [-1, 1, 0]);
    assert.ok(range.isEqual(new Range(1, 5, 3, 2)) && !range.isEqual(new Range(1, 5, 3, 3)));
    const selection = new Selection(late, early);
    assert.deepEqual([selection.active.line, selection.anchor.line, selection.start.line], [1, 3, 1]);
    assert.ok(early.translate(2, -3).isEqual(late) && early.with({ character: 2 }).isEqual(new Position(1, 2)));
    assert.throws(() => early.translate(0, -6));
    const common = (other: Range) => range.intersection(other)?.isEqual(new Range(2, 0, 3, 2));
    assert.deepEqual([common(new Range(2, 0, 4, 0)), common(new Range(4, 0, 5, 0))], [true, undefined]);
    assert.ok(range.intersection(new Range(3, 2, 4, 0))?.isEmpty);
  });

  it('finds places in documents, whatever ends their lines', async () => {
    for (const end of ['\n', '\r\n']) {
      const content = ['One two', '', 'three'].join(end);
      const document = await workspace.openTextDocument({ language: 'markdown', content });
      assert.deepEqual([document.languageId, document.isUntitled, document.isClosed], ['markdown', true, false]);
      assert.deepEqual([document.lineCount, document.lineAt(2).text, document.getText()], [3, 'three', content]);
      assert.deepEqual(document.lineAt(new Position(0, 4)).range, new Range(0, 0, 0, 7));
      assert.throws(() => document.lineAt(3));
      const at = content.indexOf('three');
      assert.deepEqual(document.positionAt(at + 1), new Position(2, 1));
      assert.deepEqual([document.positionAt(-1), document.positionAt(99)], [new Position(0, 0), new Position(2, 5)]);
      const offsets = [new Position(2, 1), new Position(0, 99), new Position(9, 0)].map((one) =>
        document.offsetAt(one),
      );
      assert.deepEqual(offsets, [at + 1, 7, content.length]);
      assert.equal(document.getText(new Range(0, 4, 2, 2)), `two${end}${end}th`);
      assert.deepEqual(document.getWordRangeAtPosition(new Position(0, 7), /\w+/), new Range(0, 4, 0, 7));
      assert.equal(document.getWordRangeAtPosition(new Position(1, 0), /\w+/), undefined);
    }
  });

  it('applies edits to documents, and says what is opened, changed and closed', async () => {
    const told: string[] = [];
    const document = await openUntitled('One two three', 'markdown');
    const of = (what: string) => (one: typeof document) => one === document && told.push(`${what} ${one.languageId}`);
    const listening = [
      workspace.onDidOpenTextDocument(of('opened')),
      workspace.onDidChangeTextDocument((change) => of('changed')(change.document)),
      workspace.onDidCloseTextDocument(of('closed')),
    ];
    try {
      const { version } = document;
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(0, 0, 0, 3), '1');
      edit.insert(document.uri, new Position(0, 8), 'and ');
      await workspace.applyEdit(edit);
      assert.equal(document.getText(), '1 two and three');
      assert.ok(document.version > version && document.isDirty);
      await languages.setTextDocumentLanguage(document, 'plaintext');
      assert.deepEqual(told, ['changed markdown', 'closed markdown', 'opened plaintext']);
      assert.equal(await workspace.openTextDocument(document.uri), document);
      assert.ok(workspace.textDocuments.includes(document));
    } finally {
      for (const one of listening) one.dispose();
    }
  });

  it('opens and saves the documents of files', async () => {
    const uri = Uri.joinPath(Uri.file(temporaryPath('documents')), 'a.md');
    const write = (text: string) => workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await write('One');
    const document = await workspace.openTextDocument(uri);
    assert.deepEqual([document.languageId, document.isUntitled, document.getText()], ['markdown', false, 'One']);
    const edit = new WorkspaceEdit();
    edit.insert(uri, new Position(0, 3), ' two');
    await workspace.applyEdit(edit);
    const told: string[] = [];
    const before = workspace.onWillSaveTextDocument((one) => told.push(one.document.getText()));
    const saved = new Promise<boolean>((resolve) => {
      const listening = workspace.onDidSaveTextDocument((one) => {
        listening.dispose();
        resolve(one === document);
      });
    });
    assert.ok((await document.save()) && (await saved) && !document.isDirty);
    before.dispose();
    assert.deepEqual(told, ['One two']);
    assert.equal(new TextDecoder().decode(await workspace.fs.readFile(uri)), 'One two');
  });

  it('shows documents in editors, and edits them there', async () => {
    const document = await openUntitled('One two', 'markdown');
    const editor = await window.showTextDocument(document, { selection: new Range(0, 4, 0, 7) });
    assert.deepEqual([window.activeTextEditor, editor.document], [editor, document]);
    assert.ok(window.visibleTextEditors.includes(editor));
    assert.equal(document.getText(editor.selection), 'two');
    assert.ok(await editor.edit((builder) => builder.replace(new Range(0, 0, 0, 3), '1')));
    assert.equal(document.getText(), '1 two');
  });

  it('keeps the diagnostics of each file', () => {
    const [uri, other] = [Uri.file('/a.md'), Uri.file('/b.md')];
    const collection = languages.createDiagnosticCollection('test');
    try {
      collection.set(uri, [new Diagnostic(new Range(0, 0, 0, 1), 'Wrong')]);
      assert.deepEqual([collection.has(uri), collection.has(other)], [true, false]);
      assert.deepEqual(
        languages.getDiagnostics(uri).map(({ message, severity }) => [message, severity]),
        [['Wrong', 0]],
      );
      collection.delete(uri);
      assert.deepEqual(languages.getDiagnostics(uri), []);
    } finally {
      collection.dispose();
    }
  });

  it('fires events to listeners, but not after disposal', () => {
    const heard: string[] = [];
    const emitter = new EventEmitter<string>();
    const listening = emitter.event((text) => heard.push(`one ${text}`));
    emitter.event((text) => heard.push(`two ${text}`));
    emitter.fire('a');
    listening.dispose();
    emitter.fire('b');
    emitter.dispose();
    emitter.fire('c');
    assert.deepEqual(heard, ['one a', 'two a', 'two b']);
  });

  it('cancels once', () => {
    const cancellation = new CancellationTokenSource();
    let cancelled = 0;
    cancellation.token.onCancellationRequested(() => cancelled++);
    assert.equal(cancellation.token.isCancellationRequested, false);
    cancellation.cancel();
    cancellation.cancel();
    assert.deepEqual([cancelled, cancellation.token.isCancellationRequested], [1, true]);
  });

  it('replaces placeholders by number and by name', () => {
    assert.equal(l10n.t('{0} of {1}, {0}', 'a', 2), 'a of 2, a');
    assert.equal(l10n.t('{who} and {0}', { who: 'b' }), 'b and {0}');
  });

  it('creates documented values', async () => {
    const markdown = new MarkdownString('a', true);
    assert.deepEqual([markdown.value, markdown.supportThemeIcons, markdown.isTrusted], ['a', true, undefined]);
    const item = new TreeItem('a');
    assert.deepEqual([item.label, item.collapsibleState], ['a', TreeItemCollapsibleState.None]);
    assert.equal(await new DataTransferItem('a').asString(), 'a');
    assert.equal(await new DataTransferItem(['a']).asString(), '["a"]');
    const uri = Uri.joinPath(Uri.file('/a b/c'), '..', 'ü');
    assert.deepEqual([uri.toString(), uri.path], ['file:///a%20b/%C3%BC', '/a b/ü']);
  });

  it('writes files and creates their folders', async () => {
    const folder = Uri.file(temporaryPath('behaviour'));
    const [one, other] = ['one', 'other'].map((name) => Uri.joinPath(folder, 'in', name));
    assert.ok(one && other);
    const bytes = new TextEncoder().encode('a');
    await workspace.fs.writeFile(one, bytes);
    await workspace.fs.writeFile(other, new Uint8Array());
    assert.deepEqual(await workspace.fs.readDirectory(folder), [['in', FileType.Directory]]);
    await assert.rejects(Promise.resolve(workspace.fs.rename(one, other)));
    await workspace.fs.rename(one, other, { overwrite: true });
    assert.deepEqual([...(await workspace.fs.readFile(other))], [...bytes]);
    await assert.rejects(Promise.resolve(workspace.fs.readFile(one)), { code: 'FileNotFound' });
    await assert.rejects(Promise.resolve(workspace.fs.delete(one)), { code: 'FileNotFound' });
    await workspace.fs.delete(folder, { recursive: true });
    await assert.rejects(Promise.resolve(workspace.fs.stat(folder)), { code: 'FileNotFound' });
  });
}
