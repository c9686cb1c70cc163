import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openWindow, type Window } from '../host/window.ts';
import { down, type Gated, serveGated } from './gated.ts';
import { choose, chooseFromMenu, copied } from './handling.ts';
import { messagesOf, painted, type Sent, saveToken } from './reading.ts';
import { inView } from './seeing.ts';

const SHOP = 'Fern & Kettle: the shop team';
const LENGTH = 480;
/** More turns of the wheel than any way here needs. */
const TURNS = 300;

describe('A message history in its window', () => {
  let window: Window;
  let service: Gated;
  let history: FrameLocator;
  /** Oldest first. */
  let sent: Sent[];
  const article = (message: Sent | undefined) => history.locator(`[id="message-${message?.msgId}"]`);
  const button = (name: string) => history.getByRole('button', { name });
  const input = () => window.page.locator('.quick-input-widget');
  const shot = (name: string) => window.screenshot(`history-${name}`);
  const open = async () => {
    history = await window.webview(SHOP);
  };
  /** Turns the wheel until something is there; each time the page is painted before it goes on. */
  const wheelUntil = async (isThere: () => Promise<boolean>, by: number) => {
    await history.locator('main').hover();
    for (let turns = 0; !(await isThere()); turns++) {
      assert.ok(turns < TURNS, 'It is not where the wheel leads to.');
      await window.page.mouse.wheel(0, by);
      await painted(history.locator('main'));
    }
  };
  const wheelTo = (message: Sent | undefined, by: number) => wheelUntil(() => article(message).isVisible(), by);
  const goTo = async (msgId: string) => {
    await window.command('Bot Chats: Go to Message…');
    await input().getByText('The ID of a message in this chat.').waitFor();
    // Keys that are pressed before the box has the focus are lost.
    const box = input().locator('input:focus');
    await box.fill(msgId);
    await box.press('Enter');
    await input().waitFor({ state: 'hidden' });
  };

  before(async () => {
    service = await serveGated();
    sent = await messagesOf(service, '518204736', '30481126');
    const lists = { 'botChats.groups': ['518204736'], 'botChats.bots': ['30481126'], 'botChats.people': [] };
    window = await openWindow({ settings: { ...service.settings, ...lists, 'workbench.reduceMotion': 'on' } });
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await page.getByRole('treeitem', { name: `${SHOP}, group` }).waitFor();
    const words = { title: 'Bot Chats: Set Bot Token…', asks: 'Token of the bot 30481126', bot: 'Order Desk' };
    await saveToken(window, { ...words, token: service.sandbox.token('30481126') ?? '' });
    await page.getByRole('treeitem', { name: 'Set a bot token' }).waitFor({ state: 'hidden' });
    await page.getByRole('treeitem', { name: `${SHOP}, group, 342 members` }).click();
    await open();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('opens at the newest message', async () => {
    assert.equal(sent.length, LENGTH);
    await inView(article(sent.at(-1)));
    await button('Check for new messages').waitFor();
    assert.equal(await button('Jump to newest').count(), 0);
    await shot('1-newest');
  });

  it('loads older messages while one scrolls up, and keeps but those near the screen in the page', async () => {
    await wheelTo(sent.at(-120), -250);
    await button('Jump to newest').waitFor();
    assert.ok((await history.locator('article').count()) < 60);
    await shot('2-older');
  });

  it('says why older messages are missing, keeps what is there, and loads them when that is tried again', async () => {
    service.answer = (request) => (request.url.includes('/bot/messages') ? down() : undefined);
    const alert = history.getByRole('alert');
    await wheelUntil(() => alert.isVisible(), -500);
    await alert.getByText('The service cannot be reached').waitFor();
    await shot('3-failed');
    service.answer = () => undefined;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor({ state: 'hidden' });
    await button('Jump to newest').click();
    await inView(article(sent.at(-1)));
  });

  it('goes to any message by its ID, across what is not loaded', async () => {
    const far = sent[20];
    await goTo(far?.msgId ?? '');
    await inView(article(far));
    assert.equal(await article(far).evaluate((element) => element === document.activeElement), true);
    await shot('4-far');
    const load = button('Load those just after the previous one');
    await wheelUntil(() => load.isVisible(), 200);
    await load.scrollIntoViewIfNeeded();
    await shot('5-gap');
    await load.click();
    // What one reads on with stands where the gap was.
    await inView(article(sent[46]));
    await wheelTo(sent[70], 200);
  });

  it('says that there is no such message', async () => {
    await goTo('00000000000000000000000000000000');
    await window.page
      .getByText(/no message with the ID 00000000000000000000000000000000|code -1/)
      .first()
      .waitFor();
    await window.command('Notifications: Clear All Notifications');
  });

  it('leads from a reply to what it replies to, and back', async () => {
    const reply = sent.findLast(({ parentId }) => parentId);
    const parent = sent.find(({ msgId }) => msgId === reply?.parentId);
    await button('Jump to newest').click();
    await wheelTo(reply, -100);
    await article(reply).locator('.quote').click();
    await inView(article(parent));
    await button('Back to the reply').click();
    await inView(article(reply));
    await button('Back to the reply').waitFor({ state: 'hidden' });
  });

  it('is read with the keys alone', async () => {
    const { page } = window;
    const isFocused = (message: Sent | undefined) =>
      article(message).and(history.locator(':focus')).waitFor({ state: 'attached' });
    await article(sent.at(-1)).focus();
    await page.keyboard.press('ArrowUp');
    await isFocused(sent.at(-2));
    await page.keyboard.press('ArrowUp');
    await isFocused(sent.at(-3));
    await page.keyboard.press('End');
    await isFocused(sent.at(-1));
    await page.keyboard.press('PageUp');
    await history.locator('article:focus').waitFor();
    await shot('6-keys');
    await page.keyboard.press('End');
    await isFocused(sent.at(-1));
  });

  it('previews each kind of button, and reports nothing', async () => {
    const { page } = window;
    const requests: string[] = [];
    service.answer = (request) => {
      requests.push(request.url);
      return undefined;
    };
    await article(sent.at(-1)).focus();
    await page.keyboard.press('End');
    await button('Copy the number').last().click();
    await copied(page, 'FK-84758');
    await button('Mark as collected').last().click();
    await history.getByText('This is a preview: nothing was reported.').waitFor();
    assert.deepEqual(
      requests.filter((url) => !url.includes('/bot/messages')),
      [],
    );
    // VS Code asks before it opens an address, but not one of this machine.
    const opened = page.waitForEvent('popup');
    await button('Open the order').last().click();
    await (await opened).close();
    await shot('7-buttons');
    service.answer = () => undefined;
  });

  it('says who somebody is beside their name', async () => {
    await history.locator('.sender', { hasText: 'Owen Pikestaff' }).last().hover();
    await history.getByRole('tooltip').getByText('7521170').waitFor();
    await shot('8-profile');
    await history.locator('.heading').hover();
    await history.getByRole('tooltip').waitFor({ state: 'hidden' });
  });

  it('finds words in all that was loaded, and shows but some messages', async () => {
    const { page } = window;
    await window.command('Bot Chats: Load Entire History');
    // A screen reader is told of it as well.
    await page.locator('.notification-toast', { hasText: 'Loading the history' }).waitFor({ state: 'hidden' });
    await article(sent.at(-1)).focus();
    await page.keyboard.press('Control+F');
    await history.getByPlaceholder('Find in what is loaded').fill('fk-84758');
    await history.getByText(/^1 of \d+$/).waitFor();
    await shot('9-found');
    await page.keyboard.press('Enter');
    await history.getByText(/^2 of \d+$/).waitFor();
    await page.keyboard.press('Shift+Enter');
    await history.getByText(/^1 of \d+$/).waitFor();
    await history.getByPlaceholder('Find in what is loaded').fill('nowhere to be found');
    await history.getByText('Nothing found').waitFor();
    await history.getByLabel('All kinds').selectOption('image');
    const images = sent.filter(({ contentType }) => contentType === 'image');
    await article(images.at(-1)).waitFor();
    await article(sent.at(-1)).waitFor({ state: 'detached' });
    await shot('10-filtered');
    await history.getByPlaceholder('Find in what is loaded').press('Escape');
    await history.getByPlaceholder('Find in what is loaded').waitFor({ state: 'hidden' });
  });

  it('copies a message, and makes a draft of it', async () => {
    const { page } = window;
    await chooseFromMenu(page, article(sent.at(-1)), 'Copy as Text');
    await copied(page, sent.at(-1)?.content.text ?? '');
    await article(sent.at(-1)).hover();
    await article(sent.at(-1)).getByRole('button', { name: 'What to do with this message' }).click();
    await choose(page, 'Copy Message ID');
    await copied(page, sent.at(-1)?.msgId ?? '');
    await chooseFromMenu(page, article(sent.at(-1)), 'Use as Draft');
    await page.getByRole('tab', { name: /Untitled-1/, selected: true }).waitFor();
    await page.locator('.view-line', { hasText: sent.at(-1)?.content.text?.slice(0, 10) ?? '' }).waitFor();
  });

  it('is where it was after it was hidden', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: SHOP }).click();
    await open();
    await history.locator('article').first().waitFor();
    await goTo(sent[100]?.msgId ?? '');
    await inView(article(sent[100]));
    await page.getByRole('tab', { name: /Untitled-1/ }).click();
    await page.getByRole('tab', { name: SHOP }).click();
    await open();
    await inView(article(sent[100]));
    await button('Jump to newest').waitFor();
  });

  it('is exported from its beginning to its newest message', async () => {
    const { page } = window;
    const file = join(window.folder, 'shop.ndjson');
    await window.command('Bot Chats: Export History…');
    await input().getByRole('option', { name: 'NDJSON' }).click();
    // VS Code asks for the file, and offers a name.
    await page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>('.quick-input-widget input[type="text"]')?.value.endsWith('.ndjson'),
    );
    await input().getByRole('textbox').fill(file);
    await page.keyboard.press('Enter');
    await page.getByText(`${LENGTH} messages of ${SHOP} are exported to shop.ndjson.`).first().waitFor();
    await shot('11-exported');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msgId),
      sent.map(({ msgId }) => msgId),
    );
  });

  it('is where it was after a reload', async () => {
    await window.reload();
    await open();
    await inView(article(sent[100]));
  });
});
