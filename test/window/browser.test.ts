import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Window } from '../host/window.ts';
import { PICTURE } from '../page/messages.ts';
import { deferred } from '../unit/deferred.ts';
import { enter, findHistory } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { openWindow } from './shared.ts';
import { clickRowButton } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';
const BOT = '30481126';
const GROUPS = ['518204736', 'big', '524317890'];
const DRAFT = `---\nchat:\n  bot: ${BOT}\n  groups: [518204736, big, 524317890]\n---\n`;
const IMAGE = {
  imageUrl: 'https://pictures.invalid/dusk.png',
  imageName: 'dusk.png',
  imageWidth: 240,
  imageHeight: 120,
};
const NO_ANSWER = /The browser got no answer from the service \(Failed to fetch\)/;

/** A page of messages that are all images. */
async function withImages(page: Response): Promise<Response> {
  const answer = await page.json();
  for (const message of answer.data.list) Object.assign(message, { contentType: 'image', content: IMAGE });
  return Response.json(answer);
}

/** Ages the heartbeats of deliveries in the outbox's database, instead of waiting until they expire. */
async function ageHeartbeats(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const name = (await indexedDB.databases()).find(({ name }) => name?.endsWith('/outbox'))?.name ?? '';
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const transaction = opening.result.transaction('parts', 'readwrite');
    const parts = transaction.objectStore('parts');
    const keys = parts.getAllKeys(IDBKeyRange.bound(['running/'], ['running0']));
    keys.addEventListener('success', () => {
      for (const key of keys.result) parts.put({ text: '{"at":0}', end: 8, at: 0 }, key);
    });
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opening.result.close();
  });
}

