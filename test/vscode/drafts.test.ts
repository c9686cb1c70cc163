import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, type Hover, type MarkdownString, Position, Uri, window } from 'vscode';
import { type TestService, useService } from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

const BOT = '30481126';
const GROUP = '518204736';

describe('The editor of drafts', () => {
  let service: TestService;

  before(async () => {
    service = await useService({ groups: [{ id: GROUP, label: 'The shop' }, 'big'], bots: [BOT] });
  });
  after(() => service.close());

  afterEach(async () => {
    await closeEditors();
    service.requests.splice(0);
  });

  it('explains keys', async () => {
    const document = await openUntitled('---\nchat:\n  buttons: []\n---\n\nHi', 'markdown');
    const hovers: Hover[] = await commands.executeCommand(
      'vscode.executeHoverProvider',
      document.uri,
      new Position(2, 4),
    );
    const [text] = hovers.flatMap(({ contents }) => contents.map((content) => (content as MarkdownString).value));
    assert.match(text ?? '', /^Rows of buttons below the message/);
    assert.deepEqual(service.requests, []);
  });

  it('opens a new message to a chat, with the cursor at its end and the preview beside it', async () => {
    await commands.executeCommand('botChats.newMessage', { kind: 'group', id: GROUP, botId: BOT });
    const { document, selection } = window.activeTextEditor ?? assert.fail('no editor');
    assert.match(
      document.getText(),
      /^---\nchat:\n {2}bot: "30481126"\n {2}groups:\n {4}- "518204736"( # .+)?\n {2}# buttons: .*\n---\n\n$/,
    );
    assert.deepEqual([selection.active.line, selection.active.character], [8, 0]);
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
