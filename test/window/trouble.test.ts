import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveSandbox } from '../host/serve.ts';
import { openWindow, type Window } from '../host/window.ts';

const GROUP = '518204736';

describe('In the window, trouble', () => {
  let window: Window;
  let portal: Server;
  let service: Awaited<ReturnType<typeof serveSandbox>>;

  /** Names a service in the settings, by its two addresses. */
  const connect = (webUrl: string, openApiUrl: string, more = {}) =>
    window.configure({
      'botChats.service.webUrl': webUrl,
      'botChats.service.openApiUrl': openApiUrl,
      'botChats.service.sandbox': false,
      'botChats.groups': [GROUP],
      ...more,
    });
  const row = (text: string) => window.page.getByRole('treeitem', { name: text });
  const toast = (text: RegExp) => window.page.locator('.notification-toast').filter({ hasText: text });
  const input = () => window.page.locator('.quick-input-widget');

  before(async () => {
    service = await serveSandbox();
    portal = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>Sign in to the guest network</title>');
    });
    await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
    window = await openWindow();
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
  });
  after(async () => {
    await window?.close();
    await service?.close();
    portal?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('trouble-failed');
    await window.command('Notifications: Clear All Notifications');
  });

  it('with no address set offers to connect or to try the sandbox, and says which addresses are refused', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Try the Sandbox' }).waitFor();
    await window.screenshot('trouble-1-welcome');
    await page.getByRole('button', { name: 'Connect to Your Service…' }).click();
    await input().getByText('Connect to Your Service (1 of 2)').waitFor();
    await page.keyboard.type('portal');
    await input().getByText('it is not a complete address').waitFor();
    await window.screenshot('trouble-2-address');
    await page.keyboard.press('Escape');
  });

  it('with a refused connection is on the row, and gone after a retry that succeeds', async () => {
    const gone = await serveSandbox();
    await gone.close();
    await connect(gone.sandbox.webUrl, service.sandbox.openApiUrl);
    await row(
      `${GROUP}, group, The service cannot be reached (ECONNREFUSED). Check the network and its address.`,
    ).waitFor();
    await window.screenshot('trouble-3-refused');
    await connect(service.sandbox.webUrl, service.sandbox.openApiUrl);
    await row('Fern & Kettle: the shop team, group, 342 members').waitFor();
  });

  it('with an address that answers HTML says what came instead', async () => {
    const { port } = portal.address() as AddressInfo;
    await connect(`http://127.0.0.1:${port}`, service.sandbox.openApiUrl);
    const answered = '“<!DOCTYPE html><title>Sign in to the guest network</title>”';
    await row(`${GROUP}, group, What answered is not the service: it sent ${answered}.`).waitFor();
  });

  it('with an unknown ID is on its row', async () => {
    await connect(service.sandbox.webUrl, service.sandbox.openApiUrl, { 'botChats.groups': [GROUP, 'nosuch'] });
    await row('nosuch, group, There is no group with the ID nosuch.').waitFor();
    await row('Fern & Kettle: the shop team, group, 342 members').waitFor();
  });

  it('with a missing token leads to setting one, and on to what was asked for', async () => {
    const { page } = window;
    await connect(service.sandbox.webUrl, service.sandbox.openApiUrl, { 'botChats.bots': ['30481126'] });
    await row('Fern & Kettle: the shop team, group, 342 members').click();
    await toast(/No bot token is saved for http/)
      .getByRole('button', { name: 'Set Bot Token…' })
      .click();
    await input().getByRole('option', { name: 'Order Desk' }).click();
    await input().getByText('Token of the bot 30481126').waitFor();
    await page.keyboard.type('a-wrong-token');
    await window.screenshot('trouble-4-token');
    await page.keyboard.press('Enter');

    const history = await window.webview('Fern & Kettle: the shop team');
    const failed = history.getByRole('alert');
    await failed.filter({ hasText: 'The service answered with code 1003' }).waitFor();
    await window.screenshot('trouble-5-wrong-token');
    await failed.getByRole('button', { name: 'Set Bot Token…' }).click();
    await input().getByText('Token of the bot 30481126').waitFor();
    await page.keyboard.type(service.sandbox.token('30481126') ?? '');
    await page.keyboard.press('Enter');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });
});
