import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { Window } from '../host/window.ts';
import { clickText, followLink, hoverText, hoverUntil, repeatUntil } from './editorMouse.ts';
import { saveToken, waitForPaint } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted, successResponse } from './interceptedSandbox.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { expectClipboard, restingScreenshot, selectMenuItem } from './workbenchActions.ts';

const EVIL = '[click](command:workbench.action.closeWindow) ![x](https://evil.example/a.png) <img src=x> $(error)';

const duty = [
  '# On duty',
  '',
  'The group 518204736 is run by 7058314.',
  'The bot 30481126 watches the orders.',
  'Others: the group 559902341, the bot 30694418, and 7521170.',
  'Nobody has 9999999.',
];

describe('IDs', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let service: InterceptedSandbox;
  const input = () => window.page.locator('.quick-input-widget');
  const title = (text: string) => input().locator('.quick-input-title', { hasText: text });
  const card = (text: string) => window.page.locator('.monaco-hover:visible').filter({ hasText: text });
  const lines = () => window.page.locator('.editor-instance .view-line');
  const row = (text: string) => input().locator('.monaco-list-row', { hasText: text }).first();
  const link = (id: string) => window.page.locator('.editor-instance .detected-link', { hasText: id }).first();
  const shot = (name: string) => restingScreenshot(window, `ids-${name}`);
  const hover = (id: string, sign: Locator | Promise<void>) => hoverUntil(window.page, id, sign);
  const write = async (name: string, text: string) => {
    await writeFile(join(window.folder, name), text);
    await window.openFile(name);
  };
  const lookUp = () => window.command('Bot Chats: Look Up ID…');
  const follow = (id: string, sign: Locator) => followLink(window.page, id, sign);
  /** Clicks an ID or a word until the status bar shows the cursor there. */
  const click = (word: string, place: RegExp, options?: Parameters<typeof clickText>[2]) =>
    repeatUntil(window.page.locator('.statusbar').getByText(place).first(), () =>
      clickText(window.page, word, options),
    );
  const historyTab = () => window.page.locator('.tabs-container').getByRole('tab', { name: 'Fern & Kettle' });
  const expectHistory = async () => {
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  };

  before(async () => {
    service = await serveIntercepted();
    window = await openWindow({
      settings: {
        ...service.settings,
        'botChats.groups': ['518204736'],
        'botChats.bots': ['30481126'],
        'botChats.people': ['7058314'],
        // Without a delay, no hover is pending once the service has answered.
        'editor.hover.delay': 0,
        'terminal.integrated.gpuAcceleration': 'off',
      },
      theme: 'hc-dark',
    });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await shot('failed');
    await window.page.keyboard.press('Escape');
  });

  it('have a hover card in Markdown before Bot Chats is used, also in high contrast themes', async () => {
    await window.openFile('announcement.md');
    await link('7058314').waitFor();
    await hover('7102649', card('闻山禾'));
    await shot('1-hc-dark');
    await window.configure({ 'workbench.colorTheme': 'Default High Contrast Light' });
    await window.page.locator('.monaco-workbench.hc-light').waitFor();
    await hover('7058314', card('Alice Fernhollow'));
    await shot('2-hc-light');
    await window.configure({ 'workbench.colorTheme': 'Dark 2026' });
  });

  it('have a hover card with actions: open, send, copy, add to the sidebar', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await page.getByRole('treeitem', { name: 'Alice Fernhollow, person, 1,204 days online' }).waitFor();
    const token = service.sandbox.token('30481126') ?? '';
    await saveToken(window, { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot', bot: 'Order Desk', token });
    await write('duty.md', `${duty.join('\n')}\n`);
    await link('7058314').waitFor();
    await hover(
      '518204736',
      card('Fern & Kettle: the shop team').getByText('Be kind, and no spoilers about new blends.'),
    );
    // The last one is VS Code's own, for the link.
    assert.deepEqual(await card('Fern & Kettle').locator('a').allTextContents(), [
      ' Open History',
      ' New Message…',
      ' Send…',
      ' Copy ID',
      'Open History',
    ]);
    await shot('3-group');
    await hover('30481126', card('Order Desk').getByText('356 users'));
    await card('Order Desk').getByRole('link', { name: 'Copy ID' }).click();
    await expectClipboard(page, '30481126');
    await hover('7058314', card('Alice Fernhollow').getByText('1,204 days online'));
    await shot('4-user');
    await hover('559902341', card('Release watch').getByText('14 members'));
    await card('Release watch').getByRole('link', { name: 'Add to Sidebar' }).click();
    await page.getByRole('treeitem', { name: 'Release watch, group, 14 members' }).waitFor();
    // The ID is known from now on.
    await link('559902341').waitFor();
  });

  it('are links: to the history of a group, or to the card and actions of a user', async () => {
    await follow('518204736', historyTab());
    await expectHistory();
    await window.openFile('duty.md');
    await follow('7058314', title('Alice Fernhollow · 1,204 days online'));
    await row('Open History').waitFor();
    await shot('5-profile');
    await row('Days online in a row').click();
    await expectClipboard(window.page, '37');
  });

  it('are links wherever a long file is scrolled to', async () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `${at + 1}: asked by ${at < 4_999 ? '7058314' : '30481126'}`);
    await write('long.log', long.join('\n'));
    await link('7058314').waitFor();
    await window.page.keyboard.press('Control+End');
    await link('30481126').waitFor();
    await follow('30481126', title('Order Desk · 356 users'));
    await window.page.keyboard.press('Escape');
    await window.openFile('duty.md');
  });

  it('are looked up when typed or selected, and so are the IDs in their details', async () => {
    const { page } = window;
    await click('duty', /^Ln 1,/);
    await lookUp();
    await input().getByText('Enter the IDs of people, bots, or groups').waitFor();
    await page.keyboard.type('30694418, 7315926');
    await page.keyboard.press('Enter');
    await title('2 IDs').waitFor();
    await row('Trail Weather 山路天气').waitFor();
    await row('阿橙').click();
    await title('阿橙 · 951 days online').waitFor();
    await page.keyboard.press('Escape');
    await click('30694418', /^Ln 5, .*8 selected/, { clickCount: 2 });
    await clickText(page, '30694418', { button: 'right' });
    await selectMenuItem(page, 'Look Up ID…');
    await title('Trail Weather 山路天气 · 48,217 users').waitFor();
    await row('Replace with Name').waitFor();
    await shot('6-bot-profile');
    await row('Created by').click();
    await title('山里的鹿 · 540 days online').waitFor();
    await page.keyboard.press('Escape');
    await click('9999999', /^Ln 6,/);
    await lookUp();
    const nobody = 'No person, bot, or group has the ID 9999999.';
    await page.locator('.notification-toast', { hasText: nobody }).waitFor();
    await window.command('Notifications: Clear All Notifications');
  });

  it('are replaced with names in a multiple selection, and restored by undo', async () => {
    const { page } = window;
    await click('30481126', /^Ln 4,/);
    await page.keyboard.press('Control+A');
    await lookUp();
    await title('7 IDs').waitFor();
    await row('No person, bot, or group has the ID 9999999.').waitFor();
    await shot('7-many');
    await row('Replace with Names').click();
    await lines().filter({ hasText: 'The bot Order Desk watches the orders.' }).waitFor();
    await lines().filter({ hasText: 'The group Fern & Kettle: the shop team is run by Alice Fernhollow.' }).waitFor();
    await lines().filter({ hasText: 'Nobody has 9999999.' }).waitFor();
    await page.keyboard.press('Control+Z');
    for (const line of [2, 4])
      await lines()
        .filter({ hasText: duty[line] ?? '' })
        .waitFor();
  });

  it('have names beside them while the setting is on', async () => {
    const named = lines().filter({ hasText: /30481126.?Order.Desk/ });
    await window.configure({ 'botChats.ids.showNames': true });
    await named.waitFor();
    await shot('8-names');
    await window.configure({ 'botChats.ids.showNames': false });
    await named.waitFor({ state: 'detached' });
  });

  it('are links in a terminal: to the history of a group, or to the card of a user', async () => {
    const { page } = window;
    const clickInTerminal = (id: string) => async () => {
      await page.keyboard.down('Control');
      await hoverText(page, id, '.xterm-rows > div');
      await page.locator('.xterm-rows span[style*=underline]', { hasText: id }).waitFor();
      await page.mouse.down();
      await page.mouse.up();
      await page.keyboard.up('Control');
    };
    await window.command('Test: Open Terminal');
    await repeatUntil(
      page.locator('.quick-input-widget:visible').getByText('Days online in a row'),
      clickInTerminal('7058314'),
    );
    await window.screenshot('ids-9-terminal');
    await page.keyboard.press('Escape');
    await repeatUntil(historyTab(), clickInTerminal('518204736'));
    await expectHistory();
    await window.command('View: Hide Panel');
  });

  it('have an intact card with all medals, whatever text the service returns; unknown IDs have none', async () => {
    const medals = Array.from({ length: 40 }, (_, at) => ({
      id: at + 1,
      name: `第 ${at + 1} 年`,
      desc: `坚持了 ${at + 1} 年`,
    }));
    const line = '每天提醒大家读几页书，还会在晚上八点把当天的笔记整理成一份摘要，发到群里给没空的人看。';
    const users: Record<string, object> = {
      '7650031': { nickname: '云朵编辑部', onLineDay: 1433, medals },
      '7230581': { nickname: EVIL, medals: [{ id: 1, name: EVIL, desc: EVIL }] },
    };
    service.intercept = async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const userId = searchParams.get('userId') ?? '';
      if (pathname.endsWith('/homepage') && users[userId])
        return successResponse({ user: { userId, ...users[userId] } });
      if (!pathname.endsWith('/bot-info') || (await request.json()).botId !== '30527740') return undefined;
      const introduction = `${EVIL}\n\n${`${line}\n`.repeat(30)}`;
      return successResponse({ bot: { botId: '30527740', nickname: '读书小助手', headcount: 1290, introduction } });
    };
    await write('evil.md', '机器人 30527740 由 7650031 创建，还有 7230581。\n\n没有 8888888。\n');
    await lines().filter({ hasText: '8888888' }).waitFor();
    await hover('30527740', card('读书小助手').getByText(EVIL));
    assert.deepEqual(await card('读书小助手').locator('a').allTextContents(), [' Copy ID', ' Add to Sidebar']);
    assert.equal(await card('读书小助手').locator('img').count(), 0);
    await shot('10-bot');
    await hover('7650031', card('云朵编辑部').getByText('第 40 年'));
    await shot('11-medals');
    await hover('7230581', card('7230581').getByText(EVIL).first());
    // The user's name and the medal's name.
    assert.equal(await card('7230581').getByText(EVIL).count(), 2);
    await hover('8888888', service.answered('/group-info'));
    await waitForPaint(window.page.locator('.editor-instance .view-lines'));
    assert.deepEqual(await window.page.locator('.monaco-hover:visible').allTextContents(), []);
    await click('7230581', /^Ln 1, Col 3\d$/);
    await lookUp();
    await title(EVIL).waitFor();
    await shot('12-evil-profile');
    await window.page.keyboard.press('Escape');
  });
});
