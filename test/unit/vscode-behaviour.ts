import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  DataTransferItem,
  EventEmitter,
  FileType,
  l10n,
  MarkdownString,
  Range,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  workspace,
} from 'vscode';
import { temporaryPath } from '../host/temporary.ts';
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
    const markdown = new MarkdownString('a', true).appendMarkdown('b');
    assert.deepEqual([markdown.value, markdown.supportThemeIcons, markdown.isTrusted], ['ab', true, undefined]);
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
