import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveSandbox } from '../host/serve.ts';
import type { Window } from '../host/window.ts';
import { deferred } from '../unit/deferred.ts';
import { answerPrompt, enter, send } from './historyDriver.ts';
import { type InterceptedSandbox, resetConnection, serveIntercepted, successResponse } from './interceptedSandbox.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import {
  clickTitleButton,
  expectRows,
  filterNoteRemoved,
  selectFromContextMenu,
  sidebarScreenshot,
} from './workbenchActions.ts';

const GROUP = '518204736';
const ORDER_DESK = '30481126';
const OTHER_BOT = '30527740';

const noToken = 'Set a bot token to read and send messages…';
const shop = 'Fern & Kettle: the shop team, group, 342 members';
const games = 'Tuesdays, group, Board games after work · 11 members';
const desk = 'Order Desk, bot, 356 users';
const alice = 'Alice Fernhollow, person, 1,204 days online';
const unreachable = 'The connection was interrupted (ECONNRESET).';

/** A row's accessible name while the service can't be reached: its summary follows the reason. */
const unreachableLabel = (name: string) => name.replace(/^([^,]*, \w+, )/, `$1${unreachable} · `);

describe('The sidebar with an unreliable service', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let captivePortal: Server;
  let service: InterceptedSandbox;

  const input = () => window.page.locator('.quick-input-widget');
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const toast = (text: RegExp) => window.page.locator('.notification-toast').filter({ hasText: text });
  const openWalkthrough = async () => {
    await window.command('Welcome: Open Walkthrough...');
    await input().getByRole('option', { name: 'Get Started with Bot Chats' }).click();
    await window.page.locator('.getting-started-step').first().waitFor();
  };
  const all = [noToken, 'Groups, 2', shop, games, 'Bots, 1', desk, 'People, 1', alice];
  /** Sets the service address, and the groups in the sidebar. */
  const connect = (webUrl: string, groups: readonly string[] = [GROUP]) =>
    window.configure({ ...service.settings, 'botChats.service.webUrl': webUrl, 'botChats.groups': groups });

  before(async () => {
    service = await serveIntercepted();
    captivePortal = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>Sign in to the guest network</title>');
    });
    await new Promise<void>((resolve) => captivePortal.listen(0, '127.0.0.1', resolve));
    window = await openWindow({ theme: 'hc-light' });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
  });
  after(async () => {
    await window?.close();
    await service?.close();
    captivePortal?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await sidebarScreenshot(window, 'service-failed');
    await window.command('Notifications: Clear All Notifications');
  });

  it('offers to connect, and explains which addresses are invalid', async () => {
    const { page } = window;
    // From here on, VS Code notices what completes its steps.
    await openWalkthrough();
    await page.getByRole('button', { name: 'Try the Sandbox', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Connect to Your Service…' }).click();
    await input().getByText('Connect to Your Service (1 of 2)').waitFor();
    await page.keyboard.type('portal');
    await input().getByText("It isn't a complete address").waitFor();
    await sidebarScreenshot(window, 'service-1-address');
    await page.keyboard.press('Escape');
  });

  it('says at once what answers at a wrong address, or that nothing does', async () => {
    const { page } = window;
    const stopped = await serveSandbox();
    await stopped.close();
    const { port } = captivePortal.address() as AddressInfo;
    await page.getByRole('button', { name: 'Connect to Your Service…' }).click();
    await enter(window, 'Lookup API URL (web_url)', stopped.sandbox.webUrl);
    await input().getByText("Can't connect to the service (ECONNREFUSED).").waitFor();
    await sidebarScreenshot(window, 'service-1-nothing');
    await enter(window, 'Press Enter to use it anyway.', `http://127.0.0.1:${port}`);
    await input().getByText("This isn't the service: it returned HTTP status 200").waitFor();
    await sidebarScreenshot(window, 'service-1-portal');
    await enter(window, 'Press Enter to use it anyway.', service.sandbox.webUrl);
    await enter(window, 'Bot API URL (open_api_url)', service.sandbox.openApiUrl);
    await input().getByText('Set Bot Token').waitFor();
    await page.keyboard.press('Escape');
    await row(noToken).waitFor();
  });

  it('shows in its row why a chat could not be looked up', async () => {
    const stopped = await serveSandbox();
    await stopped.close();
    await connect(stopped.sandbox.webUrl);
    await row(/^518204736, group, Can't connect to the service \(ECONNREFUSED\)/).waitFor();
    await sidebarScreenshot(window, 'service-2-refused');
    const { port } = captivePortal.address() as AddressInfo;
    await connect(`http://127.0.0.1:${port}`);
    const answered = '“<!DOCTYPE html><title>Sign in to the guest network</title>”';
    await row(`518204736, group, Unexpected response (${answered}).`).waitFor();
    await connect(service.sandbox.webUrl, [GROUP, 'nosuch']);
    await row("nosuch, group, Group nosuch doesn't exist.").waitFor();
    await row(shop).waitFor();
  });

  it('offers to add items to an empty section', async () => {
    const { page } = window;
    await connect(service.sandbox.webUrl, []);
    await expectRows(page, [noToken, 'Groups', 'Add a group…', 'Bots', 'Add a bot…', 'People', 'Add a person…']);
    await sidebarScreenshot(window, 'service-3-empty');
    await row('Add a person…').click();
    await input().getByText('Add People').first().waitFor();
    await page.keyboard.press('Escape');
  });

  it('lists chats immediately, with a loading indicator', async () => {
    const { page } = window;
    const gate = deferred<undefined>();
    service.intercept = () => gate.promise;
    await window.configure({
      'botChats.groups': ['563311478', { id: '531048827', label: 'Tuesdays' }],
      'botChats.bots': [ORDER_DESK],
      'botChats.people': ['7058314'],
    });
    await expectRows(page, [
      noToken,
      'Groups, 2',
      '563311478, group, Looking up…',
      'Tuesdays, group, Looking up…',
      'Bots, 1',
      '30481126, bot, Looking up…',
      'People, 1',
      '7058314, person, Looking up…',
    ]);
    await page.locator('.sidebar .monaco-progress-container.active').waitFor();
    await sidebarScreenshot(window, 'service-4-loading');
    // One of them fails.
    service.intercept = async (request) =>
      (await request.text()).includes('531048827') ? Response.json({ code: 1005, msg: '会话已封禁' }) : undefined;
    gate.resolve(undefined);
  });

  it('shows a failed lookup in its row, and retries it', async () => {
    const { page } = window;
    await window.configure({ 'botChats.groups': [GROUP, { id: '531048827', label: 'Tuesdays' }] });
    await row(shop).waitFor();
    await clickTitleButton(page, 'Refresh');
    const trouble = row('Tuesdays, group, The service returned error 1005: “会话已封禁”. The chat is banned.');
    await trouble.waitFor();
    await row(desk).waitFor();
    await row(alice).waitFor();
    await sidebarScreenshot(window, 'service-5-one-failed');
    service.intercept = () => undefined;
    await trouble.hover();
    await trouble.getByRole('button', { name: 'Refresh' }).click();
    await expectRows(page, all);
  });

  it('keeps names while the service is unreachable, also after a reload', async () => {
    const { page } = window;
    service.intercept = resetConnection;
    await clickTitleButton(page, 'Refresh');
    const sections = [
      'Groups, 2',
      unreachableLabel(shop),
      unreachableLabel(games),
      'Bots, 1',
      unreachableLabel(desk),
      'People, 1',
      unreachableLabel(alice),
    ];
    await expectRows(page, [`Try again: ${unreachable}`, 'Change Address…', noToken, ...sections]);
    await sidebarScreenshot(window, 'service-6-offline');
    await window.reload();
    await expectRows(window.page, all);
    await clickTitleButton(page, 'Refresh');
    // Waits for all: a pending lookup would recover on its own.
    await expectRows(page, [`Try again: ${unreachable}`, 'Change Address…', noToken, ...sections]);
    service.intercept = () => undefined;
    await row('Try again').click();
    await expectRows(page, all);
  });

  it('comes back by itself once the service answers again', async () => {
    const { page } = window;
    service.intercept = resetConnection;
    await clickTitleButton(page, 'Refresh');
    await row('Change Address…').waitFor();
    service.intercept = () => undefined;
    await expectRows(page, all);
  });

  it('shows how many items match the filter in each section, even none', async () => {
    const { page } = window;
    await clickTitleButton(page, 'Filter by Name or ID…');
    await input().locator('input:focus').waitFor();
    await page.keyboard.type('nobody at all');
    await page.keyboard.press('Enter');
    await page.getByText('Filter: “nobody at all” · no matches').waitFor();
    await sidebarScreenshot(window, 'service-7-no-match');
    await clickTitleButton(page, 'Clear Filter');
    await filterNoteRemoved(page);
    await expectRows(page, all);
  });

  it('asks for a missing token, then for another if it is wrong, and then opens the history', async () => {
    const { page } = window;
    await row(shop).click();
    await toast(/No bot token is saved for http/)
      .getByRole('button', { name: 'Set Bot Token…' })
      .click();
    await input().getByRole('option', { name: 'Order Desk' }).click();
    await enter(window, 'Token for bot 30481126', 'a-wrong-token');
    await input().getByText('The token is wrong. Press Enter to use it anyway.').waitFor();
    await sidebarScreenshot(window, 'service-8-token-check');
    await page.keyboard.press('Enter');
    const history = await window.webview('Fern & Kettle: the shop team');
    const alert = history.getByRole('alert');
    await alert.filter({ hasText: 'The service returned error 1003' }).waitFor();
    await sidebarScreenshot(window, 'service-8-wrong-token');
    await alert.getByRole('button', { name: 'Set Bot Token…' }).click();
    await answerPrompt(window, 'Token for bot 30481126', service.sandbox.token(ORDER_DESK) ?? '');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await row(noToken).waitFor({ state: 'hidden' });
  });

  it('has completed the steps of the walkthrough about the service, the token and the history', async () => {
    const { page } = window;
    await openWalkthrough();
    for (const step of ['connect', 'token', 'read'])
      await page.locator(`.getting-started-step [data-done-step-id$="#start#${step}"].complete`).waitFor();
  });

  it('counts new messages of a watched chat on its row and the icon, until it is read or unwatched', async () => {
    const { page } = window;
    await window.command('View: Close All Editors');
    await window.configure({ 'workbench.colorTheme': 'Default High Contrast' });
    const looked = service.answered('/bot/messages');
    await selectFromContextMenu(page, row(shop), 'Watch for New Messages');
    await looked;
    await send(service, GROUP, OTHER_BOT, 'The kettle is on.');
    await send(service, GROUP, OTHER_BOT, 'And the ferns are watered.');
    const name = 'Fern & Kettle: the shop team, group';
    await selectFromContextMenu(page, row(name), 'Refresh');
    await row(`${name}, 2 new · 342 members`).waitFor();
    await page.getByRole('tab', { name: 'Bot Chats - 2 new messages' }).waitFor();
    await row(name).hover();
    await page.locator('.monaco-hover:visible').getByText('Watching as Order Desk · 2 new').waitFor();
    await sidebarScreenshot(window, 'service-9-watched');
    await page.keyboard.press('Escape');
    await window.command('Bot Chats: Show Watched Chats…');
    const watched = input().locator('.monaco-list-row', { hasText: 'Fern & Kettle: the shop team' });
    await watched.filter({ hasText: '2 new' }).filter({ hasText: 'Watching as Order Desk' }).waitFor();
    await sidebarScreenshot(window, 'service-9-watched-chats');
    await page.keyboard.press('Escape');
    await input().waitFor({ state: 'hidden' });
    await window.command('Bot Chats: Open Next Unread Chat');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByText('And the ferns are watered.').waitFor();
    await row(`${name}, watching · 342 members`).waitFor();
    await page.getByRole('tab', { name: 'Bot Chats', exact: true }).waitFor();
    await selectFromContextMenu(page, row(name), 'Stop Watching');
    await send(service, GROUP, OTHER_BOT, 'Nobody looks.');
    await selectFromContextMenu(page, row(name), 'Refresh');
    await row(name).click({ button: 'right' });
    const offer = page.getByRole('menuitem', { name: 'Watch for New Messages' });
    await offer.waitFor();
    await page.keyboard.press('Escape');
    await offer.waitFor({ state: 'hidden' });
    await row(`${name}, 342 members`).waitFor();
  });

  it('shows a thousand names with any characters as they are, and looks up rows that scroll into view', async () => {
    const { page } = window;
    const names = [
      '$(trash) not an icon',
      '[a link](command:workbench.action.quit) **bold** <b>not</b>',
      '很长的名字'.repeat(60),
      'لوحة إعلانات المدينة',
      'two\nlines\u0000\u0007\u202Edesrever',
      ' ',
      '👩‍👩‍👧‍👦 family',
    ];
    service.intercept = resetConnection;
    await window.configure({
      'workbench.colorTheme': 'Dark 2026',
      'botChats.groups': Array.from({ length: 1000 }, (_, index) => `${600_000_000 + index}`),
      'botChats.service.callsPerSecond': 500,
    });
    await row(`Try again: ${unreachable}`).waitFor();
    await row(`600000000, group, ${unreachable}`).waitFor();
    await row('Groups, 1,000').waitFor();
    await sidebarScreenshot(window, 'service-10-offline');
    service.intercept = async (request) => {
      if (!request.url.endsWith('/group-info')) return undefined;
      const { groupId } = (await request.json()) as { groupId: string };
      const index = Number(groupId) - 600_000_000;
      return successResponse({ group: groupOf(groupId, names[index] ?? `Group ${index} ${'x'.repeat(index % 40)}`) });
    };
    // Not by a click: the row disappears once any lookup succeeds, and the click would hit another one.
    await window.command('Bot Chats: Refresh');
    for (const index of [0, 1, 3, 6]) await row(`${names[index]}, group`).waitFor();
    // A chat without a name is shown by its ID.
    await row('600000005, group, 7 members').waitFor();
    await row('Try again').waitFor({ state: 'hidden' });
    await sidebarScreenshot(window, 'service-11-names');
    await row('600000005, group').click({ modifiers: ['Control'] });
    await page.keyboard.press('End');
    await row('Group 980 xx').first().waitFor();
    await sidebarScreenshot(window, 'service-12-end');
  });
});

/** A group (contract 2.1). Only its name matters here. */
function groupOf(groupId: string, name: string) {
  const bot = {};
  const groupBotRel = { id: 0, groupId, botId: '', delFlag: 0, createTime: 0, updateTsime: 0, bot };
  const details = { introduction: '', createBy: '', createTime: 0, avatarId: 0, avatarUrl: '', headcount: 7 };
  return { id: 1, groupId, name, ...details, readHistory: 1, category: '', uri: '', groupBotRel };
}
