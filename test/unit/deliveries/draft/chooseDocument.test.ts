import assert from 'node:assert/strict';
import { type QuickPickItem, TabInputText, type TextDocument, Uri, window, workspace } from 'vscode';
import { askWhatToSend, chooseDocument, clickedFile } from '../../../../src/deliveries/draft/chooseDocument.ts';
import { answer, restore } from '../../answers.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { newFolder, openDraft } from './editing/drafts.ts';

describe('What to send', () => {
  const file = Uri.file('/drafts/release.md');
  let offered: string[];

  beforeEach(() => {
    offered = [];
    answer('showOpenDialog', (async () => [file]) as typeof window.showOpenDialog);
  });
  afterEach(() => {
    restore();
    closeDocuments();
  });

  /** Chooses an item, or cancels. */
  const choose = (wanted: string | undefined) =>
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      offered = items.map(({ label, description }) => [label, description].filter(Boolean).join(' – '));
      return items.find(({ label }) => label.includes(wanted ?? '?'));
    }) as unknown as typeof window.showQuickPick);
  const write = async (name: string, content: string) => {
    const folder = newFolder();
    await folder.write(name, content);
    return folder.uriOf(name);
  };
  /** Opens a document in a tab: the welcome page is what is active. */
  const inTabs = (...uris: Uri[]) =>
    answer('tabGroups', {
      all: [{ tabs: uris.map((uri) => ({ input: new TabInputText(uri), label: `Tab ${uri.path}` })) }],
    } as unknown as typeof window.tabGroups);
  const onlyVisible = (document: TextDocument) => {
    answer('activeTextEditor', undefined as never);
    answer('visibleTextEditors', [{ document }] as never);
  };

  it('is the active Markdown document without a question', async () => {
    const document = await openDraft('Hello');
    await window.showTextDocument(document);
    assert.equal(await chooseDocument(), document);
  });

  it('is one of the open Markdown documents, the visible one first, or at last a file', async () => {
    const hidden = await openDraft('Hidden');
    const visible = await openDraft('Visible');
    const unread = await write('unread.md', 'Hi');
    const plain = await write('plain.txt', 'Hi');
    const report = Uri.from({ scheme: 'bot-chats-report', path: '/a.md' });
    inTabs(hidden.uri, visible.uri, plain, report, unread);
    onlyVisible(visible);
    choose(hidden.uri.path);
    assert.equal(await chooseDocument(), hidden);
    const name = unread.path.split('/').at(-1);
    assert.deepEqual(offered, [
      `$(markdown) Tab ${visible.uri.path} – ${visible.uri.path}`,
      `$(markdown) Tab ${hidden.uri.path} – ${hidden.uri.path}`,
      `$(markdown) ${name} – ${unread.path}`,
      '$(folder-opened) Choose a Markdown File…',
    ]);
    choose('unread');
    assert.equal((await chooseDocument())?.getText(), 'Hi');
    choose(undefined);
    assert.equal(await chooseDocument(), undefined);
  });

  it('is a file if no Markdown is open', async () => {
    choose(undefined);
    const saved = await write('saved.md', 'Saved');
    answer('showOpenDialog', (async () => [saved]) as typeof window.showOpenDialog);
    assert.equal((await chooseDocument())?.getText(), 'Saved');
    assert.deepEqual(offered, []);
  });

  it('is not a file in another language', async () => {
    await assert.rejects(chooseDocument(await write('plain.txt', 'Hello')), {
      message: "plain.txt isn't a Markdown file.",
    });
  });

  it('is also an unsaved document whose language nobody chose', async () => {
    const document = await workspace.openTextDocument({ language: 'plaintext', content: '# Hello' });
    await window.showTextDocument(document);
    assert.equal(await chooseDocument(), document);
    choose(document.uri.path);
    assert.equal(await askWhatToSend(), document.uri);
    const program = await workspace.openTextDocument({ language: 'python', content: 'print()' });
    await window.showTextDocument(program);
    choose(undefined);
    await askWhatToSend();
    assert.ok(offered.every((one) => !one.includes(program.uri.path)));
  });

  it('is the open document, a new message or a file, for a chat', async () => {
    choose('New');
    assert.equal(await askWhatToSend(), 'new');
    assert.deepEqual(offered, ['$(edit) New Message…', '$(folder-opened) Choose a Markdown File…']);
    choose('File');
    assert.equal(await askWhatToSend(), file);
    const document = await openDraft('Hello');
    await window.showTextDocument(document);
    choose(document.uri.path);
    assert.equal(await askWhatToSend(), document.uri);
    assert.equal(offered[0], `$(markdown) ${document.uri.path} – the open document`);
  });

  it('is one file, even if several are selected', () => {
    assert.equal(clickedFile(file, [file]), file);
    assert.throws(() => clickedFile(file, [file, Uri.file('/drafts/b.md')]), {
      message: 'Several files are selected. Select only one to send.',
    });
  });
});
