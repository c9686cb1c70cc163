import assert from 'node:assert/strict';
import { commands, Position, TabInputTextDiff, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import { EditedDocuments } from '../../src/deliveries/outbox/editedDocuments.ts';
import { textTabs } from '../../src/presentation/textEditors.ts';
import { temporaryPath } from '../host/temporary.ts';
import { answer, onCheckedInputs, onLists, restore } from '../unit/answers.ts';
import { memento } from '../unit/memory.ts';
import { keeping, startService, type TestService } from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

const BOT = '30481126';
const GROUP = '518204736';

describe('Sending with a token in secret storage', () => {
  let service: TestService;
  let token: string;
  let messages: string[];

  before(async () => {
    service = await startService({ groups: [GROUP], bots: [BOT], people: ['7058314'] });
    token = service.sandbox.token(BOT) ?? '';
  });

  after(() => service.close());

  beforeEach(async () => {
    messages = [];
    const say = async (message: string) => void messages.push(message);
    answer('showInformationMessage', say as typeof window.showInformationMessage);
    answer('showErrorMessage', say as typeof window.showErrorMessage);
    answer('showWarningMessage', (async (message: string, { modal }: { modal?: boolean }) => {
      messages.push(message);
      return modal ? 'Send' : undefined;
    }) as typeof window.showWarningMessage);
    answer('showQuickPick', (async (items: unknown[]) => (await items)[0]) as unknown as typeof window.showQuickPick);
    onLists(({ description }) => [GROUP, '7058314'].some((id) => description?.includes(id)));
    onCheckedInputs(`  ${token}\n`);
    await commands.executeCommand('botChats.setToken');
  });

  afterEach(async () => {
    await commands.executeCommand('botChats.removeToken');
    restore();
    await closeEditors();
    service.requests.splice(0);
  });

  const sent = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));

  it('uses the pasted token without its spaces, and has none after it was removed', async () => {
    // As *New Message* opens one. Others have an address, which VS Code asks about.
    const content = '# Hello\n\nfrom the editor';
    await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
    await commands.executeCommand('botChats.sendActiveMarkdown');
    assert.deepEqual(
      sent().map(({ searchParams }) => searchParams.get('token')),
      [token, token],
    );
    assert.equal(messages.at(-1), 'Sent: 2 of 2 reached.');
    // The outbox has it.
    assert.deepEqual(textTabs(), []);
    await window.showTextDocument(await openUntitled('# Hello again', 'markdown'));
    await commands.executeCommand('botChats.removeToken');
    // The input for another token is canceled.
    await commands.executeCommand('botChats.sendActiveMarkdown');
    assert.match(messages.at(-1) ?? '', /^No bot token is saved for http/);
    assert.equal(sent().length, 2);
  });

  it('compares a document with what was sent', async () => {
    const file = Uri.joinPath(keeping().folder, 'sale.md');
    const save = (text: string) => workspace.fs.writeFile(file, new TextEncoder().encode(text));
    const text = `---\nchat:\n  groups: [${GROUP}]\n---\n\nSale`;
    await save(text);
    // As the Explorer does.
    await commands.executeCommand('botChats.sendActiveMarkdown', file, [file]);
    await save('Sold out');
    await commands.executeCommand('botChats.compareWithSent', file);
    const { input, label } = window.tabGroups.activeTabGroup.activeTab ?? assert.fail('nothing is open');
    assert.ok(input instanceof TabInputTextDiff);
    assert.match(label, /^sale\.md \(sent .*\) ↔ sale\.md$/);
    assert.equal(input.modified.toString(), file.toString());
    const sent = await workspace.openTextDocument(input.original);
    assert.deepEqual([sent.getText(), sent.languageId], [text, 'markdown']);
  });
});

describe('A message that is edited in a document without a file', () => {
  afterEach(closeEditors);

  it('is found in the file that the document is saved as', async () => {
    const file = Uri.file(`${temporaryPath('edited')}.html`);
    const { document } = await window.showTextDocument(file.with({ scheme: 'untitled' }));
    const { uri } = document;
    const edit = new WorkspaceEdit();
    edit.insert(uri, new Position(0, 0), '<b>Hello</b>');
    await workspace.applyEdit(edit);
    const documents = new EditedDocuments(memento());
    documents.set('delivery', uri);
    const isChanged = new Promise<void>((resolve) => documents.onDidChange(resolve));
    await workspace.save(uri);
    await isChanged;
    assert.equal(documents.get('delivery'), `${file}`);
    documents.dispose();
  });
});
