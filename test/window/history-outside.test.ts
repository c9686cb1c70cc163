import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../host/profile.ts';
import { openWindow, type Window } from '../host/window.ts';
import { PICTURE } from '../page/messages.ts';
import { type Gated, serveGated } from './gated.ts';
import { painted, type Reading, reading, type Sent, saveToken } from './reading.ts';
import { inView } from './seeing.ts';

const SHOP = 'Fern & Kettle: the shop team';
const FILM = '胶片与黄昏';
const ORDER_DESK = '30481126';

/** Nobody but the test hurries. */
const calm = { 'workbench.reduceMotion': 'on', 'botChats.history.refreshSeconds': 0 };

describe('Pictures in a history, in high contrast', () => {
  const GROUP = '563311478';
  let window: Window;
  let service: Gated;
  let profile: Profile;
  let asked: string[];
  const dialog = () => window.page.locator('.monaco-dialog-box');
  const shot = (name: string) => window.screenshot(`history-pictures-${name}`);
  const toggle = () => window.command('Bot Chats: Show or Hide Remote Pictures');
  const allowed = async () => {
    const settings = JSON.parse(await readFile(join(profile.userData, 'User/settings.json'), 'utf8'));
    return settings['botChats.history.picturesIn'];
  };
  const open = async () => {
    const history = await reading(window, FILM);
    await history.page.getByText('漏光漏得正好').waitFor();
    return history;
  };

  before(async () => {
    service = await serveGated();
    asked = [];
    service.answer = async (request) => {
      asked.push(request.url);
      if (request.url.endsWith('/dusk.png')) {
        return new Response(new Uint8Array(PICTURE), { headers: { 'content-type': 'image/png' } });
      }
      if (!request.url.includes('/bot/messages')) return undefined;
      const answer = await (await service.sandbox.fetch(request)).json();
      // The sandbox itself lists a picture by its key alone.
      const picture = {
        imageUrl: `${service.origin}/dusk.png`,
        imageName: 'dusk.png',
        imageWidth: 240,
        imageHeight: 120,
      };
      const { list } = answer.data as { list: Sent[] };
      for (const { contentType, content } of list) if (contentType === 'image') Object.assign(content, picture);
      return Response.json(answer);
    };
    const lists = { 'botChats.groups': [GROUP], 'botChats.bots': [ORDER_DESK], 'botChats.people': [] };
    window = await openWindow({
      settings: { ...service.settings, ...lists, ...calm },
      theme: 'hc-dark',
      prepare: async (made) => {
        profile = made;
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.page.getByRole('treeitem', { name: `${FILM}, group, 3 members` }).waitFor();
    const asks = { title: 'Bot Chats: Set Bot Token…', asks: 'Token of the bot 30481126', bot: 'Order Desk' };
    await saveToken(window, { ...asks, token: service.sandbox.token(ORDER_DESK) ?? '' });
    await window.page.getByRole('treeitem', { name: FILM }).click();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('are not asked for before the person has allowed them', async () => {
    const { page } = await open();
    await page.getByText('Image · dusk.png').waitFor();
    await shot('1-forbidden');
    await toggle();
    await dialog().getByText('learns your network address').waitFor();
    await shot('2-asked');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await painted(page.locator('main'));
    assert.deepEqual(
      asked.filter((url) => url.includes('.png')),
      [],
    );
    assert.equal(await allowed(), undefined);
  });

  it('are shown once they are allowed', async () => {
    await toggle();
    await dialog().getByRole('button', { name: 'Show Pictures' }).click();
    const { page } = await open();
    const picture = page.getByRole('img', { name: 'dusk.png' });
    await picture.and(page.locator(':not([src=""])')).waitFor();
    await picture.evaluate((element: HTMLImageElement) => element.decode());
    assert.equal(await picture.evaluate((element: HTMLImageElement) => element.naturalWidth), 240);
    assert.deepEqual(await allowed(), [GROUP]);
    await shot('3-shown');
  });

  it('are forbidden again without a question', async () => {
    asked = [];
    await toggle();
    const { page } = await open();
    await page.getByText('Image · dusk.png').waitFor();
    assert.deepEqual(await allowed(), []);
    await painted(page.locator('main'));
    assert.deepEqual(
      asked.filter((url) => url.includes('.png')),
      [],
    );
    await shot('4-forbidden');
  });
});

describe('Histories of the sandbox, in high contrast', () => {
  const READERS = '周末读书会';
  let window: Window;
  let shop: Reading;
  let opened: string[];
  const dialog = () => window.page.locator('.monaco-dialog-box');
  const shot = (name: string) => window.screenshot(`history-outside-${name}`);
  const row = (name: string) => window.page.getByRole('treeitem', { name });
  /** What is read of the shop's history, above its newest messages. */
  const older = () => shop.page.locator('.entry', { hasText: 'stock-count-17.csv' }).first();

  before(async () => {
    const lists = { 'botChats.groups': ['518204736', '524317890'], 'botChats.people': [] };
    const settings = { 'botChats.service.sandbox': true, 'botChats.bots': [ORDER_DESK], ...lists, ...calm };
    window = await openWindow({ settings, theme: 'hc-dark' });
    const { page } = window;
    opened = [];
    page.on('popup', (popup) => opened.push(popup.url()));
    await page.context().route('https://sandbox.invalid/**', (route) => route.fulfill({ body: 'Outside' }));
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row(`${SHOP}, group, 342 members`).click();
    shop = await reading(window, SHOP);
    await shop.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('lead outside only after VS Code has asked', async () => {
    const { page } = window;
    await shop.button('Open the order').last().click();
    await dialog().getByText('open the external website').waitFor();
    await dialog().getByText('https://sandbox.invalid/web/pages/orders/FK-84758').waitFor();
    await shot('1-button');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    const link = shop.page.getByRole('link', { name: 'https://sandbox.invalid' }).first();
    await shop.wheelTo(link, -200);
    await link.click();
    await dialog().getByText('open the external website').waitFor();
    await shot('2-link');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    assert.deepEqual(opened, []);
    await link.click();
    const popup = page.waitForEvent('popup');
    await dialog().getByRole('button', { name: 'Open' }).click();
    await (await popup).getByText('Outside').waitFor();
    await (await popup).close();
  });

  it('mark what is found', async () => {
    await shop.button('Jump to newest').click();
    await window.page.keyboard.press('Control+F');
    await shop.page.getByPlaceholder('Find in what is loaded').fill('FK-84758');
    await shop.page.getByText(/^1 of \d+$/).waitFor();
    await inView(shop.page.getByRole('heading', { name: 'Order FK-84758' }));
    const marked = await shop.page.locator('main').evaluate((main) => {
      const { backgroundColor, color } = getComputedStyle(main, '::highlight(found-here)');
      return { backgroundColor, color };
    });
    assert.deepEqual(marked, { backgroundColor: 'rgb(243, 133, 24)', color: 'rgb(0, 0, 0)' });
    await shot('3-found');
    await shop.page.getByPlaceholder('Find in what is loaded').press('Escape');
    await shop.wheelTo(older(), -200);
  });

  it('stand side by side, each in its own place', async () => {
    const { page } = window;
    await inView(older());
    await row(`${READERS}, group`).click();
    let readers = await reading(window, READERS);
    // A panel takes the focus when it is there, and would end a command that is being chosen.
    await inView(readers.page.getByRole('heading', { name: '今日章节' }).last());
    await window.command('View: Move Editor into Next Group');
    await page.locator('.editor-group-container').nth(1).getByRole('tab', { name: READERS }).waitFor();
    readers = await reading(window, READERS);
    await inView(readers.page.getByRole('heading', { name: '今日章节' }).last());
    shop = await reading(window, SHOP);
    await inView(older());
    await shop.button('Jump to newest').waitFor();
    assert.equal(await readers.button('Jump to newest').count(), 0);
    await shot('4-beside');
  });
});
