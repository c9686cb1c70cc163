import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import type { Window } from '../host/window.ts';
import { findHistory, type ListedMessage, messagesOf, saveToken } from './historyDriver.ts';
import { type InterceptedSandbox, resetConnection, serveIntercepted } from './interceptedSandbox.ts';
import { inView } from './seeing.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { restingScreenshot, selectFromContextMenu } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';
const GROUP = '518204736';
const ORDER_DESK = '30481126';

describe('The archive', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let service: InterceptedSandbox;
  /** Oldest first. */
  let sent: ListedMessage[];
  let search: FrameLocator;

  const pane = (name: string) =>
    window.page.locator('.pane', { has: window.page.locator(`.pane-header[aria-label^="${name}"]`) });
  const archivedRow = () => pane('Archive').getByRole('treeitem', { name: new RegExp(SHOP) });
  const shot = (name: string) => restingScreenshot(window, `archive-${name}`);

  before(async () => {
    service = await serveIntercepted();
    sent = await messagesOf(service, GROUP, ORDER_DESK);
    const lists = { 'botChats.groups': [GROUP], 'botChats.bots': [ORDER_DESK] };
    window = await openWindow({ settings: { ...service.settings, ...lists } });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.page.getByRole('treeitem', { name: `${SHOP}, group, 342 members` }).waitFor();
    const words = { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot 30481126', bot: 'Order Desk' };
    await saveToken(window, { ...words, token: service.sandbox.token(ORDER_DESK) ?? '' });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('keeps a chat once the user has asked for it', async () => {
    await pane('Archive').locator('.pane-header').click();
    await pane('Archive').getByText("Keep a chat's messages on the remote computer").waitFor();
    await shot('1-welcome');
    const row = window.page.getByRole('treeitem', { name: `${SHOP}, group, 342 members` });
    await selectFromContextMenu(window.page, row, 'Archive This Chat…');
    await window.page.locator('.quick-input-widget').getByRole('option', { name: 'Entire History' }).waitFor();
    await shot('2-how-far');
    await window.page.keyboard.press('Enter');
    await archivedRow().filter({ hasText: 'until' }).waitFor();
    await archivedRow()
      .filter({ hasText: `${sent.length} messages` })
      .waitFor();
    await shot('3-archived');
  });

  it('opens an archived chat from its row', async () => {
    await archivedRow().click();
    await inView((await findHistory(window, SHOP)).article(sent.at(-1)));
    await window.command('View: Close All Editors');
  });

  it('finds words while they are typed, and opens a result in its history', async () => {
    await pane('Archive').locator('.pane-header').focus();
    await window.page.keyboard.press('Control+Alt+F');
    search = await window.webview('Search Messages');
    const target = sent.find(({ content }) => /\bkettle\b/i.test(content.text ?? '')) ?? assert.fail('no such message');
    await search.getByRole('searchbox').pressSequentially('kett');
    await search.locator('mark').first().waitFor();
    await shot('4-found');
    await search.getByRole('searchbox').fill(`"${firstWords(target)}" kettle`);
    const result = search
      .locator(`[data-key], [role=option], li`)
      .filter({ hasText: firstWords(target) })
      .first();
    await result.waitFor();
    await search.getByRole('searchbox').press('ArrowDown');
    await window.page.keyboard.press('Enter');
    const history = await findHistory(window, SHOP);
    await history.page.locator('article').first().waitFor();
    await shot('5-opened');
  });

  it('searches one chat from its row', async () => {
    await selectFromContextMenu(window.page, archivedRow(), 'Search in This Chat…');
    search = await window.webview('Search Messages');
    const chats = search.getByRole('combobox', { name: 'Chat', exact: true });
    const isFiltered = async () =>
      (await chats.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text)) === SHOP;
    while (!(await isFiltered())) await search.getByRole('status').waitFor();
    await search.getByRole('searchbox').fill('kettle');
    await search.locator('mark').first().waitFor();
  });

  it('counts the messages of a chat', async () => {
    await selectFromContextMenu(window.page, archivedRow(), 'Statistics');
    const page = await window.webview(`Statistics of ${SHOP}`);
    await page.getByText('Messages by Weekday and Hour').waitFor();
    await shot('6-statistics');
  });

  it('shows archived messages while the service is unreachable', async () => {
    await window.command('View: Close All Editors');
    service.intercept = resetConnection;
    await window.page.getByRole('treeitem', { name: `${SHOP}, group, 342 members` }).click();
    const history = await findHistory(window, SHOP);
    await history.page.getByText(/Archived messages until/).waitFor();
    await inView(history.article(sent.at(-1)));
    await shot('7-offline');
    service.intercept = () => undefined;
  });

  it('deletes what it keeps', async () => {
    await selectFromContextMenu(window.page, archivedRow(), 'Delete Archive…');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText(`Delete the archived messages of ${SHOP}?`).waitFor();
    await shot('8-delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await pane('Archive').getByText("Keep a chat's messages on the remote computer").waitFor();
  });
});

/** The first words of a message, which a search finds as a phrase. */
const firstWords = ({ content }: ListedMessage) => /^[\p{L}\p{N} ]{3,20}/u.exec(content.text ?? '')?.[0].trim() ?? '';
