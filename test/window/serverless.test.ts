import { startStaticEditor } from '../host/staticWindow.ts';
import type { Editor, Window } from '../host/window.ts';
import { enter, findHistory } from './historyDriver.ts';
import { testSettings } from './shared.ts';

const SHOP = 'Fern & Kettle: the shop team';

describe('Bot Chats in a VS Code without a server', () => {
  let editor: Editor;
  let window: Window;

  const shot = (name: string) => window.screenshot(`serverless-${name}`);
  const saveToken = async () => {
    await window.command('Bot Chats: Set Bot Token…');
    await window.input.getByRole('option', { name: 'Order Desk' }).click();
    await enter(window, 'Token for bot', 'sandbox-token-62118403');
  };

  before(async () => {
    editor = await startStaticEditor();
    window = await editor.open({ settings: testSettings });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
  });
  after(() => editor?.close());

  it('shows the sandbox and reads a chat in it', async () => {
    await window.page.getByRole('button', { name: 'Try the Sandbox' }).click();
    await window.row(SHOP).click();
    const history = await findHistory(window, SHOP);
    await history.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await shot('1-history');
  });

  it('sends a file of a virtual workspace', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Outbox Section' }).click();
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Draft…');
    await window.input.getByRole('option', { name: 'Order Desk' }).click();
    await window.input.locator('.monaco-list-row', { hasText: '518204736' }).first().click();
    await page.keyboard.press('Enter');
    await window.dialog.getByText('Send “announcement.md” as Order Desk to').waitFor();
    await shot('2-question');
    await window.dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await window.row('Maintenance on Saturday, 1 of 1 reached').waitFor();
    await window.clearNotifications();
  });

  it('keeps the outbox over a reload, but no token, and says so', async () => {
    await saveToken();
    await window.toast('VS Code may keep the token only until this window is closed or reloaded').waitFor();
    await window.reload();
    await window.row('Maintenance on Saturday, 1 of 1 reached').waitFor();
    await saveToken();
    await window.toast('This VS Code keeps tokens only until its window is closed or reloaded.').waitFor();
    await shot('3-lost');
  });
});