describe('Bot Chats in a browser’s extension host', () => {
  let window: Window;
  let service: InterceptedSandbox;
  /** The recipients of each `batch_send`. */
  let sent: string[] = [];
  /** What the response to a `batch_send` waits for. */
  let waitBeforeResponse: (call: number) => Promise<unknown> | undefined = () => undefined;

  /** Whether all messages are images. */
  let hasImages = false;

  const shot = (name: string) => window.screenshot(`browser-${name}`);
  const press = (button: string) => window.dialog.getByRole('button', { name: button, exact: true }).click();
  const writeDraft = async (name: string, body: string) => {
    await writeFile(join(window.folder, name), DRAFT + body);
    await window.openFile(name);
  };
  const sendDraft = async () => {
    await window.command('Bot Chats: Send Draft…');
    await window.dialog.getByText('as Order Desk to 3 groups?').waitFor();
    await window.dialog.getByText('⚠ If a connection breaks, the browser may repeat a call by itself').waitFor();
    await press('Send');
  };
  before(async () => {
    service = await serveIntercepted();
    service.cors = true;
    service.intercept = async (request) => {
      if (hasImages && request.url.includes('/bot/messages')) return withImages(await service.sandbox.fetch(request));
      if (request.method !== 'POST' || !request.url.includes('/batch_send')) return undefined;
      const call = sent.push((await request.clone().json()).recvIds.join());
      const response = await service.sandbox.fetch(request);
      await waitBeforeResponse(call);
      return response;
    };
    window = await openWindow({
      extensionHost: 'web',
      settings: {
        ...service.settings,
        'botChats.groups': GROUPS,
        'botChats.bots': [BOT],
        'botChats.people': ['7058314'],
        'botChats.sending.batchSize': 1,
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  it('lists what was looked up, without the archive', async () => {
    await window.row(SHOP).waitFor();
    await window.row('Alice Fernhollow').waitFor();
    await window.page.getByRole('button', { name: 'Outbox Section' }).click();
    assert.equal(await window.page.getByRole('button', { name: 'Archive Section' }).count(), 0);
  });

  it('says that a token may not be kept when it is saved', async () => {
    await window.command('Bot Chats: Set Bot Token…');
    await window.input.getByRole('option', { name: 'Order Desk' }).click();
    await enter(window, 'Token for bot', service.sandbox.token(BOT) ?? '');
    await window.toast('VS Code may keep the token only until this window is closed or reloaded').waitFor();
    await shot('1-token');
    await window.clearNotifications();
  });

  it('reads a history, and downloads an export', async () => {
    const { page } = window;
    await window.row(SHOP).click();
    const history = await findHistory(window, SHOP);
    await history.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await shot('2-history');
    await window.command('Bot Chats: Export History…');
    await window.input.getByRole('option', { name: 'Entire History' }).click();
    const downloading = page.waitForEvent('download');
    await window.input.getByRole('option', { name: 'NDJSON' }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^Fern & Kettle .* \d{4}-\d\d-\d\d\.ndjson$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 480);
    await page.getByText(`Exported 480 messages from ${SHOP} to`).first().waitFor();
    await window.clearNotifications();
    await window.command('View: Close All Editors');
  });

  it('loads no remote images until the user allows it, and opens one, or says that the browser may not read it', async () => {
    const { page } = window;
    let isReadable = false;
    let loaded = 0;
    await page.context().route(IMAGE.imageUrl, (route) => {
      const isShown = route.request().resourceType() === 'image';
      if (isShown) loaded++;
      return isShown || isReadable ? route.fulfill({ body: PICTURE, contentType: 'image/png' }) : route.abort();
    });
    hasImages = true;
    await window.row(SHOP).click();
    await (await findHistory(window, SHOP)).page.getByText('Image · dusk.png').last().waitFor();
    await window.command('Bot Chats: Toggle Remote Images');
    await window.dialog.getByText('The image host can see your IP address').waitFor();
    assert.equal(loaded, 0);
    await press('Load Remote Images');
    const open = (await findHistory(window, SHOP)).button('Open dusk.png in VS Code').last();
    await open.click();
    await window.toast("doesn't let other sites' pages read its images").waitFor();
    await shot('3-image');
    await window.clearNotifications();
    isReadable = true;
    await open.click();
    await page.getByRole('tab', { name: /^dusk-\w+\.png/ }).waitFor();
    // Its size is in the status bar once it's shown.
    await page.getByText('240x120').waitFor();
    hasImages = false;
    // While anything is routed, Playwright itself permits calls.
    await page.context().unrouteAll();
    await window.command('View: Close All Editors');
  });

  it('knows after a crash during a delivery what was sent, unsent or unknown', async () => {
    const requested = deferred<void>();
    const respond = deferred<void>();
    sent = [];
    waitBeforeResponse = (call) => {
      if (call !== 2) return undefined;
      requested.resolve();
      return respond.promise;
    };
    await writeDraft('news.md', '# News\n');
    await sendDraft();
    await requested.promise;
    await window.crash();
    await ageHeartbeats(window.page);
    await window.reload();
    respond.resolve();
    waitBeforeResponse = () => undefined;
    const notice = window.toast(/Interrupted, 1 of 3 reached: “.+”. Unknown: 1. Not sent: 1./);
    await notice.waitFor();
    await shot('4-interrupted');
    await notice.getByRole('button', { name: 'Check Delivery' }).click();
    const checked = window.toast('Checked 1 of 3 recipients, and found 1 reached, 0 not reached. Still unknown: 0.');
    await checked.waitFor();
    await checked.getByRole('button', { name: 'Resume…' }).click();
    await press('Resume');
    await clickRowButton(window.row('News, 3 of 3 reached'), 'Open Report');
    const report = await window.webview('Delivery Report', 'Delivery of “News”');
    await report.getByRole('cell', { name: 'reached' }).nth(2).waitFor();
    await shot('5-report');
    assert.deepEqual(sent, GROUPS);
    await window.clearNotifications();
  });

  it('explains what a service that doesn’t answer browsers looks like', async () => {
    service.cors = false;
    await window.command('Bot Chats: Refresh');
    await window.row(NO_ANSWER).waitFor();
    await window.row('Learn More').waitFor();
    await shot('6-no-cors');
  });
});
