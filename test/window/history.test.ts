import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Window } from '../host/window.ts';
import { PICTURE } from '../page/messages.ts';
import {
  enter,
  findHistory,
  type HistoryDriver,
  type ListedMessage,
  messagesOf,
  saveToken,
  send,
  waitForPaint,
} from './historyDriver.ts';
import { type InterceptedSandbox, resetConnection, serveIntercepted } from './interceptedSandbox.ts';
import { inView } from './seeing.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { expectClipboard, selectFromContextMenu, selectMenuItem } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';
const FILM = '胶片与黄昏';
const GROUP = '518204736';
const FILM_GROUP = '563311478';
const ORDER_DESK = '30481126';
const OTHER_BOT = '30527740';
const LENGTH = 480;

describe('Message history', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let service: InterceptedSandbox;
  let history: HistoryDriver;
  /** Oldest first. */
  let sent: ListedMessage[];

  const article = (message: ListedMessage | undefined) => history.article(message);
  const button = (name: string) => history.button(name);
  const alert = () => history.page.getByRole('alert');
  const input = () => window.page.locator('.quick-input-widget');
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const dialog = () => window.page.locator('.monaco-dialog-box');
  const shot = (name: string) => window.screenshot(`history-${name}`);
  /** Opens a chat from the sidebar, or finds its panel again after it was hidden. */
  const open = async (name = SHOP) => {
    await row(name).click();
    history = await findHistory(window, name);
  };
  const goToNewest = async () => {
    // By keyboard: a notification may cover the button.
    await button('Jump to newest').press('Enter');
    await inView(article(sent.at(-1)));
  };
  const goTo = async (msgId: string) => {
    await window.command('Bot Chats: Go to Message…');
    await input().getByText('The ID of a message in this chat.').waitFor();
    // A panel that was just painted may take the focus from the box.
    const box = input().locator('input:visible').first();
    await box.fill(msgId);
    await box.press('Enter');
    await input().waitFor({ state: 'hidden' });
  };
  /** Saves the file that the save dialog suggests in the open folder. */
  const acceptSuggestedFile = async (ending: string) => {
    await window.page.waitForFunction(
      (end) => document.querySelector<HTMLInputElement>('.quick-input-widget input[type="text"]')?.value.endsWith(end),
      ending,
    );
    await window.page.keyboard.press('Enter');
  };
  const findInput = () => history.page.getByPlaceholder('Find in loaded messages');
  const interceptMessages = (answer: () => Response) => {
    service.intercept = (request) => (request.url.includes('/bot/messages') ? answer() : undefined);
  };
  /** Sends to the shop's group as another bot. */
  const sendAsOtherBot = async (text: string) => {
    const message = await send(service, GROUP, OTHER_BOT, text);
    sent.push(message);
    return message;
  };

  before(async () => {
    service = await serveIntercepted();
    sent = await messagesOf(service, GROUP, ORDER_DESK);
    const lists = {
      'botChats.groups': [GROUP, FILM_GROUP, 'nosuch'],
      'botChats.bots': [ORDER_DESK],
      'botChats.people': ['7850437'],
    };
    window = await openWindow({ settings: { ...service.settings, ...lists } });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row(`${SHOP}, group, 342 members`).waitFor();
    const words = { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot 30481126', bot: 'Order Desk' };
    await saveToken(window, { ...words, token: service.sandbox.token(ORDER_DESK) ?? '' });
    await row('Set a bot token').waitFor({ state: 'hidden' });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('shows why loading failed, and opens at the newest message on retry', async () => {
    interceptMessages(resetConnection);
    await open();
    await alert().getByText('The connection was interrupted').waitFor();
    await shot('1-down');
    service.intercept = () => undefined;
    await alert().getByRole('button', { name: 'Retry' }).click();
    assert.equal(sent.length, LENGTH);
    await inView(article(sent.at(-1)));
    await button('Check for new messages').waitFor();
    assert.equal(await button('Jump to newest').count(), 0);
    await shot('2-newest');
  });

  it('loads older messages on scrolling up, renders only those near the viewport, and separates days', async () => {
    await history.wheelTo(article(sent.at(-120)), -500);
    await button('Jump to newest').waitFor();
    assert.ok((await history.page.locator('article').count()) < 60);
    await history.wheelTo(history.page.locator('.day').first(), -100);
    await shot('3-older');
  });

  it('shows why older messages failed to load, keeps the others, and loads them on retry', async () => {
    interceptMessages(resetConnection);
    await history.wheelTo(alert(), -500);
    await alert().getByText('The connection was interrupted').waitFor();
    await shot('4-failed');
    service.intercept = () => undefined;
    await alert().getByRole('button', { name: 'Retry' }).click();
    await alert().waitFor({ state: 'hidden' });
    await goToNewest();
  });

  it('goes to any message by ID, across messages that are not loaded, and says if there is none', async () => {
    const far = sent[20];
    await goTo(far?.msgId ?? '');
    await inView(article(far));
    assert.equal(await article(far).evaluate((element) => element === document.activeElement), true);
    const load = button('Load older side of gap');
    await history.wheelTo(load, 500);
    await load.scrollIntoViewIfNeeded();
    await shot('5-gap');
    await load.click();
    // The next messages appear where the gap was.
    await inView(article(sent[46]));
    await history.wheelTo(article(sent[70]), 500);
    await goTo('00000000000000000000000000000000');
    await window.page
      .getByText(/Message 00000000000000000000000000000000 wasn't found|error -1/)
      .first()
      .waitFor();
    await window.command('Notifications: Clear All Notifications');
  });

  it('links a reply to the original message and back', async () => {
    const reply = sent.findLast(({ parentId }) => parentId);
    const parent = sent.find(({ msgId }) => msgId === reply?.parentId);
    await goToNewest();
    await history.wheelTo(article(reply), -100);
    await article(reply).locator('.quote').click();
    await inView(article(parent));
    await button('Back to reply').click();
    await inView(article(reply));
    await button('Back to reply').waitFor({ state: 'hidden' });
  });

  it('works with the keyboard alone', async () => {
    const { page } = window;
    const isFocused = (message: ListedMessage | undefined) =>
      article(message).and(history.page.locator(':focus')).waitFor({ state: 'attached' });
    await article(sent.at(-1)).focus();
    await page.keyboard.press('ArrowUp');
    await isFocused(sent.at(-2));
    await page.keyboard.press('ArrowUp');
    await isFocused(sent.at(-3));
    await page.keyboard.press('End');
    await isFocused(sent.at(-1));
    await page.keyboard.press('PageUp');
    await history.page.locator('article:focus').waitFor();
    await shot('6-keys');
    await page.keyboard.press('End');
    await isFocused(sent.at(-1));
  });

  it('previews each kind of button without reporting a click, and shows user profiles', async () => {
    const { page } = window;
    const requests: string[] = [];
    service.intercept = (request) => {
      requests.push(request.url);
      return undefined;
    };
    await button('Copy the number').last().click();
    await expectClipboard(page, 'FK-84758');
    await button('Mark as collected').last().click();
    await history.page.getByText('This is a preview, so nothing was reported.').waitFor();
    assert.deepEqual(
      requests.filter((url) => !url.includes('/bot/messages')),
      [],
    );
    // VS Code asks before it opens a link, except on this machine.
    const opened = page.waitForEvent('popup');
    await button('Open the order').last().click();
    await (await opened).close();
    service.intercept = () => undefined;
    await history.page.locator('.sender', { hasText: 'Owen Pikestaff' }).last().hover();
    await history.page.getByRole('dialog').getByText('7521170').waitFor();
    await shot('7-profile');
    await history.page.locator('.heading').hover();
    await history.page.getByRole('dialog').waitFor({ state: 'hidden' });
    // The card looked him up, so his avatar is known.
    const sender = history.page.locator('.sender', { hasText: 'Owen Pikestaff' });
    await history.page.locator('.entry', { has: sender }).last().locator('.avatar img').waitFor();
    await shot('7-avatar');
  });

  it('finds and highlights text in loaded messages, and filters them', async () => {
    const { page } = window;
    await window.command('Bot Chats: Load Entire History');
    // Screen readers announce it, too.
    await page.locator('.notification-toast', { hasText: 'Loading message history' }).waitFor({ state: 'hidden' });
    await article(sent.at(-1)).focus();
    await page.keyboard.press('Control+F');
    await findInput().fill('fk-84758');
    await history.page.getByText(/^1 of \d+$/).waitFor();
    await page.keyboard.press('Enter');
    await history.page.getByText(/^2 of \d+$/).waitFor();
    await page.keyboard.press('Shift+Enter');
    await history.page.getByText(/^1 of \d+$/).waitFor();
    await inView(history.page.getByRole('heading', { name: 'Order FK-84758' }));
    await window.configure({ 'workbench.colorTheme': 'Default High Contrast' });
    await history.page.locator('body.vscode-high-contrast').waitFor();
    const marked = await history.page.locator('main').evaluate((main) => {
      const { backgroundColor, color } = getComputedStyle(main, '::highlight(found-here)');
      return { backgroundColor, color };
    });
    assert.deepEqual(marked, { backgroundColor: 'rgb(243, 133, 24)', color: 'rgb(0, 0, 0)' });
    await shot('8-found');
    await window.configure({ 'workbench.colorTheme': 'Dark 2026' });
    await findInput().fill('nowhere to be found');
    await history.page.getByText('No results').waitFor();
    await history.page.getByLabel('All types').selectOption('image');
    await article(sent.findLast(({ contentType }) => contentType === 'image')).waitFor();
    await article(sent.at(-1)).waitFor({ state: 'detached' });
    await shot('9-filtered');
    await findInput().press('Escape');
    await findInput().waitFor({ state: 'hidden' });
  });

  it('copies a message, makes a draft from it, and keeps its position while hidden', async () => {
    const { page } = window;
    await goTo(sent.at(-1)?.msgId ?? '');
    await selectFromContextMenu(page, article(sent.at(-1)), 'Copy as Text');
    // It replies to an image.
    const { text, parentImgName } = sent.at(-1)?.content ?? {};
    await expectClipboard(page, `> Owen Pikestaff : ${parentImgName}\n\n${text}`);
    await article(sent.at(-1)).hover();
    await article(sent.at(-1)).getByRole('button', { name: 'More actions' }).click();
    await selectMenuItem(page, 'Copy Message ID');
    await expectClipboard(page, sent.at(-1)?.msgId ?? '');
    await goTo(sent[100]?.msgId ?? '');
    await inView(article(sent[100]));
    await selectFromContextMenu(page, article(sent[100]), 'New Draft from Message');
    await page.getByRole('tab', { name: /Untitled-1/, selected: true }).waitFor();
    await page
      .locator('.view-line', { hasText: sent[100]?.content.text?.slice(0, 10) ?? '' })
      .first()
      .waitFor();
    await window.command('View: Revert and Close Editor');
    await open();
    await inView(article(sent[100]));
    await button('Jump to newest').waitFor();
  });

  it('exports from the first message to the newest', async () => {
    const { page } = window;
    await window.command('Bot Chats: Export History…');
    await input().getByRole('option', { name: 'Entire History' }).click();
    await input().getByRole('option', { name: 'NDJSON' }).click();
    await acceptSuggestedFile('.ndjson');
    await page.getByText(`Exported ${LENGTH} messages from ${SHOP} to`).first().waitFor();
    const [file = ''] = (await readdir(window.folder)).filter((name) => name.endsWith('.ndjson'));
    const lines = (await readFile(join(window.folder, file), 'utf8')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msgId),
      sent.map(({ msgId }) => msgId),
    );
    await window.command('Notifications: Clear All Notifications');
  });

  it('exports days from a row of the sidebar without opening it', async () => {
    const { page } = window;
    const tabs = await page.locator('.tabs-container').getByRole('tab').count();
    await selectFromContextMenu(page, row(FILM), 'Export History…');
    await input().getByRole('option', { name: 'Range of Dates…' }).waitFor();
    await shot('09-export-range');
    await input().getByRole('option', { name: 'Range of Dates…' }).click();
    await enter(window, 'The first day to export', '2026-03-01');
    await enter(window, 'The last day to export', '2099-12-31');
    await input().getByRole('option', { name: 'Markdown' }).click();
    await acceptSuggestedFile(' 2026-03-01 to 2099-12-31.md');
    await page.getByText(`Exported 3 messages from ${FILM} to`).first().waitFor();
    assert.equal(await page.locator('.tabs-container').getByRole('tab').count(), tabs);
    await window.command('Notifications: Clear All Notifications');
  });

  it('opens beside another history, and both keep their positions after a reload', async () => {
    await open(FILM);
    // A panel takes the focus once it has loaded.
    await history.page.getByText('This is the beginning of the message history.').waitFor();
    await shot('10-beginning');
    await window.command('View: Move Editor into Next Group');
    await window.page.locator('.editor-group-container').nth(1).getByRole('tab', { name: FILM }).waitFor();
    const film = await findHistory(window, FILM);
    await film.page.getByText('This is the beginning of the message history.').waitFor();
    history = await findHistory(window, SHOP);
    await inView(article(sent[100]));
    await button('Jump to newest').waitFor();
    assert.equal(await film.button('Jump to newest').count(), 0);
    await shot('11-beside');
    await window.reload();
    history = await findHistory(window, SHOP);
    await inView(article(sent[100]));
    await (await findHistory(window, FILM)).page.getByText('This is the beginning of the message history.').waitFor();
  });

  it('shows new messages automatically, without moving a reader of older ones', async () => {
    await window.command('View: Close All Editors');
    await window.configure({ 'botChats.history.refreshSeconds': 1 });
    await open();
    await inView(article(sent.at(-1)));
    await inView(article(await sendAsOtherBot('The tea is here.')));
    const older = article(sent.at(-30));
    await history.wheelTo(older, -500);
    await waitForPaint(older);
    const before = await older.boundingBox();
    const received = await history.listenFor('splice');
    await sendAsOtherBot('And the second pot.');
    await received();
    assert.deepEqual(await older.boundingBox(), before);
    await shot('12-in-peace');
    await goToNewest();
  });

  it('marks where unread messages begin after it is closed and reopened', async () => {
    await history.wheelTo(article(sent.at(-30)), -500);
    const received = await history.listenFor('splice');
    const news = await sendAsOtherBot('Nobody has seen this.');
    await received();
    await window.command('View: Close Editor');
    await window.page.locator('.tabs-container').getByRole('tab').waitFor({ state: 'hidden' });
    await sendAsOtherBot('Nor this.');
    await open();
    await inView(article(news));
    await history.page.locator('.day.new', { hasText: 'New' }).waitFor();
    assert.equal(await history.page.locator('.day.new + article').getAttribute('id'), `message-${news.msgId}`);
    await shot('13-new');
  });

  it('keeps loaded messages while offline, and continues when back online', async () => {
    interceptMessages(resetConnection);
    await alert().getByText('The connection was interrupted').waitFor();
    await inView(article(sent.at(-1)));
    await shot('14-gone');
    const news = await sendAsOtherBot('Here we are again.');
    service.intercept = () => undefined;
    await inView(article(news));
    await alert().waitFor({ state: 'hidden' });
  });

  it('keeps loaded messages when the token is refused, and continues with a new one', async () => {
    // From now on, only older messages are requested.
    await window.configure({ 'botChats.history.refreshSeconds': 0 });
    interceptMessages(() => Response.json({ code: 1003, msg: '非法token' }));
    await button('Check for new messages').click();
    await alert().waitFor();
    await history.wheelTo(history.page.locator('main > :first-child').getByRole('alert'), -500);
    const refusal = alert().getByText('The service returned error 1003: “非法token”.');
    await refusal.first().scrollIntoViewIfNeeded();
    await shot('15-refused');
    assert.equal(await refusal.count(), 2);
    await alert().getByRole('button', { name: 'Set Bot Token…' }).first().click();
    service.intercept = () => undefined;
    await input().getByText('Token for bot 30481126').waitFor();
    await window.page.keyboard.type(service.sandbox.token(ORDER_DESK) ?? '');
    await window.page.keyboard.press('Enter');
    await alert().first().waitFor({ state: 'hidden' });
    await history.wheelTo(article(sent.at(-70)), -500);
  });

  it('goes to the first message of a day, from the day above the messages', async () => {
    const dayOf = ({ sendTime }: ListedMessage) => new Date(sendTime).toDateString();
    const [target] = sent.slice(100);
    assert.ok(target);
    const first = sent.find((message) => dayOf(message) === dayOf(target));
    const days = history.page.getByRole('navigation');
    await days.getByRole('button').click();
    await input().getByText('Enter a date as YYYY-MM-DD.').waitFor();
    const box = input().locator('input:visible').first();
    await box.fill(new Intl.DateTimeFormat('sv').format(target.sendTime));
    await box.press('Enter');
    await inView(article(first));
    await days.getByText(new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format(target.sendTime)).waitFor();
    await shot('16-day');
  });

  it('says that a chat is empty, or shows the error for an unknown one', async () => {
    await open('Nora Quietwood (no bots, please)');
    await history.page.getByText('No messages here yet.').waitFor();
    await row(/^nosuch/).click();
    history = await findHistory(window, 'nosuch');
    await alert().getByText('群(ID:nosuch)不存在。').waitFor();
    await shot('17-unknown');
  });

  it('loads no remote images until the user allows it, and none after they turn it off again', async () => {
    let pictures = 0;
    const imageUrl = 'https://pictures.invalid/dusk.png';
    await window.page.context().route(imageUrl, async (route) => {
      pictures++;
      await route.fulfill({ body: PICTURE, contentType: 'image/png' });
    });
    service.intercept = async (request) => {
      if (!request.url.includes('/bot/messages')) return undefined;
      const answer = await (await service.sandbox.fetch(request)).json();
      // The sandbox itself has no images.
      const picture = { imageUrl, imageName: 'dusk.png', imageWidth: 240, imageHeight: 120 };
      const { list } = answer.data as { list: ListedMessage[] };
      for (const { contentType, content } of list) if (contentType === 'image') Object.assign(content, picture);
      return Response.json(answer);
    };
    const toggle = () => window.command('Bot Chats: Toggle Remote Images');
    const settings = join(window.profile.userData, 'User/settings.json');
    const allowed = async () => JSON.parse(await readFile(settings, 'utf8'))['botChats.history.picturesIn'];
    await window.configure({ 'workbench.colorTheme': 'Default High Contrast' });
    await open(FILM);
    await history.page.getByText('Image · dusk.png').waitFor();
    await toggle();
    await dialog().getByText('The image host can see your IP address').waitFor();
    await shot('18-question');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await waitForPaint(history.page.locator('main'));
    assert.deepEqual([pictures, await allowed()], [0, undefined]);
    await toggle();
    await dialog().getByRole('button', { name: 'Load Images' }).click();
    history = await findHistory(window, FILM);
    const picture = history.page.getByRole('img', { name: 'dusk.png' });
    await picture.and(history.page.locator(':not([src=""])')).waitFor();
    await picture.evaluate((element: HTMLImageElement) => element.decode());
    assert.equal(await picture.evaluate((element: HTMLImageElement) => element.naturalWidth), 240);
    assert.deepEqual(await allowed(), { groups: [FILM_GROUP], people: [] });
    await shot('19-shown');
    // Only the page is answered, so VS Code can't open the image.
    await history.button('Open dusk.png in VS Code').click();
    const failure = window.page.locator('.notification-toast', { hasText: "The image host can't be reached" });
    await failure.getByRole('button', { name: 'Open in Browser' }).waitFor();
    await shot('19-unreachable');
    await window.command('Notifications: Clear All Notifications');
    pictures = 0;
    await toggle();
    history = await findHistory(window, FILM);
    await history.page.getByText('Image · dusk.png').waitFor();
    await waitForPaint(history.page.locator('main'));
    assert.deepEqual([pictures, await allowed()], [0, { groups: [], people: [] }]);
  });
});
