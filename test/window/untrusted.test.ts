import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Window } from '../host/window.ts';
import { followLink, hoverUntil } from './editorMouse.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';

describe('An untrusted folder', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  const link = (id: string) => window.page.locator('.detected-link', { hasText: id });

  before(async () => {
    window = await openWindow({
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'botChats.service.sandbox': true,
        'botChats.people': ['7102649'],
      },
      folderSettings: {
        'botChats.service.sandbox': false,
        'botChats.service.webUrl': 'https://elsewhere.invalid',
        'botChats.service.openApiUrl': 'https://elsewhere.invalid',
        'botChats.people': ['7230581'],
        'botChats.hover.lookUp': 'never',
        'botChats.ids.pattern': 'nothing',
        'botChats.ids.showNames': true,
        'botChats.agents.access': 'all',
      },
    });
    await writeFile(join(window.folder, 'ids.md'), 'Of the settings: 7102649\n\nOf the folder: 7230581\n');
    await window.openFile('ids.md');
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('untrusted-failed');
  });

  it('cannot change known IDs, the ID pattern or lookups on hover', async () => {
    const { page } = window;
    await page.getByText('Restricted Mode').first().waitFor();
    await link('7102649').waitFor();
    const card = page.locator('.monaco-hover:visible');
    // The folder's settings neither list it nor prevent its lookup.
    await hoverUntil(page, '7230581', card.getByText('Tom Brackwater'));
    await card.getByText('Add to Sidebar').waitFor();
    await window.screenshot('untrusted-1-hover');
    assert.equal(await page.getByText('闻山禾').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('has links to the cards of known IDs', async () => {
    const { page } = window;
    await followLink(page, '7102649', page.locator('.quick-input-widget:visible').getByText('闻山禾').first());
    await window.screenshot('untrusted-2-profile');
    await page.keyboard.press('Escape');
  });

  it('has no tools for agents', async () => {
    await window.callTool('botchats_list', {});
    assert.match(await window.toolResult(), /Bot Chats tools don't work in an untrusted workspace/);
  });

  it('can change known IDs and the ID pattern once trusted, but never the service address', async () => {
    const { page } = window;
    await window.command('Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await page.getByText('Restricted Mode').first().waitFor({ state: 'hidden' });
    await window.openFile('ids.md');
    await link('7230581').waitFor();
    const named = page.locator('.editor-instance .view-line', { hasText: /7230581.?Tom.Brackwater/ });
    await named.waitFor();
    // Which chats agents may see is a user setting only.
    await window.callTool('botchats_read', { chatType: 'group', chatId: '518204736', botId: '30481126' });
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await window.toolResult(), 'Canceled: Canceled');
    await followLink(page, '7230581', page.locator('.quick-input-widget:visible').getByText('Tom Brackwater').first());
    await window.screenshot('untrusted-3-trusted');
    await page.keyboard.press('Escape');
  });
});
