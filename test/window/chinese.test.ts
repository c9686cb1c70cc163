import assert from 'node:assert/strict';
import type { Window } from '../host/window.ts';
import { findHistory } from './historyDriver.ts';
import { inView } from './seeing.ts';
import { openWindow } from './shared.ts';
import { restingScreenshot } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';

describe('Bot Chats in Chinese', () => {
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

  it('opens web links from a history only after VS Code asks', async () => {
    const { page } = window;
    await window.row(SHOP).click();
    const history = await findHistory(window, SHOP);
    await history.page.getByRole('table').first().waitFor();
    await inView(history.page.locator('.entry').last());
    await history.page.getByRole('button', { name: '转到日期' }).waitFor();
    await shot('3-history');
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
});
