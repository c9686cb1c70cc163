import { openWindow, type Window } from '../host/window.ts';
import { type Gated, serveGated } from './gated.ts';
import { saveToken } from './reading.ts';

const BOT = '30481126';
const GROUPS = ['518204736', 'big', '524317890'];

describe('The outbox, in the window', () => {
  let window: Window;
  let service: Gated;
  /** Called with the number of each call of `batch_send`; holds its answer as long as that is not settled. */
  let hold: (call: number) => Promise<unknown> | undefined;

  const input = () => window.page.locator('.quick-input-widget');
  const toast = (text: string) => window.page.locator('.notification-toast').filter({ hasText: text });
  const dialog = () => window.page.getByRole('dialog');
  const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();

  before(async () => {
    service = await serveGated();
    let calls = 0;
    service.answer = async ({ url }) => {
      if (url.includes('/batch_send')) await hold(++calls);
      return undefined;
    };
    window = await openWindow({
      settings: {
        ...service.settings,
        'botChats.groups': GROUPS,
        'botChats.bots': [BOT],
        'botChats.sending.batchSize': 1,
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    const token = service.sandbox.token(BOT) ?? '';
    await saveToken(window, { title: 'Bot Chats: Set Bot Token…', asks: 'Token of the bot', bot: 'Order Desk', token });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('outbox-failed');
  });

  it('knows after a crash what was sent, what was not, and what is unknown, and settles that by reading', async () => {
    hold = (call) => (call === 2 ? new Promise(() => {}) : undefined);
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Active Markdown…');
    await input().locator('input:focus').waitFor();
    for (const id of GROUPS) await input().locator('.monaco-list-row', { hasText: id }).click();
    await window.page.keyboard.press('Enter');
    await dialog().getByText('to 3 groups?').waitFor();
    await press('Send');
    await toast('Sending “announcement.md”').getByText('1 of 3').waitFor();
    await window.crash();
    hold = () => undefined;
    await window.reload();
    const told = toast('was interrupted. Reached: 1 of 3. Unknown: 1. Not sent: 1.');
    await told.waitFor();
    await window.screenshot('outbox-1-interrupted');
    await told.getByRole('button', { name: 'Check What Arrived' }).click();
    const checked = toast('Arrived: 0. Not in the chat: 1. Still unknown: 0.');
    await checked.waitFor();
    await checked.getByRole('button', { name: 'Resume…' }).click();
    await press('Resume');
    await toast('Not everybody was reached: 2 of 3.').waitFor();
    await window.screenshot('outbox-2-resumed');
  });
});
