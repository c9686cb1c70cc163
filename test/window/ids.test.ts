import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { repeatUntil } from '../host/repeating.ts';
import type { Window } from '../host/window.ts';
import { photographFailure } from '../pictures.ts';
import { clickText, followLink, hoverText, hoverUntil } from './editorMouse.ts';
import { saveToken } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted, successResponse } from './interceptedSandbox.ts';
import { openWindow } from './shared.ts';
import { expectClipboard, restingScreenshot, selectMenuItem } from './workbenchActions.ts';

const EVIL = '[click](command:workbench.action.closeWindow) ![x](https://evil.example/a.png) <img src=x> $(error)';

const duty = [
  '# On duty',
  '',
  'The group 518204736 is run by 7058314.',
  'The bot 30481126 watches the orders.',
  'Others: the group 559902341, the bot 30694418, and 7230581.',
  'Nobody has 9999999.',
];

describe('IDs in a folder that isn’t trusted at first', () => {
  let window: Window;
  let service: InterceptedSandbox;
  const title = (text: string) => window.input.locator('.quick-input-title', { hasText: text });
  const card = (text: string) => window.page.locator('.monaco-hover:visible').filter({ hasText: text });
  const lines = () => window.page.locator('.editor-instance .view-line');
  const row = (text: string) => window.input.locator('.monaco-list-row', { hasText: text }).first();
  const link = (id: string) => window.page.locator('.editor-instance .detected-link', { hasText: id }).first();
  const named = () => lines().filter({ hasText: /30481126.?Order.Desk/ });
  const shot = (name: string) => restingScreenshot(window, `ids-${name}`);
  const hover = (id: string, sign: Locator | Promise<void>) => hoverUntil(window.page, id, sign);
  const write = async (name: string, text: string) => {
    await writeFile(join(window.folder, name), text);
    await window.openFile(name);
  };
  const historyTab = () => window.page.locator('.tabs-container').getByRole('tab', { name: 'Fern & Kettle' });

  before(async () => {
    service = await serveIntercepted();
    window = await openWindow({
      settings: {
        ...service.settings,
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'botChats.groups': ['518204736'],
        'botChats.bots': ['30481126'],
        'botChats.people': ['7058314'],
        // Without a delay, no hover is pending once the service has answered.
        'editor.hover.delay': 0,
        'terminal.integrated.gpuAcceleration': 'off',
      },
      folderSettings: {
        'botChats.service.webUrl': 'https://elsewhere.invalid',
        'botChats.service.openApiUrl': 'https://elsewhere.invalid',
        'botChats.people': ['7230581'],
        'botChats.ids.showNames': true,
      },
      theme: 'hc-dark',
    });
    const token = service.sandbox.token('30481126') ?? '';
    await saveToken(window, { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot', bot: '30481126', token });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    // A card that is still open would cover what the next test looks for.
    if (this.currentTest?.state !== 'failed') return;
    await photographFailure();
    await window.page.keyboard.press('Escape');
  });

  it('have cards, whatever the folder’s settings say, and no tools for agents', async () => {
    const { page } = window;
    await write('duty.md', `${duty.join('\n')}\n`);
    await page.getByText('Restricted Mode').first().waitFor();
    await link('7058314').waitFor();
    // The folder's settings don't list it.
    await hover('7230581', card('Tom Brackwater').getByText('Add to Sidebar'));
    await shot('1-restricted');
    assert.equal(await named().count(), 0);
    await window.callTool('botchats_list', {});
    assert.match(await window.toolResult(), /Bot Chats tools don't work in an untrusted workspace/);
  });

  it('are links and have names as the folder’s settings say, once it is trusted', async () => {
    const { page } = window;
    await window.command('Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await page.getByText('Restricted Mode').first().waitFor({ state: 'hidden' });
    await window.openFile('duty.md');
    await link('7230581').waitFor();
    await named().waitFor();
    await shot('2-names');
  });

  it('have a hover card with actions: open, send, copy, add to the sidebar', async () => {
    const { page } = window;
    await hover('518204736', card('Fern & Kettle: the shop team').getByText('Be kind, and no spoilers'));
    // The last one is VS Code's own, for the link.
    assert.deepEqual(await card('Fern & Kettle').locator('a').allTextContents(), [
      ' Open History',
      ' New Message…',
      ' Send Existing Draft…',
      ' Show Deliveries…',
      ' Copy ID',
      'Open History',
    ]);
    await shot('3-group');
    await hover('30481126', card('Order Desk').getByText('356 users'));
    await card('Order Desk').getByRole('link', { name: 'Copy ID' }).click();
    await expectClipboard(page, '30481126');
    await hover('559902341', card('Release watch').getByText('14 members'));
    await card('Release watch').getByRole('link', { name: 'Add to Sidebar' }).click();
    // The ID is known from now on.
    await link('559902341').waitFor();
  });

  it('are links: to the history of a group, or to the card and actions of a user', async () => {
    await followLink(window.page, '518204736', historyTab());
    await window.openFile('duty.md');
    await followLink(window.page, '7058314', title('Alice Fernhollow · 1,204 days online'));
    await row('Open History').waitFor();
    await shot('4-profile');
    await row('Days online in a row').click();
    await expectClipboard(window.page, '37');
  });

  it('are looked up when selected, and so are the IDs in their details', async () => {
    const { page } = window;
    await repeatUntil(
      page
        .locator('.statusbar')
        .getByText(/^Ln 5, .*8 selected/)
        .first(),
      () => clickText(page, '30694418', 2),
    );
    // After a right click, VS Code would take the button for pressed, and open no cards.
    await page.keyboard.press('Shift+F10');
    await selectMenuItem(page, 'Bot Chats: Look Up ID…');
    await title('Trail Weather 山路天气 · 48,217 users').waitFor();
    await row('Created by').click();
    await title('山里的鹿 · 540 days online').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are links in a terminal', async () => {
    const { page } = window;
    await window.command('Test: Open Terminal');
    await repeatUntil(page.locator('.quick-input-widget:visible').getByText('Days online in a row'), async () => {
      await page.keyboard.down('Control');
      await hoverText(page, '7058314', '.xterm-rows > div');
      await page.locator('.xterm-rows span[style*=underline]', { hasText: '7058314' }).waitFor();
      await page.mouse.down();
      await page.mouse.up();
      await page.keyboard.up('Control');
    });
    await shot('6-terminal');
    await page.keyboard.press('Escape');
    await window.command('View: Hide Panel');
  });

  it('have an intact card with all medals, whatever text the service returns; unknown IDs say so', async () => {
    const medals = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, name: `第 ${at + 1} 年`, desc: EVIL }));
    service.intercept = (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const userId = searchParams.get('userId');
      if (!pathname.endsWith('/homepage') || userId !== '7650031') return undefined;
      return successResponse({ user: { userId, nickname: EVIL, onLineDay: 1433, medals } });
    };
    await write('evil.md', 'Asked by 7650031.\n\nNobody has 8888888.\n');
    await lines().filter({ hasText: '8888888' }).waitFor();
    await hover('7650031', card('第 40 年').getByText(EVIL).first());
    assert.equal(await card('第 40 年').locator('img').count(), 0);
    await shot('7-evil');
    await hover('8888888', card('No person, bot, or group has the ID 8888888.'));
  });
});
