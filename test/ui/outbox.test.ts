import { openWindow, type Window } from '../host/window.ts';
import { deferred } from '../unit/deferred.ts';
import { type Gated, serveGated } from './gated.ts';

const BOT = '30481126';
const GROUPS = ['518204736', 'big', '524317890'];
/** The second one takes no messages of bots: the service does not list it. */
const PEOPLE = ['7058314', '7850437'];

describe('The outbox, in the window', () => {
  let window: Window;
  let service: Gated;
  /** The calls of `batch_send` so far, by their receivers. */
  let calls: string[];
  /** Called with the number of each call; holds its answer as long as that is not settled. */
  let hold: (call: number) => Promise<unknown> | undefined;

  const input = () => window.page.locator('.quick-input-widget');
  const toast = (text: string | RegExp) => window.page.locator('.notification-toast').filter({ hasText: text });
  const row = (text: string | RegExp) => window.page.getByRole('treeitem', { name: text });
  const dialog = () => window.page.getByRole('dialog');
  const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();

  before(async () => {
    service = await serveGated();
    calls = [];
    hold = () => undefined;
    service.answer = async (request) => {
      if (!request.url.includes('/batch_send')) return undefined;
      const { recvIds } = await request.json();
      const number = calls.push(recvIds.join());
      await hold(number);
      return undefined;
    };
    window = await openWindow({
      settings: {
        ...service.settings,
        'botChats.groups': GROUPS,
        'botChats.people': PEOPLE,
        'botChats.bots': [BOT],
        'botChats.sending.batchSize': 1,
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.command('Bot Chats: Set Bot Token…');
    await input().getByRole('option', { name: 'Order Desk' }).click();
    await input().getByText(`Token of the bot ${BOT}`).waitFor();
    await window.page.keyboard.type(service.sandbox.token(BOT) ?? '');
    await window.page.keyboard.press('Enter');
    await toast('is saved').waitFor();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  beforeEach(() => {
    calls = [];
    hold = () => undefined;
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('outbox-failed');
    await window.command('Notifications: Clear All Notifications');
  });

  /** Sends the example up to the last question, after a click on these recipients. */
  const send = async (clicked: readonly string[]) => {
    const { page } = window;
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Active Markdown…');
    await input().locator('input:focus').waitFor();
    for (const id of clicked) await input().locator('.monaco-list-row', { hasText: id }).click();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
  };

  it('shows how far a delivery is, and stops it when that is cancelled', async () => {
    const { page } = window;
    const answer = deferred<void>();
    hold = (call) => (call === 3 ? answer.promise : undefined);
    await send([...GROUPS, ...PEOPLE]);
    await press('Send');
    const progress = toast('Sending “announcement.md”');
    await progress.getByText('2 of 5').waitFor();
    await page.getByRole('button', { name: 'Outbox Section' }).click();
    await row(/announcement\.md, being sent/).waitFor();
    await window.screenshot('outbox-1-sending');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    answer.resolve();
    await toast('3 of 5 reached, 2 not sent to. You stopped it; it can be resumed.').waitFor();
    await row(/announcement\.md, 3 of 5 reached/).waitFor();
    await window.screenshot('outbox-2-stopped');
  });

  it('resumes it with the rest, after a question whose first answer sends nothing', async () => {
    const { page } = window;
    await row(/announcement\.md/).hover();
    await row(/announcement\.md/)
      .getByRole('button', { name: 'Resume…' })
      .click();
    await dialog().getByText('Go on sending “announcement.md” as Order Desk to 2 people?').waitFor();
    await window.screenshot('outbox-3-resume');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Delivery of announcement.md' }).waitFor();
    await window.command('View: Close Editor');
    await row(/announcement\.md/).hover();
    await row(/announcement\.md/)
      .getByRole('button', { name: 'Resume…' })
      .click();
    await press('Resume');
    await toast('Not everybody was reached: 4 of 5.').waitFor();
    await row(/announcement\.md, 4 of 5 reached/)
      .locator('.monaco-tl-twistie')
      .click();
    await row(/^Not confirmed/)
      .locator('.monaco-tl-twistie')
      .click();
    await row(/7850437/).waitFor();
    await window.screenshot('outbox-4-resumed');
  });

  it('sends again to the missing only, after a new confirmation', async () => {
    await row(/announcement\.md/).hover();
    await row(/announcement\.md/)
      .getByRole('button', { name: 'Resend to Missing Only…' })
      .click();
    await dialog().getByText('to 1 person?').waitFor();
    await dialog().getByText('may have got this message already').waitFor();
    await window.screenshot('outbox-5-resend');
    await press('Send');
    await toast('Not everybody was reached: 0 of 1.').waitFor();
  });

  it('knows after a crash what was sent, what was not, and what is unknown, and settles that by reading', async () => {
    const { page } = window;
    hold = (call) => (call === 2 ? new Promise(() => {}) : undefined);
    // Those of the last time are ticked already.
    await send(PEOPLE);
    await dialog().getByText('to 3 groups?').waitFor();
    await press('Send');
    await toast('Sending “announcement.md”').getByText('1 of 3').waitFor();
    await window.crash();
    hold = () => undefined;
    await window.reload();
    const told = toast('was interrupted. Reached: 1 of 3. Unknown: 1. Not sent: 1.');
    await told.waitFor();
    await window.screenshot('outbox-6-interrupted');
    await told.getByRole('button', { name: 'Check What Arrived' }).click();
    const checked = toast('Arrived: 0. Not in the chat: 1. Still unknown: 0.');
    await checked.waitFor();
    await checked.getByRole('button', { name: 'Resume…' }).click();
    await press('Resume');
    await toast('Not everybody was reached: 2 of 3.').waitFor();
    await window.screenshot('outbox-7-resumed');
    await page.keyboard.press('Escape');
  });
});
