import assert from 'node:assert/strict';
import type { Window } from '../host/window.ts';
import { hoverUntil } from './editorMouse.ts';
import { findHistory, type HistoryDriver } from './historyDriver.ts';
import { inView } from './seeing.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';

const SHOP = 'Fern & Kettle: the shop team';

describe('Bot Chats in Chinese, from the welcome view to a sent message', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let history: HistoryDriver;
  const row = (name: string) => window.page.getByRole('treeitem', { name }).first();
  const shot = (name: string) => window.screenshot(`chinese-${name}`);
  const dialog = () => window.page.getByRole('dialog');

  before(async () => {
    window = await openWindow({ locale: 'zh-cn', theme: 'light' });
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('offers to connect or try the sandbox, which lists chats with names and details', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await page.getByRole('button', { name: '连接到你的服务…' }).waitFor();
    await shot('1-welcome');
    await page.getByRole('button', { name: '试用沙盒' }).click();
    for (const name of ['Riverside Town 河畔小镇', 'Release Clerk', 'Alice Fernhollow', '闻山禾'])
      await row(name).waitFor();
    const group = row(`${SHOP}, 群组, 342 名成员`);
    await group.locator('.monaco-tl-twistie').click();
    await row('ID: 518204736').waitFor();
    await shot('2-sidebar');
    await group.locator('.monaco-tl-twistie').click();
  });

  it('shows a user card on hover', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    await page.locator('.detected-link', { hasText: '7058314' }).waitFor();
    const card = page.locator('.monaco-hover:visible').filter({ hasText: '连续在线天数:' });
    await hoverUntil(page, '7058314', card.getByText('Alice Fernhollow'));
    await shot('3-hover');
    await page.keyboard.press('Escape');
  });

  it('opens a group history at its newest message, with buttons to preview', async () => {
    await row(SHOP).click();
    history = await findHistory(window, SHOP);
    await history.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await history.page.getByRole('table').first().waitFor();
    await inView(history.page.locator('.entry').last());
    await history.page.getByRole('button', { name: 'Mark as collected' }).click();
    await history.page.getByRole('status').filter({ hasText: 'FK-84758' }).waitFor();
    await shot('4-history');
  });

  it('opens web links from a history only after VS Code asks', async () => {
    const { page } = window;
    const opened: string[] = [];
    page.on('popup', (popup) => opened.push(popup.url()));
    await page.context().route('https://sandbox.invalid/**', (route) => route.fulfill({ body: 'Outside' }));
    const question = page.locator('.monaco-dialog-box', { hasText: 'open the external website' });
    await history.page.getByRole('button', { name: 'Open the order' }).last().click();
    await question.getByText('https://sandbox.invalid/web/pages/orders/FK-84758').waitFor();
    await shot('5-outside');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    const link = history.page.getByRole('link', { name: 'https://sandbox.invalid/web/files/' }).last();
    await history.wheelTo(link, -200);
    await link.click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.deepEqual(opened, []);
    await link.click();
    const popup = page.waitForEvent('popup');
    await question.getByRole('button', { name: 'Open' }).click();
    await (await popup).getByText('Outside').waitFor();
    await (await popup).close();
    await history.button('跳转到最新消息').click();
  });

  it('asks before an agent reads messages', async () => {
    await window.callTool('botchats_read', { chatType: 'group', chatId: '518204736', count: 50 });
    await dialog().getByText('允许智能体阅读消息吗？').waitFor();
    await dialog()
      .getByText(
        `群组 ${SHOP} (518204736) 中最多 50 条消息，以及发送者、时间和按钮，会发送给语言模型。 如果不只允许一次，则对所有聊天有效。`,
      )
      .waitFor();
    await shot('5-agent');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await window.toolResult(), 'Canceled: Canceled');
  });

  it('sends the open Markdown file to the chosen recipients, and only after confirmation', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    await window.command('Bot Chats: 发送当前 Markdown…');
    const input = page.locator('.quick-input-widget');
    await input.getByText('以哪个机器人的身份发送？').waitFor();
    await input.getByRole('option', { name: 'Order Desk' }).click();
    await input.locator('.monaco-list-row', { hasText: '518204736' }).waitFor();
    await input.locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    await input.getByPlaceholder('请至少选择一个接收者').waitFor();
    for (const id of ['518204736', '7058314']) await input.locator('.monaco-list-row', { hasText: id }).click();
    await shot('6-recipients');
    await page.keyboard.press('Enter');
    const question = '以 Order Desk 的身份将“announcement.md”发送给 2 个聊天（群组：1，用户：1）？';
    await dialog().getByText(question).waitFor();
    await shot('7-question');
    // Enter selects the first button, which goes back with everything still selected.
    await page.keyboard.press('Enter');
    await input.getByText('2 Selected').first().waitFor();
    await input.locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: '发送', exact: true }).click();
    await page.getByText('已发送：2 个接收者中已送达 2 个。').first().waitFor();
  });

  it('reports who received it, and shows the message in the open history, also after a reload', async () => {
    const { page } = window;
    await page.getByRole('button', { name: '打开报告' }).click();
    await page.getByRole('tab', { name: '“announcement.md”的发送报告', selected: true }).waitFor();
    // VS Code gives a custom editor's webview no title.
    const report = await window.webview('undefined');
    await report.getByRole('cell', { name: '已送达' }).nth(1).waitFor();
    await report.getByRole('cell', { name: 'Alice Fernhollow' }).waitFor();
    await shot('8-report');
    await page.getByRole('tab', { name: SHOP }).click();
    history = await findHistory(window, SHOP);
    await inView(history.page.getByRole('heading', { name: 'Maintenance on Saturday' }));
    await shot('9-arrived');
    await window.reload();
    history = await findHistory(window, SHOP);
    await history.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });
});
