import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { commands, TabInputWebview, Uri, window } from 'vscode';
import { exportHistory } from '../../src/history/export/exportHistory.ts';
import { answer, onMessages, restore, type } from '../unit/answers.ts';
import { configure, keeping } from '../unit/test-service.ts';
import { closeEditors } from './editors.ts';

describe('History commands', () => {
  afterEach(restore);

  it('ask to open a history if none is open, and do nothing else', async () => {
    const ofHistories = ['findInHistory', 'goToMessage', 'goToDate', 'loadHistory', 'togglePictures'];
    const ofMessages = ['copyMessage', 'copyMessageMarkdown', 'copyMessageJson', 'copyMessageId', 'useAsDraft'];
    const [said, boxes] = [onMessages(), type('x')];
    for (const name of [...ofHistories, ...ofMessages]) await commands.executeCommand(`botChats.${name}`);
    assert.deepEqual([[...new Set(said)], said.length, boxes], [["Open a chat's message history first."], 10, []]);
  });
});

describe('Histories of a chat as two bots read it', () => {
  before(() => configure({ 'service.sandbox': true }));
  after(async () => {
    await closeEditors();
    await configure({ 'service.sandbox': undefined });
  });

  const openAs = (botId: string) =>
    commands.executeCommand('botChats.openHistory', { kind: 'group', id: '518204736', botId });
  /** Resolves when the tabs have these labels. */
  const untilLabels = async (...wanted: string[]) => {
    const labels = () => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    while (!isDeepStrictEqual(labels(), wanted)) {
      await new Promise<void>((resolve) => {
        const listening = window.tabGroups.onDidChangeTabs(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  };

  it('are told apart in their tabs', async () => {
    await openAs('30481126');
    await untilLabels('Fern & Kettle: the shop team');
    await openAs('30527740');
    await untilLabels('Fern & Kettle: the shop team (Order Desk)', 'Fern & Kettle: the shop team (读书小助手)');
    // The type of the tabs from before a reload.
    const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof TabInputWebview && input.viewType.endsWith('botChats.history'));
  });
});

describe('An exported chat', () => {
  afterEach(async () => {
    restore();
    await closeEditors();
  });

  it('opens on request', async () => {
    const { folder, files, log } = keeping();
    const target = Uri.file(join(folder.fsPath, 'chat.md'));
    answer('showQuickPick', (async (items: unknown[]) => items[0]) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async () => target);
    onMessages((_, buttons) => buttons.find((button) => button === 'Open'));
    await exportHistory({
      botChat: { service: 'https://service.example', type: 'group', id: '7', botId: '9' },
      names: { chat: 'River Walkers', bot: '' },
      list: async () => [],
      files,
      extensionUri: folder,
      log,
      running: new Set(),
    });
    assert.equal(window.activeTextEditor?.document.uri.fsPath, target.fsPath);
  });
});
