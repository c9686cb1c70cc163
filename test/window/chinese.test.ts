import assert from 'node:assert/strict';
import type { Window } from '../host/window.ts';
import { hoverUntil } from './editorMouse.ts';
import { findHistory } from './historyDriver.ts';
import { inView } from './seeing.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { restingScreenshot, selectFromContextMenu } from './workbenchActions.ts';

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

  it('previews what each recipient in a file will get', async () => {
    await window.openFile('order-update.md');
    await window.codeLens('发送给 5 位用户').waitFor();
    await window.command('Bot Chats: 预览草稿');
    const preview = await window.webview('预览 order-update.md');
    await preview.getByRole('heading', { name: 'Hello Alice' }).waitFor();
    await preview.getByRole('button', { name: '下一个接收者' }).click();
    await preview.getByRole('heading', { name: 'Hello 闻山禾' }).waitFor();
    await preview.getByRole('checkbox', { name: '仅有问题的接收者（1）' }).check();
    await preview.getByText('{{order}} 为空。').waitFor();
    await shot('5-preview');
  });

  it('sends only after confirmation, and reports who received it', async () => {
    const { page } = window;
    await window.codeLens('发送给 5 位用户').click();
    const question = window.dialog.getByText('以 Order Desk 的身份将“order-update.md”发送给 5 位用户？');
    await question.waitFor();
    await window.dialog.getByText('将发送给 Alice（7058314）：').waitFor();
    await shot('6-question');
    await window.dialog.getByRole('button', { name: '发送', exact: true }).click();
    await page.getByText('已发送：5 个接收者中已送达 5 个。').first().waitFor();
    await page.getByRole('button', { name: '打开报告' }).click();
    await page.getByRole('tab', { name: '“Hello {{name}}”的发送报告', selected: true }).waitFor();
    const report = await window.webview('发送报告', '“Hello {{name}}”的发送报告');
    await report.getByRole('cell', { name: '已送达' }).nth(4).waitFor();
    await shot('7-report');
  });

  it('finds who has answered, and lists what needs attention', async () => {
    const { page } = window;
    const report = await window.webview('发送报告', '“Hello {{name}}”的发送报告');
    await report.getByRole('button', { name: '查找回复' }).click();
    const replies = await window.webview('回复', '对“Hello {{name}}”的回复');
    await replies.getByText(/^上次查找：/).waitFor();
    await shot('8-replies');
    await window.command('View: Close All Editors');
    await page.getByRole('button', { name: '动态 Section' }).click();
    await page.getByText('你关注的聊天中的未读消息').waitFor();
    await shot('9-activity');
    await page.getByRole('button', { name: '动态 Section' }).click();
  });

  it('leaves out a chat that never gets a message, and says so', async () => {
    const { page } = window;
    await selectFromContextMenu(page, window.row(/^Alice Fernhollow/), '加入不发送名单…', '列表和名单');
    await window.input.getByText('不再向 Alice Fernhollow 发送').waitFor();
    await page.keyboard.type('要求停发');
    await page.keyboard.press('Enter');
    await window.row(/^Alice Fernhollow，用户，不发送/).waitFor();
    await window.openFile('order-update.md');
    await window.codeLens('发送给 4 位用户，排除 1 个').click();
    await window.dialog.getByText('已排除，在不发送名单中（1 个）：Alice').waitFor();
    await shot('10-left-out');
    await page.keyboard.press('Escape');
    await window.dialog.waitFor({ state: 'hidden' });
  });
});
