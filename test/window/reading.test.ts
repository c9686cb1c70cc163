import assert from 'node:assert/strict';
import { DROPPED_MS, inTime, repeatUntil } from '../host/repeating.ts';
import type { Window } from '../host/window.ts';
import { findHistory, type HistoryDriver, type ListedMessage, messagesOf, saveToken } from './historyDriver.ts';
import { type InterceptedSandbox, resetConnection, serveIntercepted } from './interceptedSandbox.ts';
import { inView, isInView } from './seeing.ts';
import { openWindow } from './shared.ts';
import {
  expectClipboard,
  expectStored,
  restingScreenshot,
  selectFromContextMenu,
  selectMenuItem,
} from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';
const FILM = '胶片与黄昏';
const GROUP = '518204736';
const FILM_GROUP = '563311478';
const ORDER_DESK = '30481126';

describe('Reading', () => {
  let window: Window;
  let service: InterceptedSandbox;
  let history: HistoryDriver;
  /** Oldest first. */
  let sent: ListedMessage[];

  const article = (message: ListedMessage | undefined) => history.article(message);
  const alert = () => history.page.getByRole('alert');
  const shopRow = () => window.row(`${SHOP}, group, 342 members`);
  const shot = (name: string) => restingScreenshot(window, `reading-${name}`);
  const pane = (name: string) =>
    window.page.locator('.pane', { has: window.page.locator(`.pane-header[aria-label^="${name}"]`) });
  const archivedRow = () => pane('Archive').getByRole('treeitem', { name: new RegExp(SHOP) });
  /** Opens a chat from the sidebar, or finds its panel again after it was hidden. */
  const open = async (name = SHOP) => {
    await window.row(new RegExp(`^${name}, group`)).click();
    history = await findHistory(window, name);
  };
  const goTo = async (message: ListedMessage | undefined) => {
    // A panel that was just painted or revealed may take the focus from the box, which closes then.
    await repeatUntil(article(message), async () => {
      await window.command('Bot Chats: Go to Message…');
      const box = window.input.locator('input:visible').first();
      const answer = async () => {
        await window.input.getByText('Enter the ID of a message in this chat').waitFor({ timeout: DROPPED_MS });
        await box.fill(message?.msgId ?? '', { timeout: DROPPED_MS });
        await box.press('Enter', { timeout: DROPPED_MS });
      };
      if (await inTime(answer())) await window.input.waitFor({ state: 'hidden' });
    });
    await inView(article(message));
  };
  const interceptMessages = (answer: () => Response) => {
    service.intercept = (request) => (request.url.includes('/bot/messages') ? answer() : undefined);
  };

  before(async () => {
    service = await serveIntercepted();
    sent = await messagesOf(service, GROUP, ORDER_DESK);
    const lists = { 'botChats.groups': [GROUP, FILM_GROUP], 'botChats.bots': [ORDER_DESK] };
    window = await openWindow({ settings: { ...service.settings, ...lists } });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await shopRow().waitFor();
    const words = { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot 30481126', bot: 'Order Desk' };
    await saveToken(window, { ...words, token: service.sandbox.token(ORDER_DESK) ?? '' });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  it('starts with why loading failed, and at the newest message on retry', async () => {
    interceptMessages(resetConnection);
    await open();
    await alert().getByText('The connection was interrupted').waitFor();
    await shot('1-down');
    service.intercept = () => undefined;
    await alert().getByRole('button', { name: 'Retry' }).click();
    await inView(article(sent.at(-1)));
    await shot('2-newest');
  });

  it('finds text with the shortcut of VS Code', async () => {
    await goTo(sent.at(-1));
    await article(sent.at(-1)).focus();
    await window.page.keyboard.press('Control+F');
    const find = history.page.getByPlaceholder('Find in loaded messages');
    await find.fill('fk-84758');
    await history.page.getByText(/^1 of \d+$/).waitFor();
    await shot('3-found');
    // VS Code focuses the panel again.
    await repeatUntil(history.page.locator('input:focus'), () => window.page.getByRole('tab', { name: SHOP }).click());
    await find.press('Escape');
    await find.waitFor({ state: 'hidden' });
  });

  it('copies what a button or a message says, and makes a draft from a message', async () => {
    const { page } = window;
    await history.button('Copy the number').last().click();
    await expectClipboard(page, 'FK-84758');
    // It replies to an image.
    const { text, parentImgName } = sent.at(-1)?.content ?? {};
    await selectFromContextMenu(page, article(sent.at(-1)), 'Copy as Text');
    await expectClipboard(page, `> Owen Pikestaff : ${parentImgName}\n\n${text}`);
    await article(sent.at(-1)).hover();
    await article(sent.at(-1)).getByRole('button', { name: 'More actions' }).click();
    await selectMenuItem(page, 'New Draft with This Content');
    await page.getByRole('tab', { name: /Untitled-1/, selected: true }).waitFor();
    await page
      .locator('.view-line', { hasText: text?.slice(0, 10) ?? '' })
      .first()
      .waitFor();
    await window.command('View: Revert and Close Editor');
  });

  it('keeps its position while hidden, and beside another history', async () => {
    await open();
    await goTo(sent[100]);
    await open(FILM);
    // A panel takes the focus once it has loaded.
    await history.page.getByText('This is the beginning of the message history.').waitFor();
    await window.command('View: Move Editor into Next Group');
    await window.page.locator('.editor-group-container').nth(1).getByRole('tab', { name: FILM }).waitFor();
    history = await findHistory(window, SHOP);
    await inView(article(sent[100]));
    await shot('4-beside');
    await window.command('View: Close All Editors');
  });

  it('keeps a chat in the archive once the user has asked for it', async () => {
    await pane('Archive').locator('.pane-header').click();
    await pane('Archive').getByText("Keep a chat's messages, to search them all").waitFor();
    await selectFromContextMenu(window.page, shopRow(), 'Archive Messages…', 'History and Archive');
    await window.input.getByRole('option', { name: 'Entire History' }).waitFor();
    await window.page.keyboard.press('Enter');
    await archivedRow()
      .filter({ hasText: `${sent.length} messages` })
      .waitFor();
    await shot('5-archived');
  });

  it('finds words in the archive while they are typed, and opens a result in its history', async () => {
    await pane('Archive').locator('.pane-header').focus();
    await window.page.keyboard.press('Control+Alt+F');
    const search = await window.webview('Search Messages');
    await search.getByRole('searchbox').pressSequentially('kett');
    await search.locator('mark').first().waitFor();
    await shot('6-search');
    await search.getByRole('searchbox').press('ArrowDown');
    await window.page.keyboard.press('Enter');
    history = await findHistory(window, SHOP);
    // The tab was hidden.
    await history.page.locator('article:focus').getByText('Copper kettle, small').waitFor();
    await history.page.locator('main').evaluate(async () => {
      while (![...(CSS.highlights.get('found-here') ?? [])].some((range) => `${range}` === 'kettle'))
        await new Promise(requestAnimationFrame);
    });
    await shot('6-found');
    await window.page.keyboard.press('Alt+ArrowLeft');
    const again = await window.webview('Search Messages');
    await again.locator('.result:focus').getByText('Copper kettle, small').waitFor();
  });

  it('counts the messages of an archived chat', async () => {
    await selectFromContextMenu(window.page, shopRow(), 'Statistics', 'History and Archive');
    const page = await window.webview(`Statistics of ${SHOP}`);
    await page.getByText('Messages by Weekday and Hour').waitFor();
    await shot('7-statistics');
  });

  it('finds the hidden tabs from before a reload instead of opening others, with the position in a history', async () => {
    await window.page.getByRole('tab', { name: new RegExp(`^${SHOP}`) }).click();
    history = await findHistory(window, SHOP);
    // No other test goes there, so that what VS Code stores tells which position it is.
    const place = sent[60];
    assert.ok(place);
    await goTo(place);
    await window.page.getByRole('tab', { name: 'Search Messages' }).click();
    const tabs = window.page.locator('.tabs-container').getByRole('tab');
    const before = await tabs.allTextContents();
    assert.ok(before.length > 2);
    await expectStored(window.page, place.msgId);
    await window.reload();
    // While names arrive, VS Code has no command for a row that it replaces.
    const shown = window.page.getByRole('tab', { name: new RegExp(`^${SHOP}`), selected: true });
    await repeatUntil(shown, () => window.row(new RegExp(`^${SHOP}, group`)).click());
    // VS Code may show the tab in a new frame while it restores it, or if both clicks have arrived.
    do history = await findHistory(window, SHOP);
    while (!(await isInView(article(place))));
    await window.command('Bot Chats: Search Messages…');
    await (await window.webview('Search Messages')).getByRole('combobox', { name: 'Sender' }).waitFor();
    assert.deepEqual(await tabs.allTextContents(), before);
  });
});
