import assert from 'node:assert/strict';
import { join } from 'node:path';
import { commands, Uri, window } from 'vscode';
import { exportHistory } from '../../src/history/export/exportHistory.ts';
import { answer, onMessages, restore, type } from '../unit/answers.ts';
import { keeping } from '../unit/test-service.ts';
import { closeEditors } from './editors.ts';

describe('History commands', () => {
  afterEach(restore);

  it('ask to open a history if none is open, and do nothing else', async () => {
    const ofHistories = ['findInHistory', 'goToMessage', 'loadHistory', 'togglePictures'];
    const ofMessages = ['copyMessage', 'copyMessageMarkdown', 'copyMessageJson', 'copyMessageId', 'useAsDraft'];
    const [said, boxes] = [onMessages(), type('x')];
    for (const name of [...ofHistories, ...ofMessages]) await commands.executeCommand(`botChats.${name}`);
    assert.deepEqual([[...new Set(said)], said.length, boxes], [["Open a chat's message history first."], 9, []]);
  });
});

describe('An exported chat', () => {
  afterEach(async () => {
    restore();
    await closeEditors();
  });

  it('opens on request', async () => {
    const { folder, log } = keeping();
    const target = Uri.file(join(folder.fsPath, 'chat.md'));
    answer('showQuickPick', (async (items: unknown[]) => items[0]) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async () => target);
    onMessages((_, buttons) => buttons.find((button) => button === 'Open'));
    await exportHistory({
      botChat: { service: 'https://service.example', type: 'group', id: '7', botId: '9' },
      names: { chat: 'River Walkers', bot: '' },
      list: async () => [],
      storage: folder,
      log,
      running: new Set(),
    });
    assert.equal(window.activeTextEditor?.document.uri.fsPath, target.fsPath);
  });
});
