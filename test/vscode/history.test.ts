import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { commands, TabInputWebview, window } from 'vscode';
import { configure } from '../unit/test-service.ts';
import { closeEditors, once } from './editors.ts';

describe('Histories of a person as two bots talk with them', () => {
  before(() => configure({ 'service.sandbox': true }));
  after(async () => {
    await closeEditors();
    await configure({ 'service.sandbox': undefined });
  });

  const openAs = (botId: string) =>
    commands.executeCommand('botChats.openHistory', { kind: 'user', id: '7058314', botId });
  /** Resolves when the tabs have these labels. */
  const untilLabels = async (...wanted: string[]) => {
    const labels = () => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    while (!isDeepStrictEqual(labels(), wanted)) await once(window.tabGroups.onDidChangeTabs);
  };

  it('are told apart in their tabs', async () => {
    await openAs('30481126');
    await untilLabels('Alice Fernhollow');
    await openAs('30527740');
    await untilLabels('Alice Fernhollow (Order Desk)', 'Alice Fernhollow (读书小助手)');
    // The type of the tabs from before a reload.
    const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof TabInputWebview && input.viewType.endsWith('botChats.history'));
  });
});
