import assert from 'node:assert/strict';
import type { Window } from '../host/window.ts';
import { hoverUntil } from './editorMouse.ts';
import { findHistory } from './historyDriver.ts';
import { inView } from './seeing.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { restingScreenshot } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';

describe('Bot Chats in Chinese, from the welcome view to a sent message', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  const shot = (name: string) => restingScreenshot(window, `chinese-${name}`);

  before(async () => {
    window = await openWindow({ locale: 'zh-cn', theme: 'light' });
  });
  after(() => window?.close());

  it('offers to connect or try the sandbox, which lists chats with names and details', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await page.getByRole('button', { name: '连接到你的服务…' }).waitFor();
    await shot('1-welcome');
    await page.getByRole('button', { name: '试用沙盒' }).click();
    for (const name of ['Riverside Town 河畔小镇', 'Release Clerk', 'Alice Fernhollow', '闻山禾'])
      await window.row(name).waitFor();
    await window.row(`${SHOP}，群组，342 名成员`).locator('.monaco-tl-twistie').click();
    await window.row('ID：518204736').waitFor();
    await shot('2-sidebar');
  });

  it('shows a user card on hover', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    await page.locator('.detected-link', { hasText: '7058314' }).waitFor();
    const card = page.locator('.monaco-hover:visible').filter({ hasText: '连续在线天数：' });
    await hoverUntil(page, '7058314', card.getByText('Alice Fernhollow'));
    await shot('3-hover');
    await page.keyboard.press('Escape');
  });

  it('opens web links from a history only after VS Code asks', async () => {
    const { page } = window;
    await window.row(SHOP).click();
    const history = await findHistory(window, SHOP);
    await history.page.getByRole('table').first().waitFor();
    await inView(history.page.locator('.entry').last());
    await shot('4-history');
    const opened: string[] = [];
    page.on('popup', (popup) => opened.push(popup.url()));
    const question = page.locator('.monaco-dialog-box', { hasText: 'open the external website' });
    await history.button('Open the order').last().click();
    await question.getByText('https://sandbox.invalid/web/pages/orders/FK-84758').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.deepEqual(opened, []);
    await page.context().route('https://sandbox.invalid/**', (route) => route.fulfill({ body: 'Outside' }));
    await history.button('Open the order').last().click();
    const popup = page.waitForEvent('popup');
    await question.getByRole('button', { name: 'Open' }).click();
    await (await popup).getByText('Outside').waitFor();
    await (await popup).close();
  });

  it('sends only after confirmation, and reports who received it', async () => {
    const { page } = window;
    await window.openFile('order-update.md');
    await window.codeLens('发送给 5 位用户').click();
    const question = window.dialog.getByText('以 Order Desk 的身份将“order-update.md”发送给 5 位用户？');
    await question.waitFor();
    await window.dialog.getByText('将发送给 Alice（7058314）：').waitFor();
    await shot('5-question');
    await window.dialog.getByRole('button', { name: '发送', exact: true }).click();
    await page.getByText('已发送：5 个接收者中已送达 5 个。').first().waitFor();
    await page.getByRole('button', { name: '打开报告' }).click();
    await page.getByRole('tab', { name: '“Hello {{name}}”的发送报告', selected: true }).waitFor();
    const report = await window.webview('发送报告', '“Hello {{name}}”的发送报告');
    await report.getByRole('cell', { name: '已送达' }).nth(4).waitFor();
    await shot('6-report');
  });
});
